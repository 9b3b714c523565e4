package org.trellis.bench.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.adapt.PainSweep;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.SmoothingSweep;
import org.trellis.adapt.SweepCavities;
import org.trellis.adapt.SweepOptions;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.sparse.ElementKernels;

/**
 * Times Pain's smoothing of a square of n by n squares on a GPU and on the host's threads, to the metric
 * {@link AnalyticMetrics#linear} by its formula, as a raster and as a texture. Prints a line of JSON for each. A
 * measurement: {@code trellis measure smoothing N SWEEPS KIND...}, a kind being
 * {@code cuda:formula:f64}, {@code cuda:texture:f32:BETTER}, {@code threads8:raster:f64} or {@code copy}; {@code
 * key=value} sets a configuration key for what follows, and {@code colours=shared} or {@code colours=own} says whether
 * free and bound vertices share colours.
 */
final class SmoothingTiming {
    private static final int SAMPLES = 512;
    private static final int ROUNDS = 5;
    private static final double LEAST_QUALITY = 0.05;
    private static final double GREATEST = 0.5;

    private final int n;
    private final int sweeps;
    private final SweepCavities own;
    private final SweepCavities shared;
    private final RasterMetric raster;
    private SweepCavities cavities;

    private SmoothingTiming(int n, int sweeps) {
        this.n = n;
        this.sweeps = sweeps;
        long begin = System.nanoTime();
        SimplexMesh mesh = SimplexMesh.square(n);
        long made = System.nanoTime();
        own = SweepCavities.of(mesh);
        shared = SweepCavities.sharingColours(mesh);
        cavities = own;
        say("{\"n\": %d, \"vertices\": %d, \"meshSeconds\": %.2f, \"cavitySeconds\": %.2f}", n, mesh.vertices(),
                (made - begin) * 1e-9, (System.nanoTime() - made) * 1e-9);
        raster = RasterMetric.of(2, new double[]{0, 0, 1, 1}, SAMPLES,
                AnalyticMetrics.linear(2, LEAST_QUALITY, GREATEST));
    }

    @SuppressWarnings("PrintStackTrace")
    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** Something that sweeps. */
    private interface Sweeper {
        void run(int times);
    }

    private void measure(String kind) {
        String[] parts = kind.split(":", -1);
        if (parts[0].equals("copy")) {
            copy();
            return;
        }
        Precision precision = parts[2].equals("f32") ? Precision.F32 : Precision.F64;
        Acceptance acceptance = parts.length < 4 ? Acceptance.ALL : Acceptance.valueOf(parts[3]);
        boolean device = parts[0].equals("cuda");
        Configuration configuration = device || !parts[0].startsWith("threads")
                ? Configuration.load()
                : Configuration.builder().set(ConfigurationKeys.THREADS, Integer.parseInt(parts[0].substring(7)))
                        .build();
        long begin = System.nanoTime();
        try (Backend backend = Backends.open(device ? "cuda" : parts[0].startsWith("threads") ? "threads" : parts[0],
                configuration)) {
            if (parts[1].equals("formula")) {
                try (PainSweep sweep = new PainSweep(backend, cavities, false, LEAST_QUALITY, GREATEST, precision)) {
                    time(kind, backend, sweep::run, sweep.mesh(), sweep.colours(), begin);
                }
            } else {
                try (SmoothingSweep sweep = new SmoothingSweep(backend, cavities, raster, new SweepOptions(
                        SmoothingMethod.PAIN, acceptance, precision, parts[1].equals("texture")))) {
                    time(kind, backend, sweep::run, sweep.mesh(), sweep.colours(), begin);
                }
            }
        }
    }

    private void time(String kind, Backend backend, Sweeper sweeper, Mesh mesh, int colours, long begin) {
        int warm = Math.min(64, Math.max(4, sweeps));
        sweeper.run(warm);
        sweeper.run(sweeps);
        synchronize(backend);
        double prepared = (System.nanoTime() - begin) * 1e-9;
        double[] seconds = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            sweeper.run(sweeps);
            synchronize(backend);
            seconds[i] = (System.nanoTime() - start) * 1e-9;
        }
        Arrays.sort(seconds);
        int vertices = cavities.order().length;
        List<String> loops = new ArrayList<>();
        double useful = 0;
        for (LoopReport loop : mesh.report().loops()) {
            if (!loop.name().endsWith("sample")) {
                useful += loop.usefulBytes();
                loops.add("\"" + loop.name() + " " + loop.set() + " " + loop.parameters() + " " + loop.device() + "\"");
            }
        }
        say("{\"kind\": \"%s\", \"n\": %d, \"vertices\": %d, \"colours\": %d, \"sweeps\": %d, "
                + "\"nsPerVertexSweep\": %.4f, \"fastest\": %.4f, \"slowest\": %.4f, \"usefulBytesPerVertex\": %.1f, "
                + "\"usefulGBs\": %.1f, \"preparedSeconds\": %.1f, \"loops\": [%s]}", kind, n, vertices, colours,
                sweeps, 1e9 * seconds[ROUNDS / 2] / sweeps / vertices, 1e9 * seconds[0] / sweeps / vertices,
                1e9 * seconds[ROUNDS - 1] / sweeps / vertices,
                useful / vertices, useful * sweeps / seconds[ROUNDS / 2] * 1e-9, prepared,
                String.join(", ", loops));
    }

    private static void synchronize(Backend backend) {
        backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
    }

    /** Copies twice the positions in double precision, and a gigabyte. */
    private void copy() {
        try (Backend backend = Backends.open("cuda", Configuration.load())) {
            ElementKernels elements = backend.kernels(ElementKernels.class);
            for (int length : new int[]{2 * cavities.order().length, 1 << 27}) {
                try (DenseVector from = backend.vector(Precision.F64, length);
                        DenseVector to = backend.vector(Precision.F64, length)) {
                    double best = Double.POSITIVE_INFINITY;
                    for (int round = 0; round < ROUNDS; round++) {
                        synchronize(backend);
                        long start = System.nanoTime();
                        for (int i = 0; i < 20; i++) {
                            elements.update(1, null, from, 0, to);
                        }
                        synchronize(backend);
                        best = Math.min(best, (System.nanoTime() - start) * 1e-9 / 20);
                    }
                    say("{\"kind\": \"copy\", \"bytes\": %d, \"GBs\": %.1f}", (long) length * Double.BYTES,
                            2.0 * length * Double.BYTES / best * 1e-9);
                }
            }
        }
    }

    /**
     * Runs the program.
     *
     * @param arguments squares along a side, sweeps of a measurement, what to measure
     */
    static void start(String... arguments) {
        SmoothingTiming timing = new SmoothingTiming(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        for (int i = 2; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            if (setting[0].equals("colours")) {
                timing.cavities = setting[1].equals("shared") ? timing.shared : timing.own;
            } else if (setting.length == 2) {
                System.setProperty(setting[0], setting[1]);
            } else {
                timing.measure(arguments[i]);
            }
        }
    }
}
