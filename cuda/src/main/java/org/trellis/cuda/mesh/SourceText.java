package org.trellis.cuda.mesh;

/** Lines of C with their indentation. What goes through several elements at a time writes the same lines for each. */
final class SourceText {
    /** Ends the names of variables of which each element has one; no character of C. */
    static final String OF_ELEMENT = "@";

    private static final String STEP = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;
    private String element = "";

    /** Adds a line, for the current element. */
    SourceText line(String line) {
        text.append(STEP.repeat(depth)).append(line.replace(OF_ELEMENT, element)).append('\n');
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

    /** Makes another element the current one: the variables of elements end in this. */
    SourceText element(String suffix) {
        element = suffix;
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
