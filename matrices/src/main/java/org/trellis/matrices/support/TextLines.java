package org.trellis.matrices.support;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;
import org.trellis.common.BoundedInput;
import org.trellis.common.MatrixFormatException;

/** The lines of a text file of moderate size, plain or compressed, one after the other. */
public final class TextLines implements Closeable {
    /** The longest line that is read. */
    public static final int LONGEST_LINE = 1 << 16;

    private static final int NOTHING = -2;

    private final BoundedInput input;
    private final String file;
    private final StringBuilder text = new StringBuilder();
    private long number;
    private long bytes;
    /** A byte that has been read, -1 for the end of the file. */
    private int ahead = NOTHING;

    private TextLines(BoundedInput input, String file) {
        this.input = input;
        this.file = file;
    }

    /**
     * Opens a file.
     *
     * @param path      the file
     * @param textLimit the most bytes of text that are read if it is compressed, as a function of its size
     * @return its lines
     * @throws MatrixFormatException if it is compressed and damaged
     * @throws IOException if it is no regular file or cannot be opened
     */
    @MustBeClosed
    public static TextLines open(Path path, LongUnaryOperator textLimit) throws IOException {
        return new TextLines(Inputs.open(path, "a matrix file", textLimit), path.toString());
    }

    /**
     * Reads the next line.
     *
     * @return its text without the line end, or null at the end of the file
     * @throws MatrixFormatException if the line or the text is too long, or the file is compressed and damaged
     * @throws IOException if reading fails
     */
    public String next() throws IOException {
        text.setLength(0);
        int next = read();
        if (next < 0) {
            return null;
        }
        number++;
        while (next >= 0 && next != '\n') {
            if (text.length() == LONGEST_LINE) {
                throw new MatrixFormatException(file, number, LONGEST_LINE + 1, "the line is longer than that",
                        "a line of at most " + LONGEST_LINE + " bytes");
            }
            text.append((char) next);
            next = read();
        }
        int length = text.length();
        if (length > 0 && text.charAt(length - 1) == '\r') {
            text.setLength(length - 1);
        }
        return text.toString();
    }

    /**
     * Looks ahead.
     *
     * @return whether the next line starts with a letter
     * @throws MatrixFormatException if the file is compressed and damaged
     * @throws IOException if reading fails
     */
    public boolean nextStartsWithLetter() throws IOException {
        if (ahead == NOTHING) {
            ahead = read();
        }
        return ahead >= 0 && Character.isLetter(ahead);
    }

    private int read() throws IOException {
        if (ahead != NOTHING) {
            int next = ahead;
            ahead = NOTHING;
            return next;
        }
        int next = input.read();
        bytes += next < 0 ? 0 : 1;
        return next;
    }

    /**
     * Reads what is left of a compressed file, so that its checksum is known to be right; of any other, nothing.
     *
     * @throws MatrixFormatException if the compressed data are damaged
     * @throws IOException if reading fails
     */
    public void finish() throws IOException {
        if (input.compressed()) {
            input.drain();
        }
    }

    /**
     * Returns where the reader is.
     *
     * @return the number of the line that {@link #next} returned last, from 1
     */
    public long number() {
        return number;
    }

    /**
     * Returns the size of the text so far.
     *
     * @return bytes that have been read
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Returns the name for messages.
     *
     * @return the file as the caller named it
     */
    public String file() {
        return file;
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
