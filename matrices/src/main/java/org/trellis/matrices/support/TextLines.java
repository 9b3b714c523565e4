package org.trellis.matrices.support;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.trellis.common.MatrixFormatException;

/** The lines of a text file of moderate size, plain or compressed, one after the other. */
public final class TextLines implements Closeable {
    /** The longest line that is read. */
    public static final int LONGEST_LINE = 1 << 16;

    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int NOTHING = -2;

    private final InputStream input;
    private final String file;
    private final long textLimit;
    private final StringBuilder text = new StringBuilder();
    private long number;
    private long bytes;
    /** A byte that has been looked at, -1 for the end of the file. */
    private int ahead = NOTHING;

    private TextLines(InputStream input, String file, long textLimit) {
        this.input = input;
        this.file = file;
        this.textLimit = textLimit;
    }

    /**
     * Opens a file.
     *
     * @param path      the file
     * @param textLimit the most bytes of text that are read
     * @return its lines
     * @throws MatrixFormatException if it is compressed and damaged
     * @throws IOException if it cannot be opened
     */
    public static TextLines open(Path path, long textLimit) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(path), LONGEST_LINE);
        try {
            raw.mark(2);
            boolean compressed = (raw.read() << 8 | raw.read()) == GZIP_MAGIC;
            raw.reset();
            return new TextLines(compressed ? new BufferedInputStream(new GZIPInputStream(raw)) : raw, path.toString(),
                    textLimit);
        } catch (ZipException | EOFException e) {
            raw.close();
            throw damaged(path.toString(), e);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /**
     * Makes the error of a compressed file that breaks off or fails its own checks.
     *
     * @param file  its name
     * @param cause what the decompressor said
     * @return the exception to throw
     */
    public static MatrixFormatException damaged(String file, IOException cause) {
        MatrixFormatException failure = new MatrixFormatException(file, 0, 0,
                "the compressed data are damaged (" + cause.getMessage() + ")", "a complete gzip file");
        failure.initCause(cause);
        return failure;
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
        try {
            int next = input.read();
            bytes++;
            if (bytes > textLimit) {
                throw new MatrixFormatException(file, number, 0,
                        "the file expands to more than " + textLimit + " bytes",
                        "text that is not out of proportion to its compressed size");
            }
            return next;
        } catch (ZipException | EOFException e) {
            throw damaged(file, e);
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
