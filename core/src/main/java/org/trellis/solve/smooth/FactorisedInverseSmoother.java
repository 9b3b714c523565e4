package org.trellis.solve.smooth;

import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SpmvOperator;

/**
 * The factorised sparse approximate inverse {@code Gᵀ G} of a symmetric positive definite matrix, G lower triangular
 * with entries where the matrix has (L. Kolotilina, A. Yeremin, SIAM J. Matrix Anal. Appl. 14(1), 1993): each row of G
 * solves a small dense system, all rows at once; an application is two products.
 */
final class FactorisedInverseSmoother extends StepSmoother {
    private SpmvOperator factor;
    private SpmvOperator transpose;

    FactorisedInverseSmoother(SmootherContext input, int sweeps) {
        super(input, sweeps);
        orClose(() -> {
            CsrMatrix g = factor(input);
            factor = product(g);
            transpose = product(g.transpose());
        });
    }

    private static CsrMatrix factor(SmootherContext input) {
        input.requireSymmetric();
        CsrMatrix matrix = input.matrix();
        CsrMatrix lower = matrix.lowerTriangle(0);
        for (int row = 0; row < lower.rows(); row++) {
            CsrSegment segment = lower.segmentOf(row);
            int end = segment.rowEnd(row);
            if (end == segment.rowStart(row) || segment.columnIndices()[end - 1] != row) {
                throw broken(input, row, 0);
            }
        }
        return CsrFill.fill(lower.columns(), lower.precision(), lower.rowLengths(),
                () -> (row, columns, values, at) -> fill(input, lower.segmentOf(row), row, columns, values, at));
    }

    private static void fill(SmootherContext input, CsrSegment lower, int row, int[] columns, HostVector values, int at) {
        int from = lower.rowStart(row);
        int size = lower.rowEnd(row) - from;
        double[][] l = new double[size][];
        for (int i = 0; i < size; i++) {
            columns[at + i] = lower.columnIndices()[from + i];
            l[i] = new double[i + 1];
            for (int j = 0; j <= i; j++) {
                l[i][j] = input.matrix().get(columns[at + i], columns[at + j]);
            }
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = l[i][j];
                for (int k = 0; k < j; k++) {
                    sum -= l[i][k] * l[j][k];
                }
                if (i == j && (!(sum > 0) || !Double.isFinite(1 / sum))) {
                    throw broken(input, row, sum);
                }
                l[i][j] = i == j ? Math.sqrt(sum) : sum / l[j][j];
            }
        }
        // With A = L Lᵀ, the last column of the inverse divided by the root of its last element is the row.
        double[] g = new double[size];
        for (int i = size - 1; i >= 0; i--) {
            double sum = i == size - 1 ? 1 : 0;
            for (int k = i + 1; k < size; k++) {
                sum -= l[k][i] * g[k];
            }
            g[i] = sum / l[i][i];
            values.set(at + i, g[i]);
        }
    }

    private static FactorisationException broken(SmootherContext input, int row, double pivot) {
        return new FactorisationException(input.name() + " of " + input.matrix() + ": the small system of row " + row
                + " has the pivot " + pivot + ", expected a positive number, as every positive definite matrix gives;"
                + " ilu0 and spai0 take others", row, pivot);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        steps.add(factor.bind(1, r, 0, correction()));
        steps.add(transpose.bind(1, correction(), 0, z));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addResidual(b, x, steps);
        steps.add(factor.bind(1, residual(), 0, correction()));
        steps.add(transpose.bind(1, correction(), 1, x));
    }

    /** Returns true: a product of a matrix and its transpose, and positive definite. */
    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    public String describe() {
        return "fsai, sweeps=" + sweeps();
    }
}
