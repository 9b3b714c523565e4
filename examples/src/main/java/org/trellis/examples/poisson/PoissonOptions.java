package org.trellis.examples.poisson;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.NamedPreconditioners;
import picocli.CommandLine.Option;

/** The options that say how the problem is solved. */
final class PoissonOptions {
    private static final double DOUBLE_TOLERANCE = 1e-8;
    /** What single precision reaches on meshes of some ten thousand nodes. */
    private static final double SINGLE_TOLERANCE = 1e-5;
    private static final int MOST_ITERATIONS = 20_000;
    private static final int PRECONDITIONER_DEGREE = 6;
    private static final int SMOOTHER_DEGREE = 2;
    /** Half of the eigenvalues in the plane are those that coarser levels cannot represent. */
    private static final double SMOOTHER_RATIO = 5;
    private static final int MOST_DEGREE = 100;

    @Option(names = "--solver", paramLabel = "S", split = ",", description = {
        "matrix-free: conjugate gradients, operator and preconditioner by loops;",
        "assembled: with a matrix that loops assemble; multigrid: cycles over the refined meshes, by loops.",
        "Several after commas. Default: all three, which are compared."})
    private List<String> solvers = new ArrayList<>(List.of("matrix-free", "assembled", "multigrid"));

    @Option(names = "--preconditioner", paramLabel = "P", description = {
        "Of the one solver: none, jacobi, chebyshev without a matrix (default: chebyshev); with one any that",
        "trellis solve has, such as ic0 and amg (default: amg)."})
    private String preconditioner;

    @Option(names = "--contrast", paramLabel = "C", split = ",", description = {
        "The coefficient at the right end over that at the left end, where it is 1. Several after commas are",
        "solved one after the other: the loops compute new values, structures stay. Default: 1."})
    private List<Double> contrasts = new ArrayList<>(List.of(1.0));

    @Option(names = "--smoother", paramLabel = "S", defaultValue = "chebyshev",
            description = "Of multigrid: jacobi or chebyshev. Default: chebyshev.")
    private String smoother;

    @Option(names = "--degree", paramLabel = "N", description = {
        "Of the smoother's polynomial, or sweeps of Jacobi's method (default: " + SMOOTHER_DEGREE
                + "); of the matrix-free",
        "preconditioner chebyshev (default: " + PRECONDITIONER_DEGREE + ")."})
    private Integer degree;

    @Option(names = "--cycle", paramLabel = "C", defaultValue = "v", description = "v, w, f or k. Default: v.")
    private String cycle;

    @Option(names = "--sweeps", paramLabel = "N", defaultValue = "1",
            description = "Of the smoother before and after a coarser level. Default: 1.")
    private int sweeps;

    @Option(names = "--alone", description = "Multigrid by itself, not as a preconditioner of conjugate gradients.")
    private boolean alone;

    @Option(names = "--tolerance", paramLabel = "T",
            description = "Of the residual as a share of the right-hand side. Default: 1e-8, 1e-5 in f32.")
    private Double tolerance;

    @Option(names = "--max-iterations", paramLabel = "N", description = "The most. Default: " + MOST_ITERATIONS + ".")
    private int iterations = MOST_ITERATIONS;

    /** Checks everything and puts it together; throws {@link IllegalArgumentException} with what was expected. */
    PoissonSolver.Settings settings(Precision precision, boolean timed) {
        List<PoissonVariants.Kind> kinds = solvers.stream().map(PoissonVariants.Kind::of).distinct().toList();
        checkPreconditioner(kinds);
        for (double contrast : contrasts) {
            if (!(contrast > 0) || contrast == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("--contrast is " + contrast + ", expected a number of more than 0");
            }
        }
        Checks.positive("--sweeps", sweeps);
        Checks.positive("--max-iterations", iterations);
        if (degree != null && (degree < 1 || degree > MOST_DEGREE)) {
            throw new IllegalArgumentException("--degree is " + degree + ", expected 1 to " + MOST_DEGREE);
        }
        if (tolerance != null && !(tolerance > 0 && tolerance < 1)) {
            throw new IllegalArgumentException("--tolerance is " + tolerance + ", expected a number between 0 and 1");
        }
        double wanted =
                tolerance != null ? tolerance : precision == Precision.F64 ? DOUBLE_TOLERANCE : SINGLE_TOLERANCE;
        Smoothing smoothing = new Smoothing(Smoothing.Kind.of(smoother), degree == null ? SMOOTHER_DEGREE : degree,
                SMOOTHER_RATIO);
        return new PoissonSolver.Settings(kinds, preconditioner, degree == null ? PRECONDITIONER_DEGREE : degree,
                new PoissonVariants.Geometric(smoothing, new CycleOptions(CycleShape.of(cycle), sweeps, sweeps, true),
                        alone),
                List.copyOf(contrasts), StoppingCriteria.relative(wanted, iterations), precision, timed);
    }

    private void checkPreconditioner(List<PoissonVariants.Kind> kinds) {
        if (preconditioner == null) {
            return;
        }
        if (kinds.size() != 1 || kinds.getFirst() == PoissonVariants.Kind.MULTIGRID) {
            throw new IllegalArgumentException("--preconditioner " + preconditioner + " with --solver "
                    + String.join(",", solvers) + ", expected it with matrix-free or assembled alone");
        }
        if (kinds.getFirst() == PoissonVariants.Kind.ASSEMBLED) {
            NamedPreconditioners.optionsOf(preconditioner);
        } else if (!List.of("none", "jacobi", "chebyshev").contains(preconditioner)) {
            throw new IllegalArgumentException("--preconditioner is '" + preconditioner
                    + "', expected none, jacobi or chebyshev with --solver matrix-free; assembled has more");
        }
    }
}
