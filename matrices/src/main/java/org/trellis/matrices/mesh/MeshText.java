package org.trellis.matrices.mesh;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.SyntaxFailure;
import org.trellis.matrices.support.TextLines;
import org.trellis.matrices.support.TextScanner;

/**
 * The contents of a mesh file in memory, and a cursor that reads numbers, words, lines and binary blocks. Wrong
 * contents
 * are a {@link MatrixFormatException} with the line and column, or for binary data with the offset.
 */
final class MeshText {
    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 64;
    private static final int SHOWN = 24;

    private final String name;
    private final byte[] bytes;
    private final int length;
    private final char comment;
    private final TextScanner scanner = new TextScanner();

    private MeshText(String name, byte[] padded, int length, char comment) {
        this.name = name;
        this.bytes = padded;
        this.length = length;
        this.comment = comment;
        scanner.attach(bytes, 0);
    }

    /**
     * Reads a file, which may be compressed with gzip.
     *
     * @param file    the file
     * @param comment what starts a comment that ends with its line, 0 for no comments
     * @throws MatrixFormatException if it is compressed and damaged or expands too far, or has 2 GiB or more
     */
    static MeshText read(Path file, char comment) throws IOException {
        long size = Files.size(file);
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            raw.mark(2);
            boolean compressed = (raw.read() << 8 | raw.read()) == GZIP_MAGIC;
            raw.reset();
            long limit = compressed ? ReadOptions.DEFAULT.textLimit(size) : MOST_BYTES;
            InputStream input = compressed ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
            long guess = compressed ? 5 * size : size;
            return readAll(input, file.toString(), Math.min(limit, MOST_BYTES), guess, comment);
        } catch (ZipException | EOFException e) {
            throw TextLines.damaged(file.toString(), e);
        }
    }

    private static MeshText readAll(InputStream input, String name, long limit, long guess, char comment)
            throws IOException {
        byte[] bytes = new byte[(int) Math.min(MOST_BYTES, Math.max(BUFFER_BYTES, guess + 1)) + TextScanner.PADDING];
        int length = 0;
        while (true) {
            int room = bytes.length - TextScanner.PADDING - length;
            if (room == 0) {
                room = (int) Math.min(MOST_BYTES - (long) length, Math.max(BUFFER_BYTES, length));
                bytes = Arrays.copyOf(bytes, length + room + TextScanner.PADDING);
            }
            int count = input.read(bytes, length, room);
            if (count < 0) {
                break;
            }
            length += count;
            if (length > limit || length == MOST_BYTES) {
                throw new MatrixFormatException(name, 0, 0, "the file has more than " + Math.min(limit, MOST_BYTES)
                        + " bytes", "at most that many, and not out of proportion to the compressed size");
            }
        }
        bytes[length] = '\n';
        return new MeshText(name, bytes, length, comment);
    }

    /** Takes text that is there already. */
    static MeshText of(String name, byte[] contents, char comment) {
        byte[] padded = Arrays.copyOf(contents, contents.length + TextScanner.PADDING);
        padded[contents.length] = '\n';
        return new MeshText(name, padded, contents.length, comment);
    }

    String name() {
        return name;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    int position() {
        return scanner.position();
    }

    void moveTo(int position) {
        scanner.attach(bytes, position);
    }

    /** Skips blanks, line ends and comments; returns whether anything is left. */
    boolean skip() {
        int at = scanner.position();
        while (at < length) {
            byte next = bytes[at];
            if (next == comment && comment != 0) {
                while (bytes[at] != '\n') {
                    at++;
                }
            } else if (next != ' ' && next != '\n' && next != '\t' && next != '\r') {
                break;
            } else {
                at++;
            }
        }
        at = Math.min(at, length);
        scanner.attach(bytes, at);
        return at < length;
    }

    /** Reads an integer, wherever the next one is. */
    int integer(int low, int high, String what) {
        try {
            skip();
            int value = scanner.integer(low, high, what);
            endToken();
            return value;
        } catch (SyntaxFailure e) {
            throw failure(e);
        }
    }

    /** Reads a number of something that the file is to hold, of which each takes some bytes of what is left. */
    int count(String what, int bytesEach) {
        skip();
        int start = scanner.position();
        int value = integer(0, Integer.MAX_VALUE, what);
        checkRoom(start, value, bytesEach, what);
        return value;
    }

    /** Checks that the rest of the file can hold so many items before memory is set aside for them. */
    void checkRoom(int start, long items, int bytesEach, String what) {
        if (items * bytesEach > length - scanner.position() + 1L) {
            throw failure(start, what + " that the rest of the file, " + (length - scanner.position())
                    + " bytes, can hold");
        }
    }

    /** Reads a real number, wherever the next one is. */
    double real(String what) {
        try {
            skip();
            int start = scanner.position();
            double value;
            try {
                value = scanner.real();
            } catch (SyntaxFailure e) {
                throw new SyntaxFailure(e.position(), what + ", a number");
            }
            if (Double.isInfinite(value) && scanner.hasDigit(start)) {
                throw new SyntaxFailure(start, what + " within the range of double precision");
            }
            endToken();
            return value;
        } catch (SyntaxFailure e) {
            throw failure(e);
        }
    }

    private void endToken() {
        byte next = scanner.peek();
        if (next > ' ' && !(next == comment && comment != 0)) {
            throw new SyntaxFailure(scanner.position(), "the end of the number");
        }
    }

    /** Reads reals into part of an array. */
    void reals(double[] values, int from, int to, String what) {
        for (int i = from; i < to; i++) {
            values[i] = real(what);
        }
    }

    /** Reads the characters up to the next blank or line end; empty at the end of the file. */
    String word() {
        skip();
        int start = scanner.position();
        int end = start;
        while (end < length && (bytes[end] & 0xFF) > ' ') {
            end++;
        }
        scanner.attach(bytes, end);
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    /** Reads a word that has to be there. */
    void expect(String word) {
        skip();
        int start = scanner.position();
        if (!word().equals(word)) {
            throw failure(start, word);
        }
    }

    /** Reads what is left of this line; null at the end of the file. */
    String line() {
        int start = scanner.position();
        if (start >= length) {
            return null;
        }
        scanner.skipLine();
        int end = Math.min(length, scanner.position() - 1);
        scanner.attach(bytes, Math.min(length, scanner.position()));
        end -= end > start && bytes[end - 1] == '\r' ? 1 : 0;
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    /** Returns whether there is another number or word before this line ends or a comment starts. */
    boolean moreOnLine() {
        scanner.skipBlanks();
        int at = scanner.position();
        return at < length && (bytes[at] & 0xFF) > ' ' && !(bytes[at] == comment && comment != 0);
    }

    /** Takes some bytes; returns where they start. */
    int take(long count, String what) {
        int start = scanner.position();
        if (count > length - start) {
            throw new MatrixFormatException(name, 0, 0, "at byte " + start + " there are only " + (length - start)
                    + " bytes left", count + " bytes of " + what);
        }
        scanner.attach(bytes, start + (int) count);
        return start;
    }

    private MatrixFormatException failure(SyntaxFailure failure) {
        return failure(failure.position(), failure.expected());
    }

    /** Makes the error for a place in the text. */
    MatrixFormatException failure(int position, String expected) {
        long line = 1;
        int lineStart = 0;
        int end = Math.min(position, length);
        for (int i = 0; i < end; i++) {
            if (bytes[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new MatrixFormatException(name, line, end - lineStart + 1L, found(end), expected);
    }

    private String found(int position) {
        int end = position;
        while (end < length && (bytes[end] & 0xFF) > ' ' && end - position < SHOWN) {
            end++;
        }
        if (end == position) {
            return position == length ? "the file ends" : "found a blank";
        }
        boolean cut = end < length && (bytes[end] & 0xFF) > ' ';
        String text = new String(bytes, position, end - position, StandardCharsets.ISO_8859_1);
        return "found '" + text.replaceAll("\\p{Cntrl}", "?") + (cut ? "…" : "") + "'";
    }
}
