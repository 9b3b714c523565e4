package org.trellis.tuner.profile;

import java.util.Arrays;
import java.util.Locale;

/** Whether a set of parameters worked, in the words of the T4 results schema. */
public enum Invalidity {
    /** It worked and the product was right. */
    CORRECT,
    /** It took longer than allowed. */
    TIMEOUT,
    /** Its kernel did not compile. */
    COMPILE,
    /** It failed while it was prepared or run. */
    RUNTIME,
    /** The product was wrong. */
    CORRECTNESS,
    /** The matrix cannot be multiplied with it. */
    CONSTRAINTS;

    /**
     * Returns the word used in files.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds the constant of a word.
     *
     * @param label the word
     * @return the constant
     * @throws IllegalArgumentException if there is none
     */
    public static Invalidity of(String label) {
        return Arrays.stream(values()).filter(value -> value.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("invalidity is '" + label + "', expected one of "
                        + Arrays.stream(values()).map(Invalidity::label).toList()));
    }
}
