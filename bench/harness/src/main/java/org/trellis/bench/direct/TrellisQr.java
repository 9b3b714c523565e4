package org.trellis.bench.direct;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.solve.direct.MinimumNorm;
import org.trellis.solve.direct.QrAnalysis;
import org.trellis.solve.direct.QrSolver;
import org.trellis.solve.direct.SparseQr;
import org.trellis.sparse.CsrMatrix;

/** The QR factors of Trellis. */
final class TrellisQr implements DirectFactors {
    private CsrMatrix matrix;
    private final QrSolve.Settings settings;
    private final boolean leastNorm;
    private QrAnalysis analysis;
    private SparseQr qr;
    private QrSolver solver;
    private MinimumNorm minimum;

    TrellisQr(CsrMatrix matrix, QrSolve.Settings settings) {
        this.matrix = matrix;
        this.settings = settings;
        leastNorm = settings.leastNorm(matrix);
    }

    @Override
    public String solver() {
        return leastNorm ? "trellis qr, least norm" : "trellis qr";
    }

    /** For the least norm, two factorisations have their analyses; both count as factorisation. */
    @Override
    public void analyse() {
        analysis = leastNorm ? null : QrAnalysis.of(matrix, settings.options());
    }

    @Override
    public void factorise() {
        if (leastNorm) {
            minimum = MinimumNorm.of(matrix, settings.options());
            qr = minimum.factors();
        } else {
            qr = analysis.factorise(matrix);
            solver = qr.solver();
        }
    }

    @Override
    public void take(CsrMatrix values) {
        matrix = values;
    }

    @Override
    public boolean refactorise() {
        if (leastNorm) {
            return false;
        }
        qr.refactorise(matrix);
        return true;
    }

    @Override
    public void solve(double[] x) {
        double[] b = Arrays.copyOf(x, matrix.rows());
        double[] solution = new double[matrix.columns()];
        if (leastNorm) {
            minimum.solve(b, solution);
        } else {
            solver.solve(b, solution);
        }
        System.arraycopy(solution, 0, x, 0, solution.length);
    }

    @Override
    public Size size() {
        return new Size(qr.analysis().order().name().toLowerCase(Locale.ROOT).replace('_', '-'), "none",
                leastNorm ? minimum.nonZeros() : qr.nonZeros(), qr.operations());
    }

    SparseQr factors() {
        return qr;
    }

    List<String> remarks() {
        return qr.analysis().remarks();
    }

    @Override
    public void close() {}
}
