package org.trellis.bench.direct;

import java.util.List;
import java.util.Locale;
import org.trellis.solve.direct.LuAnalysis;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.LuSolver;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;

/** The factors of Trellis. */
final class TrellisFactors implements DirectFactors {
    static final String NAME = "trellis lu";

    private CsrMatrix matrix;
    private final LuOptions options;
    private LuAnalysis analysis;
    private SparseLu lu;
    private LuSolver solver;

    TrellisFactors(CsrMatrix matrix, LuOptions options) {
        this.matrix = matrix;
        this.options = options;
    }

    @Override
    public String solver() {
        return NAME;
    }

    @Override
    public void analyse() {
        analysis = LuAnalysis.of(matrix, options);
    }

    @Override
    public void factorise() {
        lu = analysis.factorise(matrix);
        solver = null;
    }

    @Override
    public void take(CsrMatrix values) {
        matrix = values;
    }

    @Override
    public boolean refactorise() {
        lu.refactorise(matrix);
        return true;
    }

    @Override
    public void solve(double[] x) {
        if (solver == null) {
            solver = lu.solver();
        }
        solver.solve(x);
    }

    @Override
    public void solve(double[] x, int count) {
        if (solver == null) {
            solver = lu.solver();
        }
        solver.solve(x, count);
    }

    @Override
    public double refinedBackwardError(CsrMatrix given, double[] b) {
        return refinedBackwardError(given, b, new double[b.length]);
    }

    @Override
    public Size size() {
        return new Size(word(lu.analysis().order()), word(lu.analysis().matching()), lu.entries(), lu.operations());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    double reciprocalCondition() {
        return lu.reciprocalCondition(matrix);
    }

    double refinedBackwardError(double[] b, double[] x) {
        return refinedBackwardError(matrix, b, x);
    }

    private double refinedBackwardError(CsrMatrix given, double[] b, double[] x) {
        return lu.solver().refine(given, b, x).backwardError();
    }

    SparseLu lu() {
        return lu;
    }

    List<String> remarks() {
        return lu.analysis().remarks();
    }

    @Override
    public void close() {}
}
