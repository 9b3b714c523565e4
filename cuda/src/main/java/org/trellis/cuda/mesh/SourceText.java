package org.trellis.cuda.mesh;

/** Lines of C with their indentation. */
final class SourceText {
    private static final String STEP = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    /** Adds a line as it is. */
    SourceText line(String line) {
        text.append(STEP.repeat(depth)).append(line).append('\n');
        return this;
    }

    /** Adds a line that opens a block. */
    SourceText open(String line) {
        line(line + " {");
        depth++;
        return this;
    }

    /** Closes a block. */
    SourceText close() {
        depth--;
        return line("}");
    }

    /** Returns an empty text that is indented as this one is now. */
    SourceText nested() {
        SourceText inner = new SourceText();
        inner.depth = depth;
        return inner;
    }

    /** Adds several lines as they are. */
    SourceText raw(String lines) {
        text.append(lines);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
