package org.trellis.bench.measurement;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
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
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;

/**
 * Times what goes before a solution on the host: {@code trellis measure form-setup SHAPE CELLS DEGREE STORAGE TURNS},
 * where the storage is {@code none} for mesh and space alone. Prints the seconds of each phase, a line for each turn.
 */
final class FormSetupTiming {
    private final StringBuilder line = new StringBuilder();

    private FormSetupTiming() {}

    /**
     * Runs.
     *
     * @param arguments shape, cells a side, degree, storage, turns
     */
    static void start(String... arguments) {
        ElementShape shape = ElementShape.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        int n = Integer.parseInt(arguments[1]);
        int degree = Integer.parseInt(arguments[2]);
        Configuration two = Configuration.builder().set(ConfigurationKeys.THREADS, 2).build();
        for (int turn = 0; turn < Integer.parseInt(arguments[4]); turn++) {
            FormSetupTiming timing = new FormSetupTiming();
            try (Backend backend = Backends.open("simd", two)) {
                timing.run(shape, n, degree, arguments[3], backend);
            }
            System.out.println(timing.line);
        }
    }

    private <T> T phase(String name, Supplier<T> work) {
        long start = System.nanoTime();
        T made = work.get();
        line.append(String.format(Locale.ROOT, "%s %.3f ", name, 1e-9 * (System.nanoTime() - start)));
        return made;
    }

    private void run(ElementShape shape, int n, int degree, String storage, Backend backend) {
        CellMesh mesh = phase("mesh", () -> StructuredMeshes.unit(shape, n, StructuredMeshes::distorted));
        FunctionSpace space = phase("numbering", () -> FunctionSpace.of(mesh, degree));
        Constraints zero = phase("constraints", () -> Constraints.onBoundary(space, x -> 0));
        line.append(space.nodes()).append(" nodes ");
        if ("none".equals(storage)) {
            return;
        }
        FormOptions options = FormOptions.of(Storage.of(storage), Formulation.GLOBAL_REUSE, Precision.F64);
        BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
        try (FormSystem system = phase("structure", () -> FormSystem.of(form, zero, List.of(), options, backend))) {
            phase("assembly", () -> {
                system.assemble();
                return null;
            });
            HostVector b = phase("load", () -> system.rightHandSide(
                    (x, f) -> f[0] = Math.sin(Math.PI * x[0]) * Math.sin(Math.PI * x[1])));
            line.append(b.length()).append(" unknowns");
        }
    }
}
