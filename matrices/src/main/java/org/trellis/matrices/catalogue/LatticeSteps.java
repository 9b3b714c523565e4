package org.trellis.matrices.catalogue;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Steps between the numbers of near points of a lattice that is numbered line by line, the nearest first. The lattice
 * has lines of about the square root (in space the cube root) of the number of points, or shorter ones where a
 * bandwidth must be kept.
 */
final class LatticeSteps {
    private LatticeSteps() {}

    /**
     * Makes the list.
     *
     * @param points     number of points of the lattice
     * @param dimensions 2 or 3
     * @param bandwidth  limit of a step
     * @param wanted     how many steps at least, if there are so many
     * @param bothWays   whether backward steps and 0 are listed too; else forward ones only
     * @return different steps, the nearest points first, forward before backward
     */
    static int[] make(int points, int dimensions, int bandwidth, int wanted, boolean bothWays) {
        int limit = Math.max(1, Math.min(bandwidth, points / 4));
        double plane = Math.min(0.6 * limit, dimensions == 2 ? Math.sqrt(points) : Math.pow(points, 2.0 / 3));
        int nx = Math.max(1, (int) Math.round(dimensions == 2 ? plane : Math.sqrt(plane)));
        int layer = dimensions == 2 ? limit + 1 : Math.max(nx, (int) Math.round(plane));
        int reach = 1;
        while (Math.pow(2.0 * reach + 1, dimensions) < 4.0 * wanted + 9) {
            reach++;
        }
        int side = 2 * reach + 1;
        int radius = reach;
        int depth = dimensions == 2 ? 1 : side;
        long[] keys = IntStream.range(0, side * side * depth)
                .mapToLong(i -> key(i % side - radius, i / side % side - radius,
                        dimensions == 2 ? 0 : i / side / side - radius, nx, layer))
                .filter(key -> Math.abs((int) key) <= limit && (bothWays || (int) key > 0))
                .sorted()
                .toArray();
        int[] steps = IntStream.concat(Arrays.stream(keys).mapToInt(key -> (int) key),
                bothWays ? IntStream.rangeClosed(-limit, limit) : IntStream.rangeClosed(1, limit)).distinct()
                .limit(Math.max(wanted, 1)).toArray();
        return steps;
    }

    /** Squared distance in the upper half, forward steps before backward ones; the step in the lower half. */
    private static long key(int dx, int dy, int dz, int nx, int layer) {
        int step = (dz * layer) + dy * nx + dx;
        long distance = 2L * (dx * dx + dy * dy + dz * dz) + (step < 0 ? 1 : 0);
        return distance << 32 | (step & 0xFFFFFFFFL);
    }
}
