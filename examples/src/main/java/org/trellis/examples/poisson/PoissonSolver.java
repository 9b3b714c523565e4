package org.trellis.examples.poisson;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.mesh.Mesh;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;

/** Solves the problem on one hierarchy of meshes, in each of several variants and with each of several coefficients. */
final class PoissonSolver implements AutoCloseable {
    private final Settings settings;
    private final int refinements;
    private final Mesh mesh;
    private final PoissonProblem problem;
    private final List<PoissonVariant> variants = new ArrayList<>();

    /**
     * What is to be done.
     *
     * @param kinds          the variants, in order
     * @param preconditioner of the matrix-free or assembled variant, or null for the usual ones
     * @param degree         of a polynomial that preconditions alone
     * @param geometric      what multigrid on meshes does
     * @param contrasts      of the coefficients, one solution each
     * @param criteria       when to stop
     * @param precision      of all data
     * @param timed          whether levels are timed
     */
    record Settings(List<PoissonVariants.Kind> kinds, String preconditioner, int degree,
            PoissonVariants.Geometric geometric,
            List<Double> contrasts, StoppingCriteria criteria, Precision precision, boolean timed) {}

    /**
     * Declares the problem and the variants of solving it.
     *
     * @param mesh     an empty mesh, closed with this, and before the constructor ends with an exception
     * @param meshes   the triangles
     * @param settings what is to be done
     */
    PoissonSolver(Mesh mesh, PoissonProblem.Meshes meshes, Settings settings) {
        this.settings = settings;
        this.refinements = meshes.planes().size() - 1;
        this.mesh = mesh;
        try {
            boolean hierarchy = settings.kinds().contains(PoissonVariants.Kind.MULTIGRID);
            problem = new PoissonProblem(mesh, meshes, hierarchy, settings.precision());
            for (PoissonVariants.Kind kind : settings.kinds()) {
                variants.add(variant(kind));
            }
        } catch (RuntimeException | Error e) {
            mesh.close();
            throw e;
        }
    }

    private PoissonVariant variant(PoissonVariants.Kind kind) {
        String preconditioner = settings.preconditioner();
        return switch (kind) {
            case MATRIX_FREE ->
                PoissonVariants.matrixFree(problem, preconditioner == null ? "chebyshev" : preconditioner,
                        settings.degree());
            case ASSEMBLED -> PoissonVariants.assembled(problem, preconditioner == null ? "amg" : preconditioner);
            case MULTIGRID -> PoissonVariants.multigrid(problem, settings.geometric());
        };
    }

    /**
     * Solves.
     *
     * @param progress receives iterations
     * @param done     receives each solution as soon as it is there
     */
    void solve(ProgressListener progress, Consumer<PoissonRun> done) {
        PoissonRun.Size size = PoissonRun.Size.of(problem.finestPlane(), refinements);
        for (double contrast : settings.contrasts()) {
            problem.contrast(contrast);
            double[] first = null;
            for (PoissonVariant variant : variants) {
                progress.progress(variant.name() + ": set-up", 0, 1);
                long start = System.nanoTime();
                variant.prepare();
                double setup = (System.nanoTime() - start) * 1e-9;
                List<Double> seconds = new ArrayList<>();
                SolveReport report = solve(variant, seconds, progress);
                PoissonProblem.Errors errors = problem.complete();
                double[] solution = problem.solution().toArray();
                first = first == null ? solution : first;
                done.accept(new PoissonRun(size, contrast, variant.name(), setup, report, seconds, errors,
                        apart(solution, first), settings.timed() ? variant.levels() : List.of()));
            }
        }
    }

    private SolveReport solve(PoissonVariant variant, List<Double> seconds, ProgressListener progress) {
        problem.solution().fill(0);
        int most = settings.criteria().maximumIterations();
        long start = System.nanoTime();
        IterationObserver observer = (iteration, norm) -> {
            seconds.add((System.nanoTime() - start) * 1e-9);
            progress.progress(variant.name(), Math.min(iteration, most), most);
        };
        return variant.solver().solve(problem.rightHandSide().vector(), problem.solution().vector(),
                settings.criteria(),
                observer);
    }

    private static double apart(double[] x, double[] y) {
        double most = 0;
        double size = 0;
        for (int i = 0; i < x.length; i++) {
            most = Math.max(most, Math.abs(x[i] - y[i]));
            size = Math.max(size, Math.abs(y[i]));
        }
        return size == 0 ? most : most / size;
    }

    PoissonProblem problem() {
        return problem;
    }

    @Override
    public void close() {
        variants.reversed().forEach(PoissonVariant::close);
        mesh.close();
    }
}
