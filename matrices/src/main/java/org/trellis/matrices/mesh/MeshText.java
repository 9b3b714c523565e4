package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.common.BoundedInput;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.Inputs;
import org.trellis.matrices.support.SyntaxFailure;
import org.trellis.matrices.support.TextScanner;

/**
 * The contents of a mesh file in memory, and a cursor that reads numbers, words, lines and binary blocks. Wrong
 * contents are a {@link MatrixFormatException} with the line and column, or for binary data with the offset.
 */
final class MeshText {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 64;
    /** The longest word or line whose text matters: a keyword, a name or a number. */
    private static final int LONGEST_TEXT = 1 << 16;

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
     * @throws IOException           if it is no regular file or cannot be read
     */
    static MeshText read(Path file, char comment) throws IOException {
        try (BoundedInput input =
                Inputs.open(file, "a mesh file", size -> Math.min(MOST_BYTES, ReadOptions.DEFAULT.textLimit(size)))) {
            long size = Files.size(file);
            return readAll(input, file.toString(), input.compressed() ? 5 * size : size, comment);
        }
    }

    private static MeshText readAll(BoundedInput input, String name, long guess, char comment) throws IOException {
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
            if (length == MOST_BYTES) {
                throw new MatrixFormatException(name, 0, 0, "the file has more than " + MOST_BYTES + " bytes",
                        "at most that many");
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

    /**
     * Checks that the rest of the file can hold so many items, each of some bytes, at least one, before memory is set
     * aside for them.
     */
    void checkRoom(int start, long items, int bytesEach, String what) {
        // The last item of a text need not be followed by a blank.
        long room = Math.max(0, length - scanner.position() + 1L);
        if (items > room / Math.max(1, bytesEach)) {
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
        boolean blank = next == ' ' || next == '\n' || next == '\t' || next == '\r';
        if (!blank && !(next == comment && comment != 0)) {
            throw new SyntaxFailure(scanner.position(), "the end of the number");
        }
    }

    /** Reads reals into part of an array. */
    void reals(double[] values, int from, int to, String what) {
        for (int i = from; i < to; i++) {
            values[i] = real(what);
        }
    }

    /** Reads the characters up to the next blank or line end, of which there are not too many; empty at the end. */
    String word() {
        skip();
        int start = scanner.position();
        int end = start;
        while (end < length && (bytes[end] & 0xFF) > ' ') {
            end++;
        }
        checkLength(start, end);
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

    private void checkLength(int start, int end) {
        if (end - start > LONGEST_TEXT) {
            throw failure(start, "a word or line of at most " + LONGEST_TEXT + " bytes");
        }
    }

    /** Reads what is left of this line, of which there is not too much; null at the end of the file. */
    String line() {
        int start = scanner.position();
        if (start >= length) {
            return null;
        }
        skipLine();
        int end = scanner.position();
        end -= end > start && bytes[end - 1] == '\n' ? 1 : 0;
        end -= end > start && bytes[end - 1] == '\r' ? 1 : 0;
        checkLength(start, end);
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    /** Moves to the next line, whatever is left of this one. */
    void skipLine() {
        if (scanner.position() < length) {
            scanner.skipLine();
            scanner.attach(bytes, Math.min(length, scanner.position()));
        }
    }

    /** Moves to the next line; only a remark may be left of this one, and no number. */
    void skipRemark(String expected) {
        scanner.skipBlanks();
        byte next = bytes[Math.min(length, scanner.position())];
        if ((next >= '0' && next <= '9') || next == '-' || next == '+' || next == '.') {
            throw failure(scanner.position(), expected);
        }
        skipLine();
    }

    /** Checks that only blanks and comments are left. */
    void end(String expected) {
        if (skip()) {
            throw failure(scanner.position(), expected);
        }
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
        while (end < length && (bytes[end] & 0xFF) > ' ' && end - position <= PrintableText.LONGEST_QUOTE) {
            end++;
        }
        if (end > position) {
            return "found " + PrintableText.quote(new String(bytes, position, end - position, StandardCharsets.UTF_8));
        }
        if (position == length) {
            return "the file ends";
        }
        return switch (bytes[position]) {
            case ' ', '\t' -> "found a blank";
            case '\n', '\r' -> "the line ends";
            default -> String.format(Locale.ROOT, "found the byte 0x%02X", bytes[position] & 0xFF);
        };
    }
}
