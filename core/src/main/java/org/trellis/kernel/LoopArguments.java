package org.trellis.kernel;

import java.util.Objects;

/**
 * Where the data of a loop are: for each argument one array and, if it is indirect, the columns of its map. Shared by
 * all threads that run the loop; arrays are not copied.
 */
public final class LoopArguments {
    private final Object[] data;
    private final int[][][] targets;
    private final int[][] offsets;

    /**
     * Creates the arguments of a loop without any set.
     *
     * @param arity the number of arguments
     */
    public LoopArguments(int arity) {
        data = new Object[arity];
        targets = new int[arity][][];
        offsets = new int[arity][];
    }

    /** Takes over what another loop's argument is. */
    void take(int argument, LoopArguments other, int from) {
        data[argument] = other.data[from];
        targets[argument] = other.targets[from];
        offsets[argument] = other.offsets[from];
    }

    /**
     * Sets the array of an argument. Real dats have that of their precision; real globals that are read and real
     * constants are {@code double[]} in every precision; reductions have none, they are in {@link LoopRange}.
     *
     * @param argument its index
     * @param array    {@code double[]}, {@code float[]} or {@code int[]}; a {@link Raster} for one
     * @return this
     */
    public LoopArguments data(int argument, Object array) {
        data[argument] = Objects.requireNonNull(array);
        return this;
    }

    /**
     * Sets the map of an indirect argument with fixed arity.
     *
     * @param argument its index
     * @param columns  the targets of all elements, one array for each entry that the kernel takes
     * @return this
     */
    public LoopArguments targets(int argument, int[]... columns) {
        targets[argument] = columns.clone();
        offsets[argument] = null;
        return this;
    }

    /**
     * Sets the map of an indirect argument with variable arity.
     *
     * @param argument   its index
     * @param rowOffsets element e has the entries {@code rowOffsets[e]} to {@code rowOffsets[e + 1] - 1}
     * @param entries    the targets
     * @return this
     */
    public LoopArguments variableTargets(int argument, int[] rowOffsets, int[] entries) {
        targets[argument] = new int[][]{Objects.requireNonNull(entries)};
        offsets[argument] = Objects.requireNonNull(rowOffsets);
        return this;
    }

    /**
     * Returns the array of an argument in double precision, or of a real global or constant.
     *
     * @param argument its index
     * @return the array
     */
    public double[] doubles(int argument) {
        return (double[]) data[argument];
    }

    /**
     * Returns the array of an argument in single precision.
     *
     * @param argument its index
     * @return the array
     */
    public float[] floats(int argument) {
        return (float[]) data[argument];
    }

    /**
     * Returns the array of an integer argument.
     *
     * @param argument its index
     * @return the array
     */
    public int[] ints(int argument) {
        return (int[]) data[argument];
    }

    /**
     * Returns the raster of an argument.
     *
     * @param argument its index
     * @return the raster
     */
    public Raster raster(int argument) {
        return (Raster) data[argument];
    }

    /**
     * Returns a column of an argument's map.
     *
     * @param argument its index
     * @param entry    which of the entries that the kernel takes; 0 for a map of variable arity
     * @return the target of every element; null for a direct argument
     */
    public int[] targets(int argument, int entry) {
        return targets[argument] == null ? null : targets[argument][entry];
    }

    /**
     * Returns the row offsets of an argument's map of variable arity.
     *
     * @param argument its index
     * @return the offsets, or null
     */
    public int[] offsets(int argument) {
        return offsets[argument];
    }
}
