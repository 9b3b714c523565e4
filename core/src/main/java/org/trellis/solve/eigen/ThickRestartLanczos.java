package org.trellis.solve.eigen;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.trellis.mesh.Dat;

/**
 * Eigenvalues at an end of the spectrum of a symmetric operator by the Lanczos method with full re-orthogonalisation
 * and thick restarts (K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J.
 * Matrix Anal. Appl. 22, 2000).
 */
final class ThickRestartLanczos extends RestartedKrylov {
    private final Which which;
    private double[] values = {};

    /**
     * Prepares a search.
     *
     * @param checked  whether an operator that shows not to be symmetric is refused
     * @param inner    the inner product
     * @param deflated vectors that nothing is looked for in, orthonormal
     * @param which    which eigenvalues of the operator
     * @param search   what else is looked for
     */
    ThickRestartLanczos(VectorSet vectors, CountedProduct operator, boolean checked, KrylovDecomposition.Inner inner,
            Dat[] deflated, Which which, Search search) {
        super(new KrylovDecomposition(vectors, operator, true, checked, inner, deflated, search.dimension(),
                most(search)), operator, vectors.roundoff(), search);
        this.which = which;
    }

    @Override
    double[][] decompose(double[][] projected) {
        SymmetricEigen small = new SymmetricEigen(projected);
        int filled = projected.length;
        int[] order = IntStream.range(0, filled).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> -which.rank(small.value(k))))
                .mapToInt(Integer::intValue).toArray();
        values = IntStream.of(order).mapToDouble(small::value).toArray();
        double[][] q = new double[filled][filled];
        for (int i = 0; i < filled; i++) {
            for (int k = 0; k < filled; k++) {
                q[i][k] = small.vector(i, order[k]);
            }
        }
        return q;
    }

    @Override
    double rank(int k) {
        return which.rank(values[k]);
    }

    @Override
    double magnitude(int k) {
        return Math.abs(values[k]);
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

    @Override
    Which beside() {
        return which;
    }
}
