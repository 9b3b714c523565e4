package org.trellis.bench.report;

import java.util.Locale;
import java.util.function.Function;

/** How the values of a column read: words to the left, numbers to the right. What is not there is a dash. */
public final class Format {
    /** What stands for a value that is not there. */
    public static final String NOTHING = "–";

    /** Words. */
    public static final Format WORDS = new Format(true, Object::toString);
    /** The name of a backend or library; on pages with the dot of its colour. */
    public static final Format CONTENDER = new Format(true, Object::toString);
    /** Yes or no. */
    public static final Format YES_NO = new Format(true, value -> (Boolean) value ? "yes" : "no");
    /** A whole number as it is: a number of ranks, a level. */
    public static final Format NUMBER = new Format(false, value -> String.valueOf(((Number) value).longValue()));
    /** A whole number with separators. */
    public static final Format COUNT = new Format(false, value -> Numbers.count(((Number) value).longValue()));
    /** Numbers that have been written already. */
    public static final Format WRITTEN = new Format(false, Object::toString);
    /** Three digits. */
    public static final Format REAL = new Format(false, value -> Numbers.real(((Number) value).doubleValue()));
    /** Seconds, in the unit that keeps them short. */
    public static final Format SECONDS = new Format(false, value -> Numbers.seconds(((Number) value).doubleValue()));
    /** Bytes, in the unit that keeps them short. */
    public static final Format BYTES =
            new Format(false, value -> Numbers.bytes(Math.round(((Number) value).doubleValue())));
    /** A share, in per cent. */
    public static final Format PERCENT = new Format(false, value -> Numbers.percent(((Number) value).doubleValue()));
    /** An error relative to what is right, in per cent with its sign. */
    public static final Format ERROR = scaled(100, "%+.0f %%");

    private final boolean words;
    private final Function<Object, String> writer;

    private Format(boolean words, Function<Object, String> writer) {
        this.words = words;
        this.writer = writer;
    }

    /**
     * Makes a format for numbers.
     *
     * @param pattern of {@link String#format}, for one value of the type that the column has
     * @return the format
     */
    public static Format of(String pattern) {
        return new Format(false, value -> String.format(Locale.ROOT, pattern, value));
    }

    /**
     * Makes a format for numbers that are shown in another unit than the one in which they are kept.
     *
     * @param factor  times the value is what is shown
     * @param pattern of {@link String#format}, for a {@code double}
     * @return the format
     */
    public static Format scaled(double factor, String pattern) {
        return new Format(false,
                value -> String.format(Locale.ROOT, pattern, factor * ((Number) value).doubleValue()));
    }

    /**
     * Says how columns are aligned.
     *
     * @return true for words, which stand to the left; false for numbers
     */
    public boolean isWords() {
        return words;
    }

    String text(Object value) {
        return writer.apply(value);
    }
}
