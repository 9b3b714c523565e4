package org.trellis.fem.space;

import java.util.function.IntPredicate;

/**
 * Finds points in boxes: a tree that halves the points along the direction in which they are spread most (Bentley,
 * Multidimensional binary search trees used for associative searching, 1975). Takes 5 bytes a point, and time
 * proportional to n log n to make.
 */
final class PointTree {
    private static final int LEAF = 8;

    private final double[] x;
    private final int dimension;
    /** The points; the one in the middle of a range parts those before and after it. */
    private final int[] order;
    private final byte[] direction;

    /**
     * Makes the tree.
     *
     * @param x         coordinates of all points; not copied
     * @param dimension coordinates of one
     * @param points    those that are looked for; are put into another order
     */
    PointTree(double[] x, int dimension, int... points) {
        this.x = x;
        this.dimension = dimension;
        this.order = points;
        this.direction = new byte[points.length];
        part(0, points.length);
    }

    private double at(int place, int d) {
        return x[order[place] * dimension + d];
    }

    private void part(int from, int to) {
        if (to - from <= LEAF) {
            return;
        }
        int widest = 0;
        double width = -1;
        for (int d = 0; d < dimension; d++) {
            double least = at(from, d);
            double most = least;
            for (int k = from; k < to; k++) {
                least = Math.min(least, at(k, d));
                most = Math.max(most, at(k, d));
            }
            if (most - least > width) {
                widest = d;
                width = most - least;
            }
        }
        int middle = (from + to) >>> 1;
        direction[middle] = (byte) widest;
        select(from, to - 1, middle, widest);
        part(from, middle);
        part(middle + 1, to);
    }

    /** Puts the point into its place that would be there if all were sorted (Hoare, Algorithm 65, 1961). */
    private void select(int first, int last, int wanted, int d) {
        int low = first;
        int high = last;
        while (low < high) {
            double pivot = at((low + high) >>> 1, d);
            int i = low;
            int j = high;
            while (i <= j) {
                while (at(i, d) < pivot) {
                    i++;
                }
                while (at(j, d) > pivot) {
                    j--;
                }
                if (i <= j) {
                    int kept = order[i];
                    order[i++] = order[j];
                    order[j--] = kept;
                }
            }
            if (wanted <= j) {
                high = j;
            } else if (wanted >= i) {
                low = i;
            } else {
                return;
            }
        }
    }

    /**
     * Looks for a point in a box.
     *
     * @param least     the least coordinates in the box
     * @param most      the greatest ones
     * @param condition what else must hold of the point
     * @return a point, the same each time, -1 if there is none
     */
    int find(double[] least, double[] most, IntPredicate condition) {
        return find(0, order.length, least, most, condition);
    }

    private int find(int from, int to, double[] least, double[] most, IntPredicate condition) {
        if (to - from <= LEAF) {
            for (int k = from; k < to; k++) {
                if (holds(k, least, most) && condition.test(order[k])) {
                    return order[k];
                }
            }
            return -1;
        }
        int middle = (from + to) >>> 1;
        int d = direction[middle];
        if (holds(middle, least, most) && condition.test(order[middle])) {
            return order[middle];
        }
        int found = least[d] <= at(middle, d) ? find(from, middle, least, most, condition) : -1;
        return found < 0 && most[d] >= at(middle, d) ? find(middle + 1, to, least, most, condition) : found;
    }

    private boolean holds(int place, double[] least, double[] most) {
        boolean inside = true;
        for (int d = 0; d < dimension; d++) {
            inside &= at(place, d) >= least[d] && at(place, d) <= most[d];
        }
        return inside;
    }
}
