package org.trellis.bench.text;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** Lets only those characters through that a terminal shows, tabs and line breaks; of others it writes the codes. */
public final class PrintableWriter extends FilterWriter {
    /** Where lines end with two characters, the first of them is no harm. */
    private static final boolean WITH_RETURNS = System.lineSeparator().indexOf('\r') >= 0;

    /**
     * Writes to another writer.
     *
     * @param out the other one
     */
    public PrintableWriter(Writer out) {
        super(out);
    }

    @Override
    public void write(int c) throws IOException {
        write(String.valueOf((char) c), 0, 1);
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        write(new String(characters, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        StringBuilder shown = new StringBuilder(length);
        for (int i = offset; i < offset + length; i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\t' || (c == '\r' && WITH_RETURNS) || Printable.isShown(c)) {
                shown.append(c);
            } else {
                Printable.appendCode(c, shown);
            }
        }
        out.append(shown);
    }
}
