package org.trellis.bench.loop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.LoopScheme;

/**
 * Runs each loop of an application with each set of parameters that its backend offers, and with those that only agree
 * to rounding, and measures on the device's clock. What loops add through maps is compared with what their first
 * parameters gave.
 */
final class LoopSweep {
    private static final int REPETITIONS = 15;
    private static final int WARM_UP_REPETITIONS = 500;
    private static final int LIMITED_BLOCK = 128;
    private static final int FEWER_REGISTERS = 40;
    private static final List<Integer> ATOMIC_BLOCKS = List.of(128, 256);

    private final LoopKernels kernels;
    private final DeviceTiming timing;
    private final Map<Dat, double[]> expected = new LinkedHashMap<>();

    /**
     * One measurement.
     *
     * @param order      how the mesh was numbered
     * @param layout     the layout of the dats
     * @param proposed   whether the backend chooses these parameters by itself
     * @param report     the loop's parameters, plan and code
     * @param seconds    the times of a run on the device
     * @param difference the greatest difference of results from those of the first parameters, over the greatest
     *                   result; 0 for loops that are not compared
     */
    record Result(SetOrder order, SweepLayout layout, boolean proposed, LoopReport report, SampleStatistics seconds,
            double difference) {
        double gigabytesPerSecond() {
            return 1e-9 * report.usefulBytes() / seconds.median();
        }

        /** Says whether the results of two measurements can stand in one column of a table. */
        boolean comparable(Result other) {
            return order == other.order && layout == other.layout && report.name().equals(other.report.name());
        }

        /** Says whether the bits of the results are the same in each run. */
        boolean repeatable() {
            return report.parameters().scheme() != LoopScheme.ATOMICS;
        }
    }

    /** The greatest difference that is rounding. */
    static double tolerance(Precision precision) {
        return precision == Precision.F64 ? 1e-11 : 1e-3;
    }

    LoopSweep(Backend backend) {
        this.kernels = backend.kernels(LoopKernels.class);
        this.timing = backend.kernels(DeviceTiming.class);
    }

    /** Measures loops in one layout. */
    List<Result> run(SetOrder order, SweepLayout layout, List<ParallelLoop> loops) {
        layout.apply(loops);
        List<Result> results = new ArrayList<>();
        loops.forEach(loop -> results.addAll(run(order, layout, loop)));
        return results;
    }

    /** Measures one loop, whose dats have the layout already. */
    List<Result> run(SetOrder order, SweepLayout layout, ParallelLoop loop) {
        List<Result> results = new ArrayList<>();
        expected.clear();
        LoopParameters own = kernels.refine(loop.declaration(), kernels.rule(loop.declaration()));
        warmUp(loop.parameters(own));
        for (LoopParameters parameters : candidates(loop.declaration(), own)) {
            measure(order, layout, loop, parameters, parameters.equals(own), results);
        }
        loop.parameters(own);
        return results;
    }

    /** Runs a loop for a moment: the first measurements after a pause are up to a tenth too slow. */
    private void warmUp(ParallelLoop loop) {
        timing.time(WARM_UP_REPETITIONS, loop::run);
        clear(loop.declaration());
    }

    /** Lists what the backend chooses and offers, atomics, and the blocks of the set if it has some. */
    private Set<LoopParameters> candidates(LoopDeclaration loop, LoopParameters own) {
        Set<LoopParameters> all = new LinkedHashSet<>(Set.of(own));
        all.addAll(kernels.parameterSpace(loop));
        for (LoopParameters parameters : kernels.parameterSpace(loop)) {
            if (parameters.blockSize() == LIMITED_BLOCK && parameters.device().staging() != Staging.ALL) {
                all.add(parameters.withDevice(parameters.device().withRegisters(FEWER_REGISTERS)));
            }
        }
        for (int block : ATOMIC_BLOCKS) {
            for (Staging staging : Staging.values()) {
                LoopDeviceParameters device = LoopDeviceParameters.NONE.withStaging(staging);
                LoopParameters atomics = LoopParameters.of(LoopScheme.ATOMICS).withBlockSize(block);
                all.add(atomics.withDevice(device));
                all.add(atomics.withDevice(device.withStreaming(true)));
                all.add(atomics.withDevice(device.withSorted(true)));
                all.add(atomics.withDevice(device.withStreaming(true).withPerThread(2)));
            }
        }
        if (loop.set().hasBlocks()) {
            List.copyOf(all).stream().filter(parameters -> parameters.blockSize() == LIMITED_BLOCK)
                    .forEach(parameters -> all.add(parameters.withBlockSize(0)));
        }
        all.removeIf(parameters -> kernels.constraint(loop, parameters).isPresent());
        return all;
    }

    private void measure(SetOrder order, SweepLayout layout, ParallelLoop loop, LoopParameters parameters,
            boolean proposed, List<Result> results) {
        try {
            loop.parameters(parameters).prepare();
        } catch (UnsupportedKernelException e) {
            return; // what a block needs turns out to be more than the device has
        }
        double difference = difference(loop);
        List<Global> globals = globals(loop.declaration());
        double[] seconds = timing.time(REPETITIONS, () -> {
            globals.forEach(global -> global.set(new double[global.components()]));
            loop.run();
        });
        results.add(new Result(order, layout, proposed, loop.report(), SampleStatistics.of(seconds), difference));
        clear(loop.declaration());
    }

    /** The globals that a loop reduces into: set before each run, so that results do not pile up. */
    private static List<Global> globals(LoopDeclaration loop) {
        List<Global> globals = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.argument(a) instanceof Global global && loop.access(a).reduces()) {
                globals.add(global);
            }
        }
        return globals;
    }

    /** The dats that a loop adds to through maps. */
    private static Set<Dat> sums(LoopDeclaration loop) {
        Set<Dat> sums = new LinkedHashSet<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a)) {
                sums.add(loop.dat(a));
            }
        }
        return sums;
    }

    /** Both applications have zeros in what they add to, before and after. */
    private static void clear(LoopDeclaration loop) {
        sums(loop).forEach(dat -> dat.fill(0));
    }

    private double difference(ParallelLoop loop) {
        clear(loop.declaration());
        if (sums(loop.declaration()).isEmpty()) {
            return 0;
        }
        loop.run();
        double most = 0;
        for (Dat dat : sums(loop.declaration())) {
            double[] found = values(dat);
            double[] first = expected.computeIfAbsent(dat, d -> found);
            double greatest = 0;
            double difference = 0;
            for (int i = 0; i < found.length; i++) {
                greatest = Math.max(greatest, Math.abs(first[i]));
                difference = Math.max(difference, Math.abs(found[i] - first[i]));
            }
            most = Math.max(most, difference / greatest);
        }
        return most;
    }

    /** The values as they lie in memory. */
    private static double[] values(Dat dat) {
        Object array = dat.storage().toHost().array();
        if (array instanceof double[] doubles) {
            return doubles;
        }
        float[] floats = (float[]) array;
        double[] values = new double[floats.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = floats[i];
        }
        return values;
    }
}
