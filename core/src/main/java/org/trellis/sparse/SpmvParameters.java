package org.trellis.sparse;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Checks;

/**
 * How a product is run: a value that a rule proposes, a tuner improves and a profile keeps. What each number means
 * follows the thesis (section 4.5, "The fully parametrised algorithm"); a parameter that a family does not use has its
 * default, so that equal parameters are equal values.
 *
 * @param family             the kernel family
 * @param cooperatingThreads threads (on a CPU: SIMD lanes) that share a row, a power of two from 1 to 32; {@code coop}
 * @param rowsPerGroup       rows that one group of cooperating threads handles (on a CPU: rows worked on together);
 *                           {@code repeat}, at least 1
 * @param blockSize          threads of a block on a GPU; on a CPU, columns of a block that is multiplied as a whole, so
 *                           that its part of the operand stays in the cache, 0 for all columns at once
 * @param chunkRows          C of SELL-C-σ, 0 for families without chunks
 * @param sortingWindow      σ of SELL-C-σ, 0 for families without sorting
 * @param indexBits          bits of a stored column index, 16 or 32
 * @param simd               on a CPU, whether the Vector API is used
 */
public record SpmvParameters(SpmvFamily family, int cooperatingThreads, int rowsPerGroup, int blockSize, int chunkRows,
        int sortingWindow, int indexBits, boolean simd) {
    private static final int MAXIMUM_COOPERATING_THREADS = 32;

    /**
     * Checks the ranges that hold for every backend.
     *
     * @throws IllegalArgumentException if a number is out of its range; names it
     */
    public SpmvParameters {
        Objects.requireNonNull(family);
        if (cooperatingThreads < 1 || cooperatingThreads > MAXIMUM_COOPERATING_THREADS
                || Integer.bitCount(cooperatingThreads) != 1) {
            throw new IllegalArgumentException("cooperatingThreads is " + cooperatingThreads
                    + ", expected a power of two from 1 to " + MAXIMUM_COOPERATING_THREADS);
        }
        Checks.positive("rowsPerGroup", rowsPerGroup);
        Checks.notNegative("blockSize", blockSize);
        Checks.notNegative("chunkRows", chunkRows);
        Checks.notNegative("sortingWindow", sortingWindow);
        if (indexBits != 16 && indexBits != 32) {
            throw new IllegalArgumentException("indexBits is " + indexBits + ", expected 16 or 32");
        }
    }

    /**
     * Returns the plainest parameters of a family: one thread a row, one row a group, 32-bit indices, no SIMD.
     *
     * @param family the kernel family
     * @return the parameters, from which the {@code with} methods make others
     */
    public static SpmvParameters of(SpmvFamily family) {
        return new SpmvParameters(family, 1, 1, 0, 0, 0, 32, false);
    }

    /**
     * Returns these parameters with another {@link #cooperatingThreads}.
     *
     * @param value the new value
     * @return new parameters
     */
    public SpmvParameters withCooperatingThreads(int value) {
        return new SpmvParameters(family, value, rowsPerGroup, blockSize, chunkRows, sortingWindow, indexBits, simd);
    }

    /**
     * Returns these parameters with another {@link #rowsPerGroup}.
     *
     * @param value the new value
     * @return new parameters
     */
    public SpmvParameters withRowsPerGroup(int value) {
        return new SpmvParameters(family, cooperatingThreads, value, blockSize, chunkRows, sortingWindow, indexBits,
                simd);
    }

    /**
     * Returns these parameters with another {@link #blockSize}.
     *
     * @param value the new value
     * @return new parameters
     */
    public SpmvParameters withBlockSize(int value) {
        return new SpmvParameters(family, cooperatingThreads, rowsPerGroup, value, chunkRows, sortingWindow, indexBits,
                simd);
    }

    /**
     * Returns these parameters with other chunks.
     *
     * @param rows   the new {@link #chunkRows}
     * @param window the new {@link #sortingWindow}
     * @return new parameters
     */
    public SpmvParameters withChunks(int rows, int window) {
        return new SpmvParameters(family, cooperatingThreads, rowsPerGroup, blockSize, rows, window, indexBits, simd);
    }

    /**
     * Returns these parameters with another {@link #indexBits}.
     *
     * @param value the new value
     * @return new parameters
     */
    public SpmvParameters withIndexBits(int value) {
        return new SpmvParameters(family, cooperatingThreads, rowsPerGroup, blockSize, chunkRows, sortingWindow, value,
                simd);
    }

    /**
     * Returns these parameters with or without SIMD.
     *
     * @param value the new {@link #simd}
     * @return new parameters
     */
    public SpmvParameters withSimd(boolean value) {
        return new SpmvParameters(family, cooperatingThreads, rowsPerGroup, blockSize, chunkRows, sortingWindow,
                indexBits,
                value);
    }

    /**
     * Returns the parameters by name, for files: the family and whatever differs from {@link #of(SpmvFamily)}.
     *
     * @return a new map in a fixed order; values are strings, integers and booleans
     */
    public Map<String, Object> toMap() {
        SpmvParameters plain = of(family);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("family", family.label());
        putIfOther(map, "cooperatingThreads", cooperatingThreads, plain.cooperatingThreads);
        putIfOther(map, "rowsPerGroup", rowsPerGroup, plain.rowsPerGroup);
        putIfOther(map, "blockSize", blockSize, plain.blockSize);
        putIfOther(map, "chunkRows", chunkRows, plain.chunkRows);
        putIfOther(map, "sortingWindow", sortingWindow, plain.sortingWindow);
        putIfOther(map, "indexBits", indexBits, plain.indexBits);
        putIfOther(map, "simd", simd, plain.simd);
        return map;
    }

    private static void putIfOther(Map<String, Object> map, String name, Object value, Object plain) {
        if (!value.equals(plain)) {
            map.put(name, value);
        }
    }

    /**
     * Reads parameters by name; the inverse of {@link #toMap()}.
     *
     * @param map names and values; names left out have the values of {@link #of(SpmvFamily)}
     * @return the parameters
     * @throws IllegalArgumentException if the family is missing, a name is unknown or a value has the wrong type or
     *         range
     */
    public static SpmvParameters fromMap(Map<String, ?> map) {
        if (!(map.get("family") instanceof String label)) {
            throw new IllegalArgumentException("parameters " + map + " have no family, expected its name as a string");
        }
        SpmvParameters result = of(SpmvFamily.of(label));
        for (Map.Entry<String, ?> entry : map.entrySet()) {
            result = result.with(entry.getKey(), entry.getValue());
        }
        return result;
    }

    private SpmvParameters with(String name, Object value) {
        return switch (name) {
            case "family" -> this;
            case "cooperatingThreads" -> withCooperatingThreads(integer(name, value));
            case "rowsPerGroup" -> withRowsPerGroup(integer(name, value));
            case "blockSize" -> withBlockSize(integer(name, value));
            case "chunkRows" -> withChunks(integer(name, value), sortingWindow);
            case "sortingWindow" -> withChunks(chunkRows, integer(name, value));
            case "indexBits" -> withIndexBits(integer(name, value));
            case "simd" -> {
                if (!(value instanceof Boolean flag)) {
                    throw new IllegalArgumentException("parameter simd is " + value + ", expected true or false");
                }
                yield withSimd(flag);
            }
            default ->
                throw new IllegalArgumentException("parameter '" + name + "' is unknown, expected one of family, "
                        + "cooperatingThreads, rowsPerGroup, blockSize, chunkRows, sortingWindow, indexBits, simd");
        };
    }

    private static int integer(String name, Object value) {
        if (value instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException("parameter " + name + " is " + value + ", expected a whole number");
    }

    /**
     * Returns the parameters in one line, for tables.
     *
     * @return for example {@code sell chunkRows=8 sortingWindow=256 simd=true}
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(family.label());
        toMap().forEach((name, value) -> {
            if (!name.equals("family")) {
                text.append(' ').append(name).append('=').append(value);
            }
        });
        return text.toString();
    }
}
