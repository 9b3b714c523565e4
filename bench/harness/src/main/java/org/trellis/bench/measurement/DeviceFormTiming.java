package org.trellis.bench.measurement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.DeviceException;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.ColouredSsor;
import org.trellis.fem.Constraints;
import org.trellis.fem.DirichletMethod;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * Times finite elements on the GPU, {@code trellis measure device-forms SHAPE CELLS DEGREE WAY...}, where a way is
 * {@code storage,formulation,scheme,precision} with {@code -} for the rule's scheme. Prints a line for each way:
 * seconds of computing values, of assembly with what the product makes of them, and of a product, the least of some,
 * and of an iteration of conjugate gradients with Jacobi, the median of some. With {@code ,ssor} behind a way without
 * compressed rows also seconds of both sweeps of coloured SSOR, and its colours.
 */
final class DeviceFormTiming {
    private static final int ASSEMBLIES = 5;
    private static final int PRODUCTS = 20;
    private static final int ITERATIONS = 100;
    private static final int TURNS = 5;
    /** Parts of a way without SSOR. */
    private static final int FOUR = 4;
    private static final int COPIED = 1 << 27;
    /** Programs that prepare at the same time measure one after the other. */
    private static final Path LOCK = Path.of(System.getProperty("java.io.tmpdir"), "trellis-form-timing.lock");

    private final Backend backend;
    private final DeviceTiming timing;

    private DeviceFormTiming(Backend backend) {
        this.backend = backend;
        this.timing = backend.kernels(DeviceTiming.class);
    }

    /**
     * Runs.
     *
     * @param arguments shape, cells a side, degree, variants
     */
    static void start(String... arguments) {
        ElementShape shape = ElementShape.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        int n = Integer.parseInt(arguments[1]);
        int degree = Integer.parseInt(arguments[2]);
        try (Backend backend = Backends.open("cuda", Configuration.load())) {
            DeviceFormTiming timer = new DeviceFormTiming(backend);
            say("copy", "bytesPerSecond", timer.copy());
            long start = System.nanoTime();
            FunctionSpace space =
                    FunctionSpace.of(StructuredMeshes.unit(shape, n, StructuredMeshes::distorted), degree);
            Constraints zero = Constraints.onBoundary(space, x -> 0);
            say("space " + space.nodes(), "seconds", since(start));
            for (int k = 3; k < arguments.length; k++) {
                timer.run(space, zero, arguments[k]);
            }
        }
    }

    private static double since(long start) {
        return 1e-9 * (System.nanoTime() - start);
    }

    private static void say(String what, Object... rest) {
        StringBuilder line = new StringBuilder(what);
        for (int k = 0; k < rest.length; k += 2) {
            line.append(' ').append(rest[k]).append('=').append(rest[k + 1] instanceof Double value
                    ? String.format(Locale.ROOT, "%.4g", value)
                    : rest[k + 1]);
        }
        System.out.println(line);
    }

    private double least(int times, Runnable work) {
        double best = Double.POSITIVE_INFINITY;
        for (int k = 0; k < times; k++) {
            timing.synchronize();
            long start = System.nanoTime();
            work.run();
            timing.synchronize();
            best = Math.min(best, since(start));
        }
        return best;
    }

    private double copy() {
        ElementKernels elements = backend.kernels(ElementKernels.class);
        try (DenseVector x = backend.vector(Precision.F64, COPIED);
                DenseVector y = backend.vector(Precision.F64, COPIED)) {
            return 2.0 * COPIED * Double.BYTES / least(PRODUCTS, () -> elements.update(1, null, x, 0, y));
        }
    }

    private void run(FunctionSpace space, Constraints zero, String way) {
        String[] parts = way.split(",");
        Optional<LoopScheme> scheme = parts[2].equals("-") ? Optional.empty() : Optional.of(LoopScheme.of(parts[2]));
        Precision precision = parts[3].equals("f32") ? Precision.F32 : Precision.F64;
        FormOptions options = new FormOptions(Storage.of(parts[0]), Formulation.of(parts[1]), precision,
                DirichletMethod.ELIMINATE, scheme, 0);
        BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
        long start = System.nanoTime();
        try (FormSystem system = FormSystem.of(form, zero, List.of(), options, backend);
                FileChannel alone = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            system.assemble();
            timing.synchronize();
            double setup = since(start);
            alone.lock();
            double values = least(ASSEMBLIES, system::assemble);
            LinearOperator a = system.operator();
            system.assemble();
            double assembly = least(ASSEMBLIES, system::assemble);
            double[] product = products(a);
            if (parts.length > FOUR) {
                sweeps(system, space.element() + " " + way);
            }
            say(space.element() + " " + way, "unknowns", system.size(), "cells", space.mesh().cells(), "setup", setup,
                    "values", values, "assembly", assembly, "elementsPerSecond", space.mesh().cells() / values,
                    "product", product[0],
                    "dofsPerSecond", system.size() / product[0], "stored", system.storedBytes(), "model",
                    system.modelBytes(), "modelBytesPerSecond", system.modelBytes() / product[0], "iteration",
                    product[1], "iterationsPerSecond", 1 / product[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (UnsupportedKernelException | IllegalArgumentException | DeviceException e) {
            say(space.element() + " " + way + " refused: " + e.getMessage());
        }
    }

    private void sweeps(FormSystem system, String way) {
        long start = System.nanoTime();
        LinearOperator a = system.operator();
        try (ColouredSsor ssor = ColouredSsor.of(system, backend);
                DenseVector x = backend.vector(a.precision(), a.rows());
                DenseVector y = backend.vector(a.precision(), a.rows());
                var step = ssor.bind(1, x, 0, y)) {
            double setup = since(start);
            say(way, "colours", ssor.colours(), "ssorSetup", setup, "sweeps", least(ASSEMBLIES, step::run));
        }
    }

    /**
     * Seconds of a product and of an iteration: what {@value #ITERATIONS} iterations take longer than one, the median
     * of some turns. The first guess is zeroed on the device, since a copy of the host's varies by more than that.
     */
    private double[] products(LinearOperator a) {
        HostVector ones = HostVector.zeros(a.precision(), a.rows()).fill(1);
        try (DenseVector x = backend.vector(a.precision(), a.rows());
                DenseVector y = backend.vector(a.precision(), a.rows());
                var step = a.bind(1, x, 0, y);
                Preconditioner jacobi = FormPreconditioners.jacobi(a, backend);
                ConjugateGradient method = new ConjugateGradient(a, jacobi, backend)) {
            x.copyFrom(ones);
            double product = least(PRODUCTS, step::run);
            y.copyFrom(ones);
            double[] turns = new double[TURNS];
            for (int turn = -1; turn < TURNS; turn++) {
                double more = solve(method, y, x, ITERATIONS) - solve(method, y, x, 1);
                // The first turn of all prepares what iterations need.
                turns[Math.max(turn, 0)] = more / (ITERATIONS - 1);
            }
            Arrays.sort(turns);
            return new double[]{product, turns[TURNS / 2]};
        }
    }

    private double solve(ConjugateGradient method, DenseVector b, DenseVector x, int iterations) {
        backend.kernels(ElementKernels.class).update(0, null, b, 0, x);
        return least(1, () -> method.solve(b, x, StoppingCriteria.relative(1e-300, iterations)));
    }
}
