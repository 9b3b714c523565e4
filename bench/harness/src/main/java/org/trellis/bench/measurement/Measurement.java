package org.trellis.bench.measurement;

import java.io.IOException;
import java.util.Arrays;

/**
 * A program behind some figures of the documentation.
 *
 * @param name        the word that the command line knows it by
 * @param arguments   its arguments in order, those that may be left out in brackets
 * @param description what it measures, as the beginning of a sentence
 * @param program     what runs
 */
public record Measurement(String name, String arguments, String description, Program program) {
    /** What runs. */
    @FunctionalInterface
    public interface Program {
        /**
         * Measures and prints.
         *
         * @param arguments at least as many as the measurement needs
         * @throws IOException              if a file cannot be read or written
         * @throws IllegalArgumentException if an argument is none that is known, or no number
         */
        void run(String... arguments) throws IOException;
    }

    /**
     * Returns how many arguments there have to be.
     *
     * @return the number of words of the arguments that are not in brackets
     */
    public int least() {
        return (int) Arrays.stream(arguments.split(" ")).filter(word -> !word.isEmpty() && !word.startsWith("["))
                .count();
    }
}
