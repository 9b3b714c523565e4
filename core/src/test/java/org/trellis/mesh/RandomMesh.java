package org.trellis.mesh;

import java.util.SplittableRandom;

/** Tables of random maps between sets of awkward sizes. */
public final class RandomMesh {
    /** Elements and targets. */
    static final int[][] SIZES = {{0, 0}, {0, 5}, {1, 1}, {7, 1}, {13, 11}, {101, 2}, {257, 300}, {1031, 97}};

    private RandomMesh() {}

    /**
     * Returns the awkward sizes.
     *
     * @return elements and targets of each mesh
     */
    public static int[][] sizes() {
        return SIZES.clone();
    }

    /** A table in which neighbouring elements have neighbouring targets, with some far ones and repeated ones. */
    static int[] table(int elements, int arity, int targets, SplittableRandom random) {
        int[] table = new int[elements * arity];
        for (int i = 0; i < table.length; i++) {
            int near = (int) ((long) (i / arity) * targets / Math.max(1, elements)) + random.nextInt(3);
            table[i] = random.nextInt(10) == 0 ? random.nextInt(targets) : Math.min(targets - 1, near);
        }
        return table;
    }

    /** Row offsets with rows of 0 to 5 entries. */
    static int[] offsets(int rows, SplittableRandom random) {
        int[] offsets = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            offsets[row + 1] = offsets[row] + random.nextInt(6);
        }
        return offsets;
    }

    /** Whole numbers, so that sums are exact in any order and precision. */
    static double[] values(int count, SplittableRandom random) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(-50, 51);
        }
        return values;
    }
}
