package org.trellis.bench.direct;

import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.FillReduction;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SymmetricAnalysis;
import org.trellis.solve.direct.SymmetricSolver;
import org.trellis.sparse.CsrMatrix;

/** The Cholesky factors of Trellis. */
final class TrellisCholesky implements DirectFactors {
    static final String NAME = "trellis cholesky";

    private CsrMatrix matrix;
    private SymmetricAnalysis analysis;
    private SparseCholesky cholesky;
    private SymmetricSolver solver;

    TrellisCholesky(CsrMatrix matrix) {
        this.matrix = matrix;
    }

    /** Says whether a symmetric matrix is positive definite, by factorising it. */
    static boolean suits(CsrMatrix matrix) {
        double[] diagonal = matrix.diagonal().toDoubleArray();
        for (double element : diagonal) {
            if (!(element > 0)) {
                return false;
            }
        }
        try {
            return SparseCholesky.of(matrix).size() == matrix.rows();
        } catch (FactorisationException e) {
            return false;
        }
    }

    @Override
    public String solver() {
        return NAME;
    }

    @Override
    public void analyse() {
        analysis = SymmetricAnalysis.of(matrix, FillReduction.AUTOMATIC, FactorLimits.ofHeap());
    }

    @Override
    public void factorise() {
        cholesky = analysis.cholesky(matrix);
        solver = cholesky.solver();
    }

    @Override
    public void take(CsrMatrix values) {
        matrix = values;
    }

    @Override
    public boolean refactorise() {
        cholesky.refactorise(matrix);
        return true;
    }

    @Override
    public void solve(double[] x) {
        solver.solve(x);
    }

    @Override
    public void solve(double[] x, int count) {
        solver.solve(x, count);
    }

    @Override
    public double refinedBackwardError(CsrMatrix given, double[] b) {
        return solver.refine(given, b, new double[b.length]).backwardError();
    }

    @Override
    public Size size() {
        return new Size("automatic", "none", cholesky.entries(), cholesky.operations());
    }

    @Override
    public void close() {}
}
