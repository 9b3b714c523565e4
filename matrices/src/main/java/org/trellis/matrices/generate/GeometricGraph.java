package org.trellis.matrices.generate;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * The matrix of a random geometric graph: points at random in the unit square or cube, of which those no further apart
 * than a radius are neighbours. Irregular as a graph, yet local as a mesh: what halos and partitioners are tried on.
 *
 * <p>Points are numbered by the cells of a grid, so that most neighbours have near numbers, or at random. Every row has
 * a diagonal entry. Memory while it is made: 8 bytes a point and dimension, 4 a cell (at most one a point), and 8 a
 * point more if the points are shuffled, beside the matrix.
 *
 * @see <a href="https://doi.org/10.1093/acprof:oso/9780198506263.001.0001">M. Penrose, Random Geometric Graphs, Oxford
 *      University Press 2003</a>
 */
public final class GeometricGraph implements MatrixGenerator {
    private static final long POINTS = 1;
    private static final long VALUES = 2;
    private static final long ORDER = 3;

    private final int points;
    private final int dimensions;
    private final double radius;
    private final boolean shuffle;
    private final double mean;
    private final Weights weights;
    private final long seed;

    /** Which values the entries get. */
    public enum Weights {
        /**
         * −1 for each neighbour and 1 plus their number on the diagonal: the graph's Laplacian plus the identity,
         * symmetric and positive definite.
         */
        LAPLACIAN,
        /** As {@link ValueRule#DOMINANT}. */
        DOMINANT,
        /** As {@link ValueRule#UNIFORM}. */
        UNIFORM,
        /** As {@link ValueRule#ONES}. */
        ONES
    }

    /**
     * Creates a graph.
     *
     * @param points     number of points, at least 0
     * @param dimensions 2 for the unit square, 3 for the unit cube
     * @param mean       neighbours of a point far from the boundary, on average: a number of at least 0
     * @param shuffle    whether points are numbered at random, rather than by cells
     * @param weights    the values
     * @param seed       any number
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public GeometricGraph(int points, int dimensions, double mean, boolean shuffle, Weights weights, long seed) {
        this.points = Checks.notNegative("geometric: points", points);
        if (dimensions != 2 && dimensions != 3) {
            throw new IllegalArgumentException("geometric: dimensions is " + dimensions + ", expected 2 or 3");
        }
        if (!(mean >= 0 && mean <= Integer.MAX_VALUE)) {
            throw new IllegalArgumentException("geometric: mean is " + mean + ", expected 0 to " + Integer.MAX_VALUE);
        }
        this.dimensions = dimensions;
        this.mean = mean;
        this.radius = radius(points, dimensions, mean);
        this.shuffle = shuffle;
        this.weights = weights;
        this.seed = seed;
    }

    /** The radius of the disk or ball that holds {@code mean} of so many points of the unit square or cube. */
    private static double radius(int points, int dimensions, double mean) {
        double volume = mean / Math.max(1, points);
        double wanted = dimensions == 2
                ? StrictMath.sqrt(volume / Math.PI)
                : StrictMath.cbrt(volume * 3 / (4 * Math.PI));
        return Math.min(wanted, 2);
    }

    @Override
    public int rows() {
        return points;
    }

    @Override
    public int columns() {
        return points;
    }

    /**
     * Returns the greatest distance of neighbours.
     *
     * @return at least 0; at most 2, which is more than any two points are apart
     */
    public double radius() {
        return radius;
    }

    @Override
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        // A corner has a quarter or an eighth of the neighbours of a point inside; half of that is sure for all.
        double least = Math.min(mean, points - 1.0) / (2 << dimensions);
        // Coordinates weigh as much as an entry for each two of them, so about one more a row than the diagonal's.
        HeapCheck.check(points, points, (long) (points * (dimensions + Math.max(0, least))), precision);
        Cells cells = Cells.of(points, dimensions, radius, SplitMix.hash(seed, POINTS));
        Numbering numbering = shuffle ? Numbering.random(points, SplitMix.hash(seed, ORDER)) : null;
        return new Rows(cells, radius, numbering, weights, SplitMix.hash(seed, VALUES)).generate(precision, progress);
    }

    /**
     * Points sorted by the cells of a grid whose edges are no shorter than the radius.
     *
     * @param edge        cells along an edge
     * @param dimensions  2 or 3
     * @param offsets     the first point of each cell, x fastest, and one behind the last
     * @param coordinates of all points, one after the other
     */
    private record Cells(int edge, int dimensions, int[] offsets, double[] coordinates) {
        static Cells of(int points, int dimensions, double radius, long seed) {
            int edge = edge(points, dimensions, radius);
            int length = Checks.arrayLength("coordinates of " + points + " points", (long) points * dimensions);
            double[] drawn = new double[length];
            IntStream.range(0, points).parallel().forEach(p -> {
                SplitMix chance = SplitMix.of(seed, p);
                for (int d = 0; d < dimensions; d++) {
                    drawn[p * dimensions + d] = chance.nextDouble();
                }
            });
            Cells unsorted = new Cells(edge, dimensions, new int[cube(edge, dimensions) + 1], drawn);
            return unsorted.sorted(points);
        }

        /** The most cells along an edge that are wide enough and not more than the points in all; at least one. */
        private static int edge(int points, int dimensions, double radius) {
            double most = dimensions == 2 ? Math.sqrt(points) : Math.cbrt(points);
            return (int) Math.max(1, Math.min(most, Math.floor(1 / radius)));
        }

        private static int cube(int edge, int dimensions) {
            return dimensions == 2 ? edge * edge : edge * edge * edge;
        }

        private Cells sorted(int points) {
            for (int p = 0; p < points; p++) {
                offsets[cell(p) + 1]++;
            }
            Offsets.sum(offsets);
            int[] next = Arrays.copyOf(offsets, offsets.length - 1);
            double[] sorted = new double[coordinates.length];
            for (int p = 0; p < points; p++) {
                int place = next[cell(p)]++;
                System.arraycopy(coordinates, p * dimensions, sorted, place * dimensions, dimensions);
            }
            return new Cells(edge, dimensions, offsets, sorted);
        }

        private int cell(int point) {
            int cell = 0;
            for (int d = dimensions - 1; d >= 0; d--) {
                cell = cell * edge + step(point, d);
            }
            return cell;
        }

        private int step(int point, int direction) {
            return Math.min(edge - 1, (int) (coordinates[point * dimensions + direction] * edge));
        }

        private double squaredDistance(int a, int b) {
            double sum = 0;
            for (int d = 0; d < dimensions; d++) {
                double difference = coordinates[a * dimensions + d] - coordinates[b * dimensions + d];
                sum += difference * difference;
            }
            return sum;
        }

        int points() {
            return coordinates.length / dimensions;
        }

        /** Calls for each point within the radius, the point itself too, in increasing order. */
        void near(int point, double radius, Visitor visitor) {
            int z = dimensions == 3 ? step(point, 2) : 0;
            int lastZ = dimensions == 3 ? Math.min(edge - 1, z + 1) : 0;
            int y = step(point, 1);
            int x = step(point, 0);
            for (int k = Math.max(0, z - 1); k <= lastZ; k++) {
                for (int j = Math.max(0, y - 1); j <= Math.min(edge - 1, y + 1); j++) {
                    int row = (k * edge + j) * edge;
                    int from = offsets[row + Math.max(0, x - 1)];
                    int to = offsets[row + Math.min(edge - 1, x + 1) + 1];
                    for (int other = from; other < to; other++) {
                        if (other == point || squaredDistance(point, other) <= radius * radius) {
                            visitor.visit(other);
                        }
                    }
                }
            }
        }
    }

    /** Receives points. */
    private interface Visitor {
        void visit(int point);
    }

    /** Random numbers of the points, and the points of these numbers. */
    private record Numbering(int[] numbers, int[] points) {
        static Numbering random(int count, long seed) {
            int[] points = new int[count];
            Arrays.setAll(points, i -> i);
            SplitMix chance = new SplitMix(seed);
            for (int i = count - 1; i > 0; i--) {
                int j = chance.nextInt(i + 1);
                int point = points[i];
                points[i] = points[j];
                points[j] = point;
            }
            int[] numbers = new int[count];
            for (int i = 0; i < count; i++) {
                numbers[points[i]] = i;
            }
            return new Numbering(numbers, points);
        }
    }

    /** The rows, once the points are there. */
    private record Rows(Cells cells, double radius, Numbering numbering, Weights weights, long seed)
            implements
                RowSource {
        @Override
        public int rows() {
            return cells.points();
        }

        @Override
        public int columns() {
            return rows();
        }

        @Override
        public int length(int row) {
            int[] count = new int[1];
            cells.near(point(row), radius, other -> count[0]++);
            return count[0];
        }

        @Override
        public void fill(int row, RowBuffer buffer) {
            cells.near(point(row), radius, other -> buffer.add(number(other), 0));
            if (numbering != null) {
                Arrays.sort(buffer.reserve(0), 0, buffer.size());
            }
            switch (weights) {
                case LAPLACIAN -> laplacian(row, buffer);
                case DOMINANT -> ValueRule.DOMINANT.apply(seed, row, buffer);
                case UNIFORM -> ValueRule.UNIFORM.apply(seed, row, buffer);
                case ONES -> ValueRule.ONES.apply(seed, row, buffer);
            }
        }

        private static void laplacian(int row, RowBuffer buffer) {
            for (int k = 0; k < buffer.size(); k++) {
                buffer.setValue(k, buffer.column(k) == row ? buffer.size() : -1);
            }
        }

        private int point(int row) {
            return numbering == null ? row : numbering.points[row];
        }

        private int number(int point) {
            return numbering == null ? point : numbering.numbers[point];
        }
    }
}
