package org.trellis.examples.poisson;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.assembled.AssembledSystem;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.solve.multigrid.OperatorLevel;
import org.trellis.solve.multigrid.OperatorMultigrid;
import org.trellis.solve.smooth.LoopSmoother;
import org.trellis.solve.smooth.Smoother;

/** The variants of solving the problem. */
final class PoissonVariants {
    private PoissonVariants() {}

    /** Which variant. */
    enum Kind {
        /** The operator and a polynomial preconditioner by loops. */
        MATRIX_FREE,
        /** The matrix assembled by loops, with any preconditioner there is. */
        ASSEMBLED,
        /** Cycles over refined meshes, all of it by loops but the coarsest level. */
        MULTIGRID;

        /** Returns the name in options and reports. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Finds one by its name. */
        static Kind of(String label) {
            return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "solver is '" + label + "', expected matrix-free, assembled or multigrid"));
        }
    }

    /** A variant whose solver is replaced when coefficients change. */
    private abstract static class Prepared implements PoissonVariant {
        private final String name;
        private LinearSolver solver;

        Prepared(String name) {
            this.name = name;
        }

        /** Makes the solver, after the one before was closed. */
        abstract LinearSolver make();

        /** Releases what the solver was made of. */
        abstract void release();

        @Override
        public String name() {
            return name;
        }

        @Override
        public void prepare() {
            closeSolver();
            solver = make();
        }

        @Override
        public LinearSolver solver() {
            return solver;
        }

        private void closeSolver() {
            if (solver != null) {
                solver.close();
                solver = null;
            }
        }

        @Override
        public void close() {
            closeSolver();
            release();
        }
    }

    /**
     * Conjugate gradients without a matrix.
     *
     * @param problem        its finest level is taken
     * @param preconditioner {@code none}, {@code jacobi} or {@code chebyshev}
     * @param degree         of the polynomial
     * @throws IllegalArgumentException if the preconditioner needs a matrix or is unknown
     */
    @SuppressWarnings("MustBeClosed") // closed with the variant
    static PoissonVariant matrixFree(PoissonProblem problem, String preconditioner, int degree) {
        PoissonLevel level = problem.finest();
        LoopSmoother smoother = switch (preconditioner) {
            case "none" -> null;
            case "jacobi" -> level.smoother(new Smoothing(Smoothing.Kind.JACOBI, 1, 2));
            case "chebyshev" -> level.smoother(new Smoothing(Smoothing.Kind.CHEBYSHEV, degree, CHEBYSHEV_RATIO));
            default -> throw new IllegalArgumentException("preconditioner is '" + preconditioner
                    + "', expected none, jacobi or chebyshev: without a matrix there are no others");
        };
        return new Prepared("matrix-free, " + preconditioner) {
            @Override
            LinearSolver make() {
                return new ConjugateGradient(level.operator(), smoother, level.mesh().solverBackend());
            }

            @Override
            void release() {
                // loops belong to the mesh
            }
        };
    }

    /** The ratio of the interval's ends for a polynomial that preconditions alone. */
    private static final double CHEBYSHEV_RATIO = 30;

    /**
     * Conjugate gradients with an assembled matrix. When coefficients change, the values of the product are refilled,
     * and those of algebraic multigrid refreshed.
     *
     * @param problem        its finest level is taken
     * @param preconditioner a name that {@link NamedPreconditioners} has
     * @throws IllegalArgumentException if the preconditioner is unknown
     */
    static PoissonVariant assembled(PoissonProblem problem, String preconditioner) {
        NamedPreconditioners.optionsOf(preconditioner);
        return new Assembled(problem, preconditioner);
    }

    private static final class Assembled extends Prepared {
        private final PoissonMatrix assembly;
        private final String preconditioner;
        private final Backend backend;
        private AssembledSystem system;
        private Preconditioner inverse;

        Assembled(PoissonProblem problem, String preconditioner) {
            super("assembled, " + preconditioner);
            this.assembly = new PoissonMatrix(problem.finest());
            this.preconditioner = preconditioner;
            this.backend = problem.finest().mesh().solverBackend();
        }

        @Override
        @SuppressWarnings("MustBeClosed") // closed with this
        LinearSolver make() {
            if (system == null) {
                system = assembly.system();
            } else {
                assembly.refill(system);
            }
            if (inverse == null || !system.refresh(inverse)) {
                closeInverse();
                inverse = system.preconditioner(preconditioner,
                        NamedPreconditioners.symmetricOptions(preconditioner)).orElse(null);
            }
            return new ConjugateGradient(system.operator(), inverse, backend);
        }

        private void closeInverse() {
            if (inverse != null) {
                inverse.close();
                inverse = null;
            }
        }

        @Override
        public List<LevelLine> levels() {
            return inverse == null
                    ? List.of()
                    : system.levels(inverse).map(report -> report.levels().stream().map(Assembled::line).toList())
                            .orElse(List.of());
        }

        private static LevelLine line(MultigridReport.Level level) {
            return new LevelLine(level.rows(), level.smoother(), level.seconds());
        }

        @Override
        void release() {
            closeInverse();
            if (system != null) {
                system.close();
                system = null;
            }
        }
    }

    /**
     * What geometric multigrid does.
     *
     * @param smoothing the smoother of all levels but the coarsest
     * @param cycle     shape and sweeps of a cycle
     * @param alone     whether cycles are the method, or precondition conjugate gradients
     */
    record Geometric(Smoothing smoothing, CycleOptions cycle, boolean alone) {
        String inWords() {
            return smoothing.kind().label() + ", " + cycle + (alone ? ", alone" : "");
        }
    }

    /**
     * Multigrid over the refined meshes.
     *
     * @param problem  a hierarchy
     * @param settings smoother and cycle
     */
    static PoissonVariant multigrid(PoissonProblem problem, Geometric settings) {
        return new OnMeshes(problem, settings);
    }

    private static final class OnMeshes extends Prepared {
        private final PoissonProblem problem;
        private final Geometric settings;
        private final Backend backend;
        private final List<OperatorLevel> levels = new ArrayList<>();
        private final PoissonMatrix coarsest;
        private AssembledSystem system;
        private Smoother lowest;
        private OperatorMultigrid multigrid;

        OnMeshes(PoissonProblem problem, Geometric settings) {
            super("multigrid, " + settings.inWords());
            this.problem = problem;
            this.settings = settings;
            this.backend = problem.finest().mesh().solverBackend();
            for (int l = 0; l < problem.transfers().size(); l++) {
                PoissonLevel level = problem.levels().get(l);
                Transfer transfer = problem.transfers().get(l);
                levels.add(new OperatorLevel(level.operator(), transfer.prolongation(), transfer.restriction(),
                        level.smoother(settings.smoothing()), true));
            }
            coarsest = new PoissonMatrix(problem.levels().getLast());
        }

        @Override
        @SuppressWarnings("MustBeClosed") // released with this
        LinearSolver make() {
            release();
            system = coarsest.system();
            lowest = system.inverse();
            multigrid = OperatorMultigrid.of(levels, lowest, settings.cycle(), backend);
            KrylovMethod method = settings.alone()
                    ? KrylovMethod.RICHARDSON
                    : multigrid.symmetric() ? KrylovMethod.CG : KrylovMethod.FCG;
            return method.prepare(problem.finest().operator(), multigrid, backend, Map.of());
        }

        @Override
        public List<LevelLine> levels() {
            List<LevelLine> lines = new ArrayList<>();
            double[] seconds = multigrid.secondsOfLevels();
            for (int l = 0; l < seconds.length; l++) {
                lines.add(new LevelLine(multigrid.rowsOfLevels().get(l), multigrid.smoothersOfLevels().get(l),
                        seconds[l]));
            }
            return lines;
        }

        @Override
        void release() {
            if (multigrid != null) {
                multigrid.close();
                lowest.close();
                system.close();
                multigrid = null;
            }
        }
    }
}
