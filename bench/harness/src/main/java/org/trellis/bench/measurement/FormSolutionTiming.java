package org.trellis.bench.measurement;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;

/**
 * Times what {@code bench/suites/fem-dealii-solve.cpp} times: {@code trellis measure form-solution DEGREE CELLS TURNS
 * THREADS}. Multigrid over degrees is timed beside Jacobi and SSOR, set-up by itself.
 */
final class FormSolutionTiming {
    /** Seconds that matrices and loads are computed for, at least: until their code is compiled. */
    private static final double WARM = 2;

    private static final FormOptions CSR =
            FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64);

    private final Backend backend;
    private final FormSystem system;
    private final int turns;

    private FormSolutionTiming(Backend backend, FormSystem system, int turns) {
        this.backend = backend;
        this.system = system;
        this.turns = turns;
    }

    /**
     * Runs.
     *
     * @param arguments degree, cells a side, turns, threads
     */
    @SuppressWarnings("MustBeClosed") // closed where they are used
    static void start(String... arguments) {
        int degree = Integer.parseInt(arguments[0]);
        int n = Integer.parseInt(arguments[1]);
        Configuration threads =
                Configuration.builder().set(ConfigurationKeys.THREADS, Integer.parseInt(arguments[3])).build();
        FunctionSpace space = FunctionSpace.of(
                StructuredMeshes.unit(ElementShape.QUADRILATERAL, n, StructuredMeshes::distorted),
                LagrangeElement.of(ElementShape.QUADRILATERAL, degree, NodeFamily.EQUISPACED));
        BilinearForm form = BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] + 2 * x[1]));
        DegreeMultigrid.Problem problem =
                new DegreeMultigrid.Problem(form, s -> Constraints.onBoundary(s, x -> 0), List.of());
        try (Backend backend = Backends.open("simd", threads);
                FormSystem system = FormSystem.of(form, problem.constraints().apply(space), List.of(), CSR,
                        backend)) {
            FormSolutionTiming timing = new FormSolutionTiming(backend, system, Integer.parseInt(arguments[2]));
            timing.assemble(space);
            timing.solve("jacobi", () -> FormPreconditioners.jacobi(system.operator(), backend));
            timing.solve("ssor", () -> NamedPreconditioners.of("ssor", system.matrix().orElseThrow(),
                    system.operator(), backend, Map.of()).orElseThrow());
            if (degree > 1) {
                long start = System.nanoTime();
                try (DegreeMultigrid levels =
                        new DegreeMultigrid(problem, space, system, CSR, backend)) {
                    System.out.printf(Locale.ROOT, "set-up of p-multigrid %.4g s%n", since(start));
                    timing.solve("p-multigrid", levels::preconditioner);
                }
            }
        }
    }

    private static double since(long start) {
        return 1e-9 * (System.nanoTime() - start);
    }

    private void assemble(FunctionSpace space) {
        double values = Double.POSITIVE_INFINITY;
        double load = Double.POSITIVE_INFINITY;
        long begin = System.nanoTime();
        for (int turn = 0; turn < turns || since(begin) < WARM; turn++) {
            long start = System.nanoTime();
            system.assemble();
            values = Math.min(values, since(start));
            start = System.nanoTime();
            system.rightHandSide((x, f) -> f[0] = 1);
            load = Math.min(load, since(start));
        }
        System.out.printf(Locale.ROOT, "%s %d cells, %d unknowns: matrix %.4g s, load %.4g s%n", space.element(),
                space.mesh().cells(), system.size(), values, load);
    }

    private void solve(String name, Supplier<Preconditioner> maker) {
        HostVector b = system.rightHandSide((x, f) -> f[0] = 1);
        HostVector u = HostVector.zeros(b.precision(), b.length());
        double best = Double.POSITIVE_INFINITY;
        SolveReport report = null;
        try (Preconditioner preconditioner = maker.get();
                ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
            for (int turn = 0; turn < turns; turn++) {
                u.fill(0);
                long start = System.nanoTime();
                report = method.solve(b, u, StoppingCriteria.relative(1e-8, 10_000));
                best = Math.min(best, since(start));
            }
        }
        System.out.printf(Locale.ROOT, "%s: %d iterations, %.4g s, largest %.9f%n", name, report.iterations(), best,
                Arrays.stream(u.doubles()).max().orElseThrow());
    }
}
