package org.trellis.bench.measurement;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.ColouredSsor;
import org.trellis.fem.Constraints;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;

/**
 * Makes the tables of sections 4.3 to 4.4.6 of the thesis on a CPU: {@code trellis measure form-tables SHAPE UNKNOWNS
 * SECONDS [FIRST LAST]}. For degrees 1 to 4, or those from the first to the last, every storage and both precisions it
 * prints elements assembled a second, and iterations of conjugate gradients a second with Jacobi and with coloured SSOR
 * (padded rows without it); for degrees 1 and 3 (1 in space) then every scheme of conflicts. Times are the least of
 * what fits into the seconds given to each, after as many to warm up.
 */
final class FormTables {
    private static final int LONG_RUN = 8;
    private static final int SHORT_RUN = 2;
    /** Gathering takes a place for each pair of nodes of an element. */
    private static final int MOST_GATHERED_NODES = 16;
    /** Those that CPUs have for loops that add through maps. */
    private static final List<LoopScheme> SCHEMES = List.of(LoopScheme.TWO_LEVEL, LoopScheme.BLOCK_PERMUTE,
            LoopScheme.FULL_PERMUTE, LoopScheme.TEMPORARY, LoopScheme.OWNER_COMPUTE);

    private final Backend backend;
    private final double seconds;

    private FormTables(Backend backend, double seconds) {
        this.backend = backend;
        this.seconds = seconds;
    }

    /**
     * Runs.
     *
     * @param arguments shape, unknowns, seconds for each time, first and last degree
     */
    static void start(String... arguments) {
        ElementShape shape = ElementShape.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        int unknowns = Integer.parseInt(arguments[1]);
        Configuration two = Configuration.builder().set(ConfigurationKeys.THREADS, 2).build();
        try (Backend backend = Backends.open("simd", two)) {
            FormTables tables = new FormTables(backend, Double.parseDouble(arguments[2]));
            int first = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
            int last = arguments.length > 4 ? Integer.parseInt(arguments[4]) : 4;
            for (int degree = first; degree <= last; degree++) {
                int n = (int) Math.round(Math.pow(unknowns, 1.0 / shape.dimension()) / degree);
                FunctionSpace space =
                        FunctionSpace.of(StructuredMeshes.unit(shape, n, StructuredMeshes::distorted), degree);
                for (Precision precision : List.of(Precision.F64, Precision.F32)) {
                    tables.row(space, FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, precision), false);
                    for (Storage storage : Storage.values()) {
                        boolean free = storage == Storage.MATRIX_FREE || storage == Storage.MATRIX_FREE_FACTORED;
                        tables.row(space, FormOptions.of(storage,
                                free ? Formulation.SUM_FACTORISED : Formulation.GLOBAL_REUSE, precision), true);
                    }
                }
                for (LoopScheme scheme : SCHEMES) {
                    if (degree % 2 == 1 && space.element().nodes() <= MOST_GATHERED_NODES) {
                        tables.row(space, FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64)
                                .withScheme(scheme), true);
                    }
                }
            }
        }
    }

    /** Measures one way; the first of a precision is measured for nothing, so that what all share is compiled. */
    @SuppressWarnings("MustBeClosed") // closed where they are used
    private void row(FunctionSpace space, FormOptions options, boolean shown) {
        String name = String.format(Locale.ROOT, "%s %s %s %s", space.element(), options.storage().label(),
                options.precision().label(), options.scheme().map(LoopScheme::label).orElse("rule"));
        Constraints zero = Constraints.onBoundary(space, x -> 0);
        BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
        try (FormSystem system = FormSystem.of(form, zero, List.of(), options, backend)) {
            double assembly = least(system::assemble);
            String line = String.format(Locale.ROOT, "%s: %d unknowns, %d elements", name, system.size(),
                    space.mesh().cells());
            if (options.storage() != Storage.MATRIX_FREE) {
                line += String.format(Locale.ROOT, ", %.3g elements/s", space.mesh().cells() / assembly);
            }
            if (options.scheme().isEmpty()) {
                line += String.format(Locale.ROOT, ", %.4g iterations/s with jacobi",
                        iterations(system, FormPreconditioners.jacobi(system.operator(), backend)));
            }
            if (options.scheme().isEmpty()) {
                line += String.format(Locale.ROOT, ", %.4g with ssor", iterations(system, options.storage().hasRows()
                        ? NamedPreconditioners.of("ssor", system.matrix().orElseThrow(), system.operator(), backend,
                                Map.of()).orElseThrow()
                        : ColouredSsor.of(system, backend)));
            }
            if (shown) {
                System.out.println(line);
            }
        } catch (UnsupportedKernelException | IllegalArgumentException e) {
            System.out.println(name + " refused: " + e.getMessage());
        }
    }

    /** Works for some time, so that code is compiled and products have found their form, and then times as long. */
    private double least(Runnable work) {
        for (long begin = System.nanoTime(); since(begin) < seconds;) {
            work.run();
        }
        double best = Double.POSITIVE_INFINITY;
        long begin = System.nanoTime();
        while (best == Double.POSITIVE_INFINITY || since(begin) < seconds) {
            long start = System.nanoTime();
            work.run();
            best = Math.min(best, since(start));
        }
        return best;
    }

    private static double since(long start) {
        return 1e-9 * (System.nanoTime() - start);
    }

    private double iterations(FormSystem system, Preconditioner preconditioner) {
        HostVector b = HostVector.zeros(system.operator().precision(), system.size()).fill(1);
        HostVector x = HostVector.zeros(b.precision(), b.length());
        try (preconditioner;
                ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
            double many = least(() -> method.solve(b, x.fill(0), StoppingCriteria.relative(1e-300, LONG_RUN)));
            double few = least(() -> method.solve(b, x.fill(0), StoppingCriteria.relative(1e-300, SHORT_RUN)));
            return (LONG_RUN - SHORT_RUN) / (many - few);
        }
    }
}
