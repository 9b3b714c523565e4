package org.trellis.solve.eigen;

import java.util.Comparator;
import java.util.stream.IntStream;

/** The search for singular values by {@link Bidiagonalisation}. */
final class GolubKahan extends RestartedKrylov {
    private final Bidiagonalisation bases;
    private final boolean largest;
    private double[] values = {};

    GolubKahan(Bidiagonalisation bases, CountedProduct operator, double roundoff, boolean largest, Search search) {
        super(bases, operator, roundoff, search);
        this.bases = bases;
        this.largest = largest;
    }

    @Override
    double[][] decompose(double[][] projected) {
        DenseSvd small = new DenseSvd(projected);
        int filled = projected.length;
        int[] order = IntStream.range(0, filled).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> largest ? -small.value(k) : small.value(k)))
                .mapToInt(Integer::intValue).toArray();
        values = IntStream.of(order).mapToDouble(small::value).toArray();
        double[][] left = new double[filled][filled];
        double[][] right = new double[filled][filled];
        for (int i = 0; i < filled; i++) {
            for (int k = 0; k < filled; k++) {
                left[i][k] = small.left(i, order[k]);
                right[i][k] = small.right(i, order[k]);
            }
        }
        bases.useLeft(left);
        return right;
    }

    @Override
    double rank(int k) {
        return largest ? values[k] : -values[k];
    }

    @Override
    double magnitude(int k) {
        return values[k];
    }

    @Override
    double residual(double[] coupling, int k) {
        return Math.abs(coupling[k]);
    }

    @Override
    int whole(int count) {
        return count;
    }

    @Override
    double[][] quotient(int count) {
        double[][] diagonal = new double[count][count];
        for (int k = 0; k < count; k++) {
            diagonal[k][k] = values[k];
        }
        return diagonal;
    }

    /** The steps are those of {@code AᵀA}, whose eigenvalues are squares. */
    @Override
    Which beside() {
        return largest ? Which.LARGEST : Which.SMALLEST;
    }

    @Override
    double rankBeside(double rank) {
        double value = Math.max(0, largest ? rank : -rank);
        return largest ? value * value : -value * value;
    }

    @Override
    double residualBeside(double residual, int k) {
        return residual * values[k];
    }
}
