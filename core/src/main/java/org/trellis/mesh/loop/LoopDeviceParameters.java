package org.trellis.mesh.loop;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Checks;

/**
 * How a loop is run on a GPU, beyond what {@link LoopParameters} say for every backend. Backends on the CPU accept
 * {@link #NONE} only.
 *
 * @param staging       what a block of threads keeps in shared memory
 * @param sorted        whether the elements of a block are sorted by colour, so that the threads of a warp add together
 *                      (Sulyok et al., section Optimisations)
 * @param colourOrdered whether the kernel itself runs colour by colour and adds in place, rather than all at once into
 *                      registers that are then added colour by colour (Bertolli et al. 2012, section 4.2)
 * @param streaming     whether what a loop uses once (direct dats, maps) is kept from taking the place of other data in
 *                      caches
 * @param threads       threads of a block; 0 for as many as a block has elements, if that is possible
 * @param registers     the most registers of a thread; 0 for what the compiler chooses
 * @param perThread     elements that a thread loads before it computes, where a thread is not bound to a block of
 *                      elements; at least 1
 * @param transposed    whether stored contributions lie component by component rather than element by element
 */
public record LoopDeviceParameters(Staging staging, boolean sorted, boolean colourOrdered, boolean streaming,
        int threads,
        int registers, int perThread, boolean transposed) {
    /** Nothing staged, nothing sorted, everything else left to the backend. */
    public static final LoopDeviceParameters NONE =
            new LoopDeviceParameters(Staging.NONE, false, false, false, 0, 0, 1, false);

    /** What a block of threads keeps in shared memory. */
    public enum Staging {
        /** Nothing. */
        NONE,
        /** What it adds to through maps: added to memory once, in the order of memory. */
        INCREMENTS,
        /** That, and what it reads through maps: loaded together, in the order of memory. */
        ALL;

        /**
         * Returns the name used on the command line and in files.
         *
         * @return a lower-case word
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the staging of a given name.
         *
         * @param label for example {@code all}
         * @return the staging
         * @throws IllegalArgumentException if there is none; lists those that there are
         */
        public static Staging of(String label) {
            for (Staging staging : values()) {
                if (staging.label().equals(label)) {
                    return staging;
                }
            }
            throw new IllegalArgumentException("staging is '" + label + "', expected one of "
                    + Arrays.stream(values()).map(Staging::label).toList());
        }
    }

    /**
     * Checks the ranges that hold for every device.
     *
     * @throws IllegalArgumentException if a number is negative, or {@code perThread} is not positive
     */
    public LoopDeviceParameters {
        Objects.requireNonNull(staging);
        Checks.notNegative("threads", threads);
        Checks.notNegative("registers", registers);
        Checks.positive("perThread", perThread);
    }

    /**
     * Returns these parameters with another {@link #staging}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withStaging(Staging value) {
        return new LoopDeviceParameters(value, sorted, colourOrdered, streaming, threads, registers, perThread,
                transposed);
    }

    /**
     * Returns these parameters with elements {@link #sorted} or not.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withSorted(boolean value) {
        return new LoopDeviceParameters(staging, value, colourOrdered, streaming, threads, registers, perThread,
                transposed);
    }

    /**
     * Returns these parameters with the kernel run {@link #colourOrdered} or not.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withColourOrdered(boolean value) {
        return new LoopDeviceParameters(staging, sorted, value, streaming, threads, registers, perThread, transposed);
    }

    /**
     * Returns these parameters with {@link #streaming} or not.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withStreaming(boolean value) {
        return new LoopDeviceParameters(staging, sorted, colourOrdered, value, threads, registers, perThread,
                transposed);
    }

    /**
     * Returns these parameters with another number of {@link #threads}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withThreads(int value) {
        return new LoopDeviceParameters(staging, sorted, colourOrdered, streaming, value, registers, perThread,
                transposed);
    }

    /**
     * Returns these parameters with another limit of {@link #registers}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withRegisters(int value) {
        return new LoopDeviceParameters(staging, sorted, colourOrdered, streaming, threads, value, perThread,
                transposed);
    }

    /**
     * Returns these parameters with another number of elements {@link #perThread}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withPerThread(int value) {
        return new LoopDeviceParameters(staging, sorted, colourOrdered, streaming, threads, registers, value,
                transposed);
    }

    /**
     * Returns these parameters with stored contributions {@link #transposed} or not.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopDeviceParameters withTransposed(boolean value) {
        return new LoopDeviceParameters(staging, sorted, colourOrdered, streaming, threads, registers, perThread,
                value);
    }

    /** Returns what differs from {@link #NONE}, by name. */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        if (staging != Staging.NONE) {
            map.put("staging", staging.label());
        }
        if (sorted) {
            map.put("sorted", true);
        }
        if (colourOrdered) {
            map.put("colourOrdered", true);
        }
        if (streaming) {
            map.put("streaming", true);
        }
        if (threads != 0) {
            map.put("threads", threads);
        }
        if (registers != 0) {
            map.put("registers", registers);
        }
        if (perThread != 1) {
            map.put("perThread", perThread);
        }
        if (transposed) {
            map.put("transposed", true);
        }
        return map;
    }

    /** Returns these parameters with one by name, as {@link #toMap} writes it. */
    LoopDeviceParameters with(String key, Object value) {
        return switch (key) {
            case "staging" -> withStaging(Staging.of(String.valueOf(value)));
            case "sorted" -> withSorted(flag(key, value));
            case "colourOrdered" -> withColourOrdered(flag(key, value));
            case "streaming" -> withStreaming(flag(key, value));
            case "threads" -> withThreads(number(key, value));
            case "registers" -> withRegisters(number(key, value));
            case "perThread" -> withPerThread(number(key, value));
            case "transposed" -> withTransposed(flag(key, value));
            default -> throw new IllegalArgumentException("parameter '" + key + "' is unknown, expected one of scheme, "
                    + "blockSize, fission, simd, staging, sorted, colourOrdered, streaming, threads, registers, "
                    + "perThread, transposed");
        };
    }

    private static boolean flag(String key, Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException("parameter " + key + " is " + value + ", expected true or false");
    }

    private static int number(String key, Object value) {
        if (value instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException("parameter " + key + " is " + value + ", expected a whole number");
    }

    /**
     * Returns what differs from {@link #NONE} in a few words, for tables.
     *
     * @return for example {@code all sorted 256 threads}; an empty string for {@link #NONE}
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(staging == Staging.NONE ? "" : " staged " + staging.label());
        text.append(sorted ? " sorted" : "").append(colourOrdered ? " colour-ordered" : "");
        text.append(streaming ? " streaming" : "");
        text.append(threads == 0 ? "" : " " + threads + " threads");
        text.append(registers == 0 ? "" : " " + registers + " registers");
        text.append(perThread == 1 ? "" : " " + perThread + " per thread").append(transposed ? " transposed" : "");
        return text.isEmpty() ? "" : text.substring(1);
    }
}
