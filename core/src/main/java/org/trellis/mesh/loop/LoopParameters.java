package org.trellis.mesh.loop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.kernel.LoopStyle;

/**
 * How a loop is run: a value that a rule proposes, a tuner improves and a profile keeps. Never changes the result
 * beyond rounding.
 *
 * @param scheme    how conflicting increments are kept apart
 * @param blockSize elements of a block (targets of a block under {@link LoopScheme#OWNER_COMPUTE}, scaled so that
 *                  blocks have about as many elements); 0 for the blocks of {@code MeshSet.blocks}
 * @param fission   whether the loop is split into one that computes contributions and others that add them (Bertolli et
 *                  al. 2012, section 4.1); for kernels whose increments repeat each other
 * @param style     on a CPU, one element after the other or several at once
 * @param device    on a GPU, what blocks of threads do
 */
public record LoopParameters(LoopScheme scheme, int blockSize, boolean fission, LoopStyle style,
        LoopDeviceParameters device) {
    private static final int DEFAULT_BLOCK = 1024;

    /**
     * Checks the ranges that hold for every backend.
     *
     * @throws IllegalArgumentException if the block size is negative
     */
    public LoopParameters {
        Objects.requireNonNull(scheme);
        Objects.requireNonNull(style);
        Objects.requireNonNull(device);
        Checks.notNegative("blockSize", blockSize);
    }

    /**
     * Returns the plainest parameters of a scheme: blocks of 1024 elements, no fission, scalar.
     *
     * @param scheme the scheme
     * @return the parameters, from which the {@code with} methods make others
     */
    public static LoopParameters of(LoopScheme scheme) {
        return new LoopParameters(scheme, DEFAULT_BLOCK, false, LoopStyle.SCALAR, LoopDeviceParameters.NONE);
    }

    /**
     * Returns these parameters with another {@link #scheme}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopParameters withScheme(LoopScheme value) {
        return new LoopParameters(value, blockSize, fission, style, device);
    }

    /**
     * Returns these parameters with another {@link #blockSize}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopParameters withBlockSize(int value) {
        return new LoopParameters(scheme, value, fission, style, device);
    }

    /**
     * Returns these parameters with or without {@link #fission}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopParameters withFission(boolean value) {
        return new LoopParameters(scheme, blockSize, value, style, device);
    }

    /**
     * Returns these parameters with another {@link #style}.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopParameters withStyle(LoopStyle value) {
        return new LoopParameters(scheme, blockSize, fission, value, device);
    }

    /**
     * Returns these parameters with other ones for GPUs.
     *
     * @param value the new value
     * @return new parameters
     */
    public LoopParameters withDevice(LoopDeviceParameters value) {
        return new LoopParameters(scheme, blockSize, fission, style, value);
    }

    /**
     * Returns the parameters by name, for files.
     *
     * @return a new map in a fixed order; values are strings, integers and booleans
     */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("scheme", scheme.label());
        map.put("blockSize", blockSize);
        map.put("fission", fission);
        map.put("simd", style == LoopStyle.SIMD);
        map.putAll(device.toMap());
        return map;
    }

    /**
     * Reads parameters by name; the inverse of {@link #toMap()}.
     *
     * @param map names and values; names left out have the values of {@link #of}
     * @return the parameters
     * @throws IllegalArgumentException if the scheme is missing, a name is unknown or a value has the wrong type or
     *         range
     */
    public static LoopParameters fromMap(Map<String, ?> map) {
        if (!(map.get("scheme") instanceof String label)) {
            throw new IllegalArgumentException("parameters " + map + " have no scheme, expected its name as a string");
        }
        LoopParameters result = of(LoopScheme.of(label));
        for (Map.Entry<String, ?> entry : map.entrySet()) {
            result = result.with(entry.getKey(), entry.getValue());
        }
        return result;
    }

    private LoopParameters with(String key, Object value) {
        return switch (key) {
            case "scheme" -> this;
            case "blockSize" -> {
                if (!(value instanceof Integer number)) {
                    throw new IllegalArgumentException("parameter blockSize is " + value + ", expected a whole number");
                }
                yield withBlockSize(number);
            }
            case "fission" -> withFission(flag(key, value));
            case "simd" -> withStyle(flag(key, value) ? LoopStyle.SIMD : LoopStyle.SCALAR);
            default -> withDevice(device.with(key, value));
        };
    }

    private static boolean flag(String key, Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException("parameter " + key + " is " + value + ", expected true or false");
    }

    /**
     * Returns the parameters in one line, for tables.
     *
     * @return for example {@code two-level 4096 simd}
     */
    @Override
    public String toString() {
        return scheme.label() + (blockSize == 0 ? " partition" : " " + blockSize) + (fission ? " fission" : "")
                + (style == LoopStyle.SIMD ? " simd" : "")
                + (device.equals(LoopDeviceParameters.NONE) ? "" : " " + device);
    }
}
