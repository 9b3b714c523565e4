package org.trellis.cuda.driver;

import org.trellis.common.Checks;

/**
 * How many threads a launch starts.
 *
 * @param blocks      blocks in the grid, at least 1, along x
 * @param layers      blocks in the grid along y, 1 to 65,535
 * @param threads     threads in a block, at least 1
 * @param sharedBytes dynamic shared memory of a block, at least 0
 */
public record LaunchShape(int blocks, int layers, int threads, int sharedBytes) {
    private static final int MAXIMUM_LAYERS = 65_535;
    private static final int MAXIMUM_THREADS = 1024;

    /**
     * Checks the ranges that hold for every device.
     *
     * @throws IllegalArgumentException if a number is outside its range
     */
    public LaunchShape {
        Checks.positive("blocks of a launch", blocks);
        Checks.positive("layers of a launch", layers);
        Checks.positive("threads of a block", threads);
        Checks.notNegative("shared memory of a block", sharedBytes);
        if (layers > MAXIMUM_LAYERS || threads > MAXIMUM_THREADS) {
            throw new IllegalArgumentException("a launch of " + layers + " layers with blocks of " + threads
                    + " threads, expected at most " + MAXIMUM_LAYERS + " and " + MAXIMUM_THREADS);
        }
    }

    /**
     * A one-dimensional launch without dynamic shared memory.
     *
     * @param blocks  blocks in the grid
     * @param threads threads in a block
     * @return the shape
     */
    public static LaunchShape of(int blocks, int threads) {
        return new LaunchShape(blocks, 1, threads, 0);
    }

    /**
     * A one-dimensional launch with a thread for each of some items.
     *
     * @param items   how many, at least 1
     * @param threads threads in a block
     * @return a shape of as many blocks as it takes
     * @throws IllegalArgumentException if that is more than 2³¹ − 1 blocks
     */
    public static LaunchShape covering(long items, int threads) {
        long blocks = (items + threads - 1) / threads;
        if (blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(items + " items in blocks of " + threads + " are " + blocks
                    + " blocks, expected fewer than 2^31");
        }
        return of((int) blocks, threads);
    }

    @Override
    public String toString() {
        return blocks + (layers > 1 ? " x " + layers : "") + " blocks of " + threads + " threads"
                + (sharedBytes > 0 ? " with " + sharedBytes + " bytes of shared memory" : "");
    }
}
