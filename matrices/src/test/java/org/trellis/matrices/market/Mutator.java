package org.trellis.matrices.market;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Damages texts as real files are damaged, and as none has been yet. */
public final class Mutator {
    private static final byte[] LETTERS =
            "0123456789 0123456789 +-.eEdD%\n\n\r\t\f\u000BinfNaN\0\u00ff,;x".getBytes(StandardCharsets.ISO_8859_1);
    private static final String[] WORDS = {"0", "-1", "1", "2147483647", "2147483648", "4294967297", "1000000000000",
        "9223372036854775807", "9223372036854775808", "99999999999999999999999999", "1e309", "1e-400", "nan", "inf",
        "16777216", "16777217", "0.1", "1e", "1.5D3", "\n", "\r\n", " ", "%", "%%MatrixMarket", "matrix", "array",
        "coordinate", "real", "integer", "complex", "pattern", "general", "symmetric", "skew-symmetric", "hermitian",
        "vector", "RUA", "(16I5)", "(1P4E20.12)", "-5", "1.9", "999", "1e400", "-2147483649", "\u001B[31m", "\u009B",
        "\u007F", "\0", "2", "3", "4"};

    private final SplittableRandom random;

    /**
     * Creates a mutator.
     *
     * @param random decides on everything
     */
    public Mutator(SplittableRandom random) {
        this.random = random;
    }

    /**
     * Damages a text.
     *
     * @param text  the text, left as it is
     * @param other another text to take pieces from
     * @return a new text
     */
    public byte[] mutate(byte[] text, byte[] other) {
        byte[] result = text;
        int steps = 1 + random.nextInt(3) * random.nextInt(3);
        for (int step = 0; step < steps; step++) {
            result = mutateOnce(result, other);
        }
        return result;
    }

    private byte[] mutateOnce(byte[] text, byte[] other) {
        int from = random.nextInt(text.length + 1);
        int to = from + random.nextInt(Math.min(12, text.length - from) + 1);
        return switch (random.nextInt(12)) {
            case 0 -> replace(text, from, Math.min(text.length, from + 1), letter());
            case 1 -> replace(text, from, from, letter());
            case 2 -> replace(text, from, to, new byte[0]);
            case 3 -> replace(text, to, to, slice(text, from, to));
            case 4 -> replace(text, from, text.length, new byte[0]);
            case 5 -> replaceToken(text, from);
            case 6 -> replace(text, from, to, slice(other, 0, random.nextInt(other.length + 1)));
            case 7 -> count(text, from);
            case 8 -> lines(text, from, true);
            case 9 -> lines(text, from, false);
            case 10 -> replaceToken(text, from);
            default -> replace(text, from, from, slice(text, 0, from));
        };
    }

    /** Makes the next whole number behind a place a little larger or smaller, or much. */
    private byte[] count(byte[] text, int near) {
        int from = near;
        while (from < text.length && !isDigit(text[from])) {
            from++;
        }
        int to = from;
        while (to < text.length && isDigit(text[to]) && to - from < 18) {
            to++;
        }
        if (from == to) {
            return text;
        }
        long number = Long.parseLong(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
        long changed = switch (random.nextInt(4)) {
            case 0 -> number + 1;
            case 1 -> number - 1;
            case 2 -> -number;
            default -> number * (1L << random.nextInt(33));
        };
        return replace(text, from, to, Long.toString(changed).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Repeats some lines, a whole section perhaps, or leaves them out. */
    private byte[] lines(byte[] text, int near, boolean twice) {
        int from = near;
        while (from > 0 && text[from - 1] != '\n') {
            from--;
        }
        int to = from;
        int lines = 1 + random.nextInt(12);
        while (to < text.length && lines > 0) {
            lines -= text[to] == '\n' ? 1 : 0;
            to++;
        }
        return twice ? replace(text, to, to, slice(text, from, to)) : replace(text, from, to, new byte[0]);
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    private byte[] letter() {
        return new byte[]{LETTERS[random.nextInt(LETTERS.length)]};
    }

    private byte[] replaceToken(byte[] text, int near) {
        int from = Math.min(near, Math.max(0, text.length - 1));
        while (from > 0 && text[from - 1] > ' ') {
            from--;
        }
        int to = from;
        while (to < text.length && text[to] > ' ') {
            to++;
        }
        return replace(text, from, to, WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] slice(byte[] text, int from, int to) {
        return Arrays.copyOfRange(text, from, to);
    }

    private static byte[] replace(byte[] text, int from, int to, byte[] by) {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        result.write(text, 0, from);
        result.write(by, 0, by.length);
        result.write(text, to, text.length - to);
        return result.toByteArray();
    }
}
