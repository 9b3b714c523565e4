package org.trellis.solve.direct;

/** Takes other values into supernodes. */
final class LuTreeRenewal implements LuRenewal {
    private final LuAnalysis analysis;
    private final LuTreeKernel kernel;
    private final LuAbove above;
    private final double[] rowScale;
    private final double[] pivots;

    LuTreeRenewal(LuAnalysis analysis, LuTreeKernel kernel, LuAbove above, double[] rowScale, double[] pivots) {
        this.analysis = analysis;
        this.kernel = kernel;
        this.above = above;
        this.rowScale = rowScale;
        this.pivots = pivots;
    }

    @Override
    public double run(double[] values) {
        RowScale.compute(analysis.matrix(), values, analysis.columnScale(), rowScale);
        double growth = kernel.runAgain(values, rowScale,
                new FactorMeter("LU refactorisation", analysis.options().limits()));
        kernel.pivots(pivots);
        above.take(values, rowScale);
        return growth;
    }

    @Override
    public double weakestShare() {
        return kernel.weakestShare();
    }

    @Override
    public int weakestStep() {
        return kernel.weakestStep();
    }
}
