package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.mesh.partition.GeometricBisection;

/**
 * Recursive bisection of points of which each rank has some, along the axis in which a piece extends farthest: the same
 * parts as {@link GeometricBisection#coordinate} finds of all points, without any rank having them. All pieces of a
 * level are cut together; where is found by halving intervals of numbers and counting on all ranks, which takes at most
 * 64 reductions.
 */
final class HomeBisection {
    private final Communicator communicator;
    private final double[] coordinates;
    private final int dimensions;
    private final int[] partOf;

    /** Points of this rank that are to become some parts, by number. */
    private record Piece(int[] points, int firstPart, int parts) {}

    /** Where pieces are cut: how many of their points lie below, and the key there, in the order of numbers. */
    private record Cuts(long[] below, long[] keys) {}

    private HomeBisection(Communicator communicator, double[] coordinates, int dimensions) {
        this.communicator = communicator;
        this.coordinates = coordinates;
        this.dimensions = dimensions;
        this.partOf = new int[coordinates.length / dimensions];
    }

    /**
     * Divides points. Called by all ranks.
     *
     * @param communicator the ranks, of which lower ones have points with lower numbers
     * @param coordinates  coordinates of this rank's points, {@code dimensions} each
     * @param dimensions   coordinates of a point
     * @param parts        number of parts
     * @return the parts of this rank's points
     */
    static int[] run(Communicator communicator, double[] coordinates, int dimensions, int parts) {
        HomeBisection bisection = new HomeBisection(communicator, coordinates, dimensions);
        List<Piece> pieces =
                List.of(new Piece(IntStream.range(0, bisection.partOf.length).toArray(), 0, parts));
        while (!pieces.isEmpty()) {
            pieces = bisection.cut(pieces.stream().filter(bisection::isToBeCut).toList());
        }
        return bisection.partOf;
    }

    private boolean isToBeCut(Piece piece) {
        for (int point : piece.parts() == 1 ? piece.points() : new int[0]) {
            partOf[point] = piece.firstPart();
        }
        return piece.parts() > 1;
    }

    /** Cuts pieces in two. */
    private List<Piece> cut(List<Piece> pieces) {
        if (pieces.isEmpty()) {
            return pieces;
        }
        int[] axes = longestAxes(pieces);
        long[] counts = pieces.stream().mapToLong(piece -> piece.points().length).toArray();
        communicator.allReduce(Reduction.SUM, counts);
        long[] middles = new long[counts.length];
        long[][] keys = new long[counts.length][];
        for (int i = 0; i < counts.length; i++) {
            Piece piece = pieces.get(i);
            int lower = piece.parts() / 2;
            middles[i] = Math.round(counts[i] * (double) lower / piece.parts());
            int axis = axes[i];
            keys[i] = Arrays.stream(piece.points()).mapToLong(point -> key(point, axis)).sorted().toArray();
        }
        Cuts cuts = find(keys, middles);
        int ranks = communicator.size();
        long[] equals = new long[counts.length * ranks];
        for (int i = 0; i < counts.length; i++) {
            equals[i * ranks + communicator.rank()] =
                    (long) upTo(keys[i], cuts.keys()[i]) - before(keys[i], cuts.keys()[i]);
        }
        communicator.allReduce(Reduction.SUM, equals);
        List<Piece> halves = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            // Of points at the same place those with lower numbers lie below.
            long room = middles[i] - cuts.below()[i];
            for (int rank = 0; rank < communicator.rank(); rank++) {
                room -= equals[i * ranks + rank];
            }
            halve(pieces.get(i), axes[i], cuts.keys()[i], middles[i] == 0 ? 0 : room, halves);
        }
        return halves;
    }

    private void halve(Piece piece, int axis, long cut, long room, List<Piece> halves) {
        int[] lower = new int[piece.points().length];
        int[] upper = new int[piece.points().length];
        int low = 0;
        int high = 0;
        long left = room;
        for (int point : piece.points()) {
            long key = key(point, axis);
            if (key < cut || (key == cut && left-- > 0)) {
                lower[low++] = point;
            } else {
                upper[high++] = point;
            }
        }
        int parts = piece.parts() / 2;
        halves.add(new Piece(Arrays.copyOf(lower, low), piece.firstPart(), parts));
        halves.add(new Piece(Arrays.copyOf(upper, high), piece.firstPart() + parts, piece.parts() - parts));
    }

    /** Finds the least key up to which a piece has as many points as wanted. */
    private Cuts find(long[][] keys, long... middles) {
        int count = keys.length;
        long[] low = new long[count];
        long[] high = new long[count];
        Arrays.fill(low, Long.MIN_VALUE);
        Arrays.fill(high, Long.MAX_VALUE);
        boolean open = true;
        while (open) {
            long[] upTo = new long[count];
            for (int i = 0; i < count; i++) {
                upTo[i] = upTo(keys[i], between(low[i], high[i]));
            }
            communicator.allReduce(Reduction.SUM, upTo);
            open = false;
            for (int i = 0; i < count; i++) {
                long middle = between(low[i], high[i]);
                if (upTo[i] >= middles[i]) {
                    high[i] = middle;
                } else {
                    low[i] = middle + 1;
                }
                open |= low[i] < high[i];
            }
        }
        long[] below = new long[count];
        for (int i = 0; i < count; i++) {
            below[i] = before(keys[i], high[i]);
        }
        communicator.allReduce(Reduction.SUM, below);
        return new Cuts(below, high);
    }

    /** The middle of two numbers whose difference may be too large for a number, rounded down. */
    private static long between(long low, long high) {
        return (low & high) + ((low ^ high) >> 1);
    }

    private static int upTo(long[] sorted, long key) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] <= key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int before(long[] sorted, long key) {
        return key == Long.MIN_VALUE ? 0 : upTo(sorted, key - 1);
    }

    /** Numbers in the order of coordinates; both zeros are one. */
    private long key(int point, int axis) {
        long bits = Double.doubleToRawLongBits(coordinates[point * dimensions + axis] + 0.0);
        return bits < 0 ? ~bits ^ Long.MIN_VALUE : bits;
    }

    private int[] longestAxes(List<Piece> pieces) {
        double[] ends = new double[2 * dimensions * pieces.size()];
        Arrays.fill(ends, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < pieces.size(); i++) {
            for (int point : pieces.get(i).points()) {
                for (int d = 0; d < dimensions; d++) {
                    int at = 2 * (i * dimensions + d);
                    double x = coordinates[point * dimensions + d];
                    ends[at] = Math.max(ends[at], x);
                    ends[at + 1] = Math.max(ends[at + 1], -x);
                }
            }
        }
        communicator.allReduce(Reduction.MAX, ends);
        int[] axes = new int[pieces.size()];
        for (int i = 0; i < axes.length; i++) {
            double greatest = -1;
            for (int d = 0; d < dimensions; d++) {
                double extent = ends[2 * (i * dimensions + d)] + ends[2 * (i * dimensions + d) + 1];
                if (extent > greatest) {
                    greatest = extent;
                    axes[i] = d;
                }
            }
        }
        return axes;
    }
}
