package org.trellis.bench.measurement;

import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;

/**
 * Times assembly into compressed rows as {@code bench/suites/fem-dealii.cpp} does: {@code trellis measure assembly
 * DEGREE CELLS SECONDS THREADS}. Prints the sum of the magnitudes of all entries, and elements a second in the best of
 * the calls that fit into as many seconds.
 */
final class AssemblyTiming {
    private AssemblyTiming() {}

    /**
     * Runs.
     *
     * @param arguments degree, cells a side, seconds, threads
     */
    static void start(String... arguments) {
        int degree = Integer.parseInt(arguments[0]);
        int n = Integer.parseInt(arguments[1]);
        double seconds = Double.parseDouble(arguments[2]);
        Configuration threads =
                Configuration.builder().set(ConfigurationKeys.THREADS, Integer.parseInt(arguments[3])).build();
        FunctionSpace space = FunctionSpace.of(
                StructuredMeshes.unit(ElementShape.QUADRILATERAL, n, StructuredMeshes::distorted),
                LagrangeElement.of(ElementShape.QUADRILATERAL, degree, NodeFamily.EQUISPACED));
        BilinearForm form = BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] + 2 * x[1]));
        try (Backend backend = Backends.open("simd", threads);
                FormSystem system =
                        FormSystem.singular(form, Constraints.none(space, 1),
                                FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64), backend)) {
            double best = Double.POSITIVE_INFINITY;
            for (long begin = System.nanoTime(); 1e-9 * (System.nanoTime() - begin) < seconds;) {
                long start = System.nanoTime();
                system.assemble();
                best = Math.min(best, 1e-9 * (System.nanoTime() - start));
            }
            double[] sum = {0};
            system.matrix().orElseThrow().forEachEntry((row, column, value) -> sum[0] += Math.abs(value));
            System.out.printf(Locale.ROOT, "Q%d %d cells, %s threads: sum %.12f, %.4g elements/s%n", degree, n * n,
                    arguments[3], sum[0], n * n / best);
        }
    }
}
