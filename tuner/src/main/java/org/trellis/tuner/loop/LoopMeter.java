package org.trellis.tuner.loop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.PreparedLoop;

/**
 * Times runs of one loop, checks them, and puts back what they change. On a device that works asynchronously its own
 * clock counts, else the host's; there, runs are repeated until the JVM has compiled them and times are steady.
 */
final class LoopMeter {
    private static final int DEVICE_SAMPLES = 15;
    private static final int HOST_SAMPLES = 7;
    private static final double WARM_UP_SECONDS = 0.1;
    private static final double LONGEST_WARM_UP_SECONDS = 2;
    private static final double STEADY = 0.97;
    private static final double SAMPLE_SECONDS = 100e-6;
    /** Roundings of a result that the order of increments may change, generously. */
    private static final double ROUNDINGS = 2000;

    private final LoopDeclaration loop;
    private final Optional<DeviceTiming> timing;
    private final Map<Dat, HostStorage> before = new LinkedHashMap<>();
    private final Map<Global, double[]> globals = new LinkedHashMap<>();
    private final List<double[]> expected;

    /** Keeps the loop's data and its result by the rule's parameters. */
    LoopMeter(Backend backend, LoopDeclaration loop) {
        this.loop = loop;
        this.timing = backend.optionalKernels(DeviceTiming.class);
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.argument(a) instanceof Global global && loop.access(a).reduces()) {
                globals.put(global, values(global));
            } else if (loop.dat(a) != null && loop.access(a).writes()) {
                before.computeIfAbsent(loop.dat(a), LoopMeter::copy);
            }
        }
        LoopKernels kernels = backend.kernels(LoopKernels.class);
        try (PreparedLoop reference = kernels.prepare(loop, kernels.rule(loop))) {
            expected = result(reference);
        }
        restore();
    }

    /** A copy, also of what is on the host already. */
    private static HostStorage copy(Dat dat) {
        HostStorage copy = HostStorage.zeros(dat.type(), dat.storage().length());
        copy.copyFrom(dat.storage().toHost());
        return copy;
    }

    private static double[] values(Global global) {
        double[] values = new double[global.components()];
        for (int c = 0; c < values.length; c++) {
            values[c] = global.get(c);
        }
        return values;
    }

    /** Puts back what the loop writes. */
    void restore() {
        before.forEach((dat, values) -> dat.storage().copyFrom(values));
        restoreGlobals();
    }

    private void restoreGlobals() {
        globals.forEach(Global::set);
    }

    private List<double[]> result(PreparedLoop prepared) {
        restore();
        prepared.run();
        List<double[]> found = new ArrayList<>();
        before.keySet().forEach(dat -> {
            HostStorage host = dat.storage().toHost();
            double[] values = new double[host.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = host.get(i);
            }
            found.add(values);
        });
        globals.keySet().forEach(global -> found.add(values(global)));
        return found;
    }

    /** Runs once and compares: of each dat, with its greatest value; infinite and undefined ones must be the same. */
    boolean isRight(PreparedLoop prepared) {
        List<double[]> found = result(prepared);
        double tolerance = ROUNDINGS * loop.precision().unitRoundoff();
        for (int i = 0; i < found.size(); i++) {
            double[] wanted = expected.get(i);
            double greatest = 0;
            for (double value : wanted) {
                greatest = Double.isFinite(value) ? Math.max(greatest, Math.abs(value)) : greatest;
            }
            for (int k = 0; k < wanted.length; k++) {
                double difference = Math.abs(found.get(i)[k] - wanted[k]);
                if (!(difference <= tolerance * greatest) && Double.compare(found.get(i)[k], wanted[k]) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Times runs; what they change stays changed. */
    double[] time(PreparedLoop prepared) {
        Runnable run = () -> {
            // Set anew, so that a run does not wait for the last one's result.
            restoreGlobals();
            prepared.run();
        };
        if (timing.isPresent()) {
            return timing.get().time(DEVICE_SAMPLES, run);
        }
        warmUp(run);
        int batch = (int) Math.clamp(SAMPLE_SECONDS / once(run), 1, 1000);
        double[] seconds = new double[HOST_SAMPLES];
        for (int i = 0; i < seconds.length; i++) {
            long start = System.nanoTime();
            for (int k = 0; k < batch; k++) {
                run.run();
            }
            seconds[i] = Math.max(1e-9, (System.nanoTime() - start) * 1e-9 / batch);
        }
        return seconds;
    }

    private static void warmUp(Runnable run) {
        long start = System.nanoTime();
        double fastest = Double.POSITIVE_INFINITY;
        double improved = 0;
        double elapsed = 0;
        while (elapsed - improved < WARM_UP_SECONDS && elapsed < LONGEST_WARM_UP_SECONDS) {
            double seconds = once(run);
            elapsed = (System.nanoTime() - start) * 1e-9;
            if (seconds < STEADY * fastest) {
                improved = elapsed;
            }
            fastest = Math.min(fastest, seconds);
        }
    }

    private static double once(Runnable run) {
        long start = System.nanoTime();
        run.run();
        return Math.max(1e-9, (System.nanoTime() - start) * 1e-9);
    }
}
