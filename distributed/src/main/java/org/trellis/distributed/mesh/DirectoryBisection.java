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
 * level are cut together; where is found by counting on all ranks, a byte of the numbers at a time, which takes eight
 * reductions and one pass over the points and the few that are left after each byte.
 */
final class DirectoryBisection {
    private final Communicator communicator;
    private final double[] coordinates;
    private final int dimensions;
    private final int[] partOf;

    /** Points of this rank that are to become some parts, by number. */
    private record Piece(int[] points, int firstPart, int parts) {}

    /**
     * Where a piece is cut.
     *
     * @param key   the key there, in the order of numbers
     * @param room  how many points of this rank with that key lie below the cut, in the order of points; may be more
     *              than it has, or less than none
     */
    private record Cut(long key, long room) {}

    private DirectoryBisection(Communicator communicator, double[] coordinates, int dimensions) {
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
        DirectoryBisection bisection = new DirectoryBisection(communicator, coordinates, dimensions);
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
        Selection[] selections = new Selection[counts.length];
        for (int i = 0; i < counts.length; i++) {
            Piece piece = pieces.get(i);
            int axis = axes[i];
            long[] keys = new long[piece.points().length];
            Arrays.setAll(keys, at -> key(piece.points()[at], axis));
            int lower = piece.parts() / 2;
            selections[i] = new Selection(keys, Math.round(counts[i] * (double) lower / piece.parts()));
        }
        List<Piece> halves = new ArrayList<>();
        Cut[] cuts = find(selections);
        for (int i = 0; i < counts.length; i++) {
            halve(pieces.get(i), axes[i], cuts[i], halves);
        }
        return halves;
    }

    private void halve(Piece piece, int axis, Cut cut, List<Piece> halves) {
        int[] lower = new int[piece.points().length];
        int[] upper = new int[piece.points().length];
        int low = 0;
        int high = 0;
        long left = cut.room();
        for (int point : piece.points()) {
            long key = key(point, axis);
            if (key < cut.key() || (key == cut.key() && left-- > 0)) {
                lower[low++] = point;
            } else {
                upper[high++] = point;
            }
        }
        int parts = piece.parts() / 2;
        halves.add(new Piece(Arrays.copyOf(lower, low), piece.firstPart(), parts));
        halves.add(new Piece(Arrays.copyOf(upper, high), piece.firstPart() + parts, piece.parts() - parts));
    }

    /** Finds the least key up to which a piece has as many points as requested, on all ranks; called by all. */
    private Cut[] find(Selection... selections) {
        for (int digit = 0; digit < Long.BYTES; digit++) {
            long[] counts = new long[selections.length * Selection.VALUES];
            for (int i = 0; i < selections.length; i++) {
                selections[i].count(digit, counts, i * Selection.VALUES);
            }
            communicator.allReduce(Reduction.SUM, counts);
            for (int i = 0; i < selections.length; i++) {
                selections[i].choose(digit, counts, i * Selection.VALUES);
            }
        }
        int ranks = communicator.size();
        long[] equals = new long[selections.length * ranks];
        for (int i = 0; i < selections.length; i++) {
            equals[i * ranks + communicator.rank()] = selections[i].left;
        }
        communicator.allReduce(Reduction.SUM, equals);
        Cut[] cuts = new Cut[selections.length];
        for (int i = 0; i < selections.length; i++) {
            // Of points at the same place those with lower numbers lie below, which lower ranks have.
            long room = selections[i].wanted;
            for (int rank = 0; rank < communicator.rank(); rank++) {
                room -= equals[i * ranks + rank];
            }
            cuts[i] = selections[i].none ? new Cut(Long.MIN_VALUE, 0) : new Cut(selections[i].key(), room);
        }
        return cuts;
    }

    /** The search for the key of a rank among keys that are spread over ranks, from its most significant byte on. */
    private static final class Selection {
        private static final int VALUES = 1 << Byte.SIZE;

        /** Those that begin as the one that is looked for, as far as that is known; with the sign turned. */
        private final long[] keys;
        private int left;
        /** How many of those that are left on all ranks lie below the cut. */
        private long wanted;
        private final boolean none;
        private long found;

        Selection(long[] keys, long wanted) {
            this.keys = keys;
            this.left = keys.length;
            this.wanted = wanted;
            this.none = wanted == 0;
            for (int i = 0; i < left; i++) {
                keys[i] ^= Long.MIN_VALUE;
            }
        }

        private static int shift(int digit) {
            return Long.SIZE - Byte.SIZE * (digit + 1);
        }

        void count(int digit, long[] counts, int from) {
            int shift = shift(digit);
            for (int i = 0; i < left; i++) {
                counts[from + (int) (keys[i] >>> shift & VALUES - 1)]++;
            }
        }

        /** Keeps the keys whose digit is that of the one that is looked for, by the counts of all ranks. */
        void choose(int digit, long[] counts, int from) {
            int value = 0;
            while (value < VALUES - 1 && wanted > counts[from + value]) {
                wanted -= counts[from + value++];
            }
            int shift = shift(digit);
            found |= (long) value << shift;
            int kept = 0;
            for (int i = 0; i < left; i++) {
                if ((keys[i] >>> shift & VALUES - 1) == value) {
                    keys[kept++] = keys[i];
                }
            }
            left = kept;
        }

        long key() {
            return found ^ Long.MIN_VALUE;
        }
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
