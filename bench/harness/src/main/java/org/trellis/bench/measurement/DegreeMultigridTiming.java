package org.trellis.bench.measurement;

import java.util.List;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;

/**
 * Times Poisson's equation from a mesh to a solution with multigrid over degrees, step by step: {@code trellis measure
 * degree-multigrid BACKEND SHAPE CELLS DEGREE STORAGE ROUNDS [PATHS]}. The load is 1, the tolerance 1e-8. With a number
 * of paths behind the rounds, so many paths through the code are printed after each, those in which the main thread was
 * met most often (and times are a little longer).
 */
final class DegreeMultigridTiming {
    private static final int DEPTH = 7;
    private static final int PATHS = 6;
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 200);

    private final Backend backend;
    private final PhaseSamples samples;
    private final StringBuilder line = new StringBuilder();
    private long last;
    private double all;

    private DegreeMultigridTiming(Backend backend, PhaseSamples samples) {
        this.backend = backend;
        this.samples = samples;
    }

    /**
     * Prints a line of JSON for each round.
     *
     * @param arguments backend, shape, cells a side, degree, storage, rounds, paths of each phase if they are requested
     */
    static void start(String... arguments) {
        int paths = arguments.length > PATHS ? Integer.parseInt(arguments[PATHS]) : 0;
        try (Backend backend = Backends.open(arguments[0], Configuration.load());
                PhaseSamples samples = paths > 0 ? new PhaseSamples(Thread.currentThread(), DEPTH) : null) {
            DegreeMultigridTiming timing = new DegreeMultigridTiming(backend, samples);
            for (int round = 0; round < Integer.parseInt(arguments[5]); round++) {
                timing.round(ElementShape.valueOf(arguments[1].toUpperCase(Locale.ROOT)),
                        Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), Storage.of(arguments[4]));
                if (samples != null) {
                    samples.print(paths);
                }
            }
        }
    }

    private void step(String name) {
        backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
        double seconds = 1e-9 * (System.nanoTime() - last);
        all += seconds;
        line.append(String.format(Locale.ROOT, "\"%s\": %.4f, ", name, seconds));
        last = System.nanoTime();
        begin("after " + name);
    }

    private void begin(String phase) {
        if (samples != null) {
            samples.phase(phase);
        }
    }

    private void round(ElementShape shape, int n, int degree, Storage storage) {
        line.setLength(0);
        all = 0;
        begin("mesh");
        last = System.nanoTime();
        CellMesh mesh = StructuredMeshes.unit(shape, n, x -> x);
        step("mesh");
        FunctionSpace space = FunctionSpace.of(mesh, degree);
        step("space");
        BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
        DegreeMultigrid.Problem problem =
                new DegreeMultigrid.Problem(form, s -> Constraints.onBoundary(s, x -> 0), List.of());
        Constraints constraints = problem.constraints().apply(space);
        step("constraints");
        FormOptions options = FormOptions.of(storage,
                storage == Storage.MATRIX_FREE_FACTORED || storage == Storage.MATRIX_FREE
                        ? Formulation.SUM_FACTORISED
                        : Formulation.GLOBAL_REUSE,
                Precision.F64);
        try (FormSystem system = FormSystem.of(form, constraints, List.of(), options, backend)) {
            step("system");
            system.assemble();
            step("assembly");
            HostVector right = system.rightHandSide((x, f) -> f[0] = 1);
            step("load");
            solve(problem, space, system, options, right);
        }
    }

    private void solve(DegreeMultigrid.Problem problem, FunctionSpace space, FormSystem system, FormOptions options,
            HostVector right) {
        try (DegreeMultigrid degrees = new DegreeMultigrid(problem, space, system, options, backend)) {
            step("levels");
            try (ConjugateGradient method = new ConjugateGradient(system.operator(), degrees.preconditioner(), backend);
                    DenseVector b = backend.vector(right.precision(), right.length());
                    DenseVector x = backend.vector(right.precision(), right.length())) {
                b.copyFrom(right);
                step("vectors");
                SolveReport report = method.solve(b, x, CRITERIA);
                step("solution");
                line.append(String.format(Locale.ROOT, "\"all\": %.4f, \"iterations\": %d, \"unknowns\": %d", all,
                        report.iterations(), right.length()));
            }
        }
        System.out.println("{" + line + "}");
    }
}
