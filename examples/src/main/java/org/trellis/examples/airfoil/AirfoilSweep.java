package org.trellis.examples.airfoil;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.examples.airfoil.AirfoilSolver.Loop;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DeviceParameters;
import org.trellis.mesh.DeviceParameters.Staging;
import org.trellis.mesh.Global;
import org.trellis.mesh.Layout;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.LoopParameters;
import org.trellis.mesh.LoopReport;
import org.trellis.mesh.LoopScheme;
import org.trellis.mesh.ParallelLoop;

/**
 * Runs each loop of Airfoil with each set of parameters that its backend offers, and with those that only agree to
 * rounding, and measures on the device's clock. The results of the flux loop, on which the schemes differ, are compared
 * with those of its first parameters.
 */
final class AirfoilSweep {
    private static final int REPETITIONS = 15;
    private static final int LIMITED_BLOCK = 128;
    private static final int FEWER_REGISTERS = 40;
    private static final List<Integer> BLOCKS = List.of(128, 256, 512);
    private final Backend backend;
    private final AirfoilSolver solver;
    private final DeviceTiming timing;
    private double[] expected;

    /**
     * One measurement.
     *
     * @param order      how the mesh was numbered
     * @param layout     the layout of all dats
     * @param loop       which loop
     * @param proposed   whether the backend's rule proposes the parameters
     * @param report     the loop's parameters, plan and code
     * @param seconds    the times of a run on the device
     * @param difference the greatest difference of results from those of the first parameters, over the greatest
     *                   result; 0 for loops that are not compared
     */
    record Result(AirfoilOrder order, Layout layout, Loop loop, boolean proposed, LoopReport report,
            SampleStatistics seconds, double difference) {
        double gigabytesPerSecond() {
            return 1e-9 * report.usefulBytes() / seconds.median();
        }
    }

    /** The greatest difference that is rounding. */
    static double tolerance(Precision precision) {
        return precision == Precision.F64 ? 1e-11 : 1e-3;
    }

    AirfoilSweep(Backend backend, AirfoilSolver solver) {
        this.backend = backend;
        this.solver = solver;
        this.timing = backend.kernels(DeviceTiming.class);
    }

    /** Measures all loops in one layout. */
    List<Result> run(AirfoilOrder order, Layout layout) {
        solver.loops().get(Loop.FLUX.place()).declaration().set().mesh().dats().forEach(dat -> dat.layout(layout));
        expected = null;
        List<Result> results = new ArrayList<>();
        for (Loop loop : Loop.values()) {
            ParallelLoop measured = solver.loops().get(loop.place());
            LoopParameters before = measured.parameters();
            for (LoopParameters parameters : candidates(measured.declaration())) {
                measure(order, layout, loop, parameters, results);
            }
            measured.parameters(before);
        }
        return results;
    }

    private LoopKernels kernels() {
        return backend.kernels(LoopKernels.class);
    }

    /** Lists what the backend offers, atomics, and the blocks of the set if it has some. */
    private Set<LoopParameters> candidates(LoopDeclaration loop) {
        Set<LoopParameters> all = new LinkedHashSet<>(kernels().parameterSpace(loop));
        for (LoopParameters parameters : kernels().parameterSpace(loop)) {
            if (parameters.blockSize() == LIMITED_BLOCK) {
                all.add(parameters.withDevice(parameters.device().withRegisters(FEWER_REGISTERS)));
            }
        }
        for (int block : BLOCKS) {
            for (Staging staging : Staging.values()) {
                DeviceParameters device = DeviceParameters.NONE.withStaging(staging);
                LoopParameters atomics = LoopParameters.of(LoopScheme.ATOMICS).withBlockSize(block);
                all.add(atomics.withDevice(device));
                all.add(atomics.withDevice(device.withStreaming(true)));
                all.add(atomics.withDevice(device.withSorted(true)));
            }
        }
        if (loop.set().partitioned()) {
            List.copyOf(all).forEach(parameters -> all.add(parameters.withBlockSize(0)));
        }
        all.removeIf(parameters -> kernels().constraint(loop, parameters).isPresent());
        return all;
    }

    private void measure(AirfoilOrder order, Layout layout, Loop loop, LoopParameters parameters,
            List<Result> results) {
        ParallelLoop measured = solver.loops().get(loop.place());
        try {
            measured.parameters(parameters).prepare();
        } catch (UnsupportedKernelException e) {
            return; // what a block needs turns out to be more than the device has
        }
        double difference = loop == Loop.FLUX ? difference(measured) : 0;
        List<Global> globals = globals(measured.declaration());
        double[] seconds = timing.time(REPETITIONS, () -> {
            globals.forEach(global -> global.set(0));
            measured.run();
        });
        results.add(new Result(order, layout, loop, parameters.equals(kernels().rule(measured.declaration())),
                measured.report(), SampleStatistics.of(seconds), difference));
    }

    /** The globals that a loop reduces into: set before each run, so that a run does not wait for the last one. */
    private static List<Global> globals(LoopDeclaration loop) {
        List<Global> globals = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.argument(a) instanceof Global global && loop.access(a).reduces()) {
                globals.add(global);
            }
        }
        return globals;
    }

    private double difference(ParallelLoop flux) {
        Dat residual = flux.declaration().dat(flux.declaration().arity() - 1);
        residual.fill(0);
        flux.run();
        double[] found = residual.toArray();
        residual.fill(0);
        if (expected == null) {
            expected = found;
        }
        double greatest = 0;
        double difference = 0;
        for (int i = 0; i < found.length; i++) {
            greatest = Math.max(greatest, Math.abs(expected[i]));
            difference = Math.max(difference, Math.abs(found[i] - expected[i]));
        }
        return difference / greatest;
    }
}
