package org.trellis.processor.emit;

/** Collects lines of code, indented by their braces. */
final class CodeWriter {
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    /** Appends a line; a closing brace at its start ends a level, an opening one at its end begins one. */
    CodeWriter line(String line) {
        if (line.startsWith("}")) {
            depth--;
        }
        if (!line.isEmpty()) {
            text.append(INDENT.repeat(depth)).append(line);
        }
        text.append('\n');
        if (line.endsWith("{")) {
            depth++;
        }
        return this;
    }

    /** Appends lines as they are but for the indent. */
    CodeWriter lines(String lines) {
        lines.lines().forEach(this::line);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
