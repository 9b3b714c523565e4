package org.trellis.bench.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;
import org.trellis.solve.VectorsLoops;
import org.trellis.sparse.ElementKernels;

/**
 * Times vector updates as loops beside the element kernels of operators, in turns, and a triad for the bandwidth; a
 * device is waited for at the end of each round. {@code java -cp
 * core/target/classes:core/target/test-classes --add-modules jdk.incubator.vector org.trellis.solve.VectorTiming
 * [backend] [threads] [largest size]}.
 */
final class VectorTiming {
    private static final int[] SIZES = {10, 1000, 10_000, 100_000, 1_000_000, 10_000_000};
    /** Many short rounds: on a machine that others use, some are not interrupted. */
    private static final int ROUNDS = 400;
    private static final double ROUND_SECONDS = 5e-4;
    private static final int WARM_UP_CALLS = 30_000;
    private static final double WARM_UP_SECONDS = 2;

    private VectorTiming() {}

    /** An operation, in both variants. */
    private record Contest(String name, int vectors, Runnable loop, Runnable byHand) {}

    /**
     * Prints a table.
     *
     * @param arguments a backend, the number of threads, the largest size
     */
    static void start(String... arguments) {
        String name = arguments.length > 0 ? arguments[0] : "threads";
        int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
        int largest = arguments.length > 2 ? Integer.parseInt(arguments[2]) : SIZES[SIZES.length - 1];
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
        System.out.printf(Locale.ROOT, "%s, %d threads; nanoseconds a call, least (median) of %d rounds%n", name,
                threads, ROUNDS);
        System.out.printf(Locale.ROOT, "%-10s %10s %22s %22s %7s %14s%n", "operation", "size", "loop", "by hand",
                "ratio", "loop, % triad");
        try (Backend backend = Backends.open(name, configuration)) {
            for (int size : SIZES) {
                if (size <= largest) {
                    time(backend, size);
                }
            }
        }
    }

    private static void time(Backend backend, int size) {
        try (Mesh mesh = Mesh.on(backend)) {
            MeshSet rows = mesh.set("rows", size);
            double[] values = new double[size];
            Arrays.setAll(values, i -> 1e-3 * (i % 7));
            Dat x = mesh.dat("x", rows, 1, Precision.F64, values);
            Dat y = mesh.dat("y", rows, 1, Precision.F64, values);
            Dat z = mesh.dat("z", rows, 1, Precision.F64, values);
            Scalars scalars = mesh.scalars("scalars", 2);
            scalars.set(0, 1e-9);
            List<Contest> contests = contests(backend, mesh, rows, scalars, x, y, z);
            double triad = Double.NaN;
            for (Contest contest : contests) {
                double[][] times = compete(contest.loop(), contest.byHand(), () -> scalars.get(0));
                double loop = Arrays.stream(times[0]).min().orElseThrow();
                double hand = Arrays.stream(times[1]).min().orElseThrow();
                double bandwidth = contest.vectors() * 8.0 * size / loop;
                if (contest.name().equals("triad")) {
                    triad = contest.vectors() * 8.0 * size / hand;
                }
                System.out.printf(Locale.ROOT, "%-10s %10d %11.1f (%8.1f) %11.1f (%8.1f) %7.2f %14.0f%n",
                        contest.name(), size, loop, median(times[0]), hand, median(times[1]), loop / hand,
                        100 * bandwidth / triad);
            }
        }
    }

    private static List<Contest> contests(Backend backend, Mesh mesh, MeshSet rows, Scalars scalars, Dat x, Dat y,
            Dat z) {
        ElementKernels kernels = backend.kernels(ElementKernels.class);
        DenseVector sum = scalars.vector();
        ParallelLoop axpy = mesh.loop(VectorsLoops.AXPY, rows, scalars.at(0), x, y);
        ParallelLoop xpby = mesh.loop(VectorsLoops.XPBY, rows, x, scalars.at(0), y);
        ParallelLoop multiply = mesh.loop(VectorsLoops.MULTIPLY, rows, x, y, z);
        ParallelLoop dot = mesh.loop(VectorsLoops.DOT, rows, x, y, scalars.at(1));
        ParallelLoop update = mesh.loop(VectorsLoops.AXPY_NORM, rows, scalars.at(0), x, y, scalars.at(1));
        List<Contest> contests = new ArrayList<>();
        Runnable triad = () -> kernels.update(1e-9, null, x.vector(), 1, y.vector());
        contests.add(new Contest("triad", 3, axpy::run, triad));
        contests.add(new Contest("xpby", 3, xpby::run, () -> kernels.update(1, null, x.vector(), 1e-9, y.vector())));
        contests.add(new Contest("multiply", 3, multiply::run,
                () -> kernels.update(1, x.vector(), y.vector(), 0, z.vector())));
        contests.add(new Contest("dot", 2, dot::run, () -> kernels.dot(x.vector(), y.vector(), sum, 1)));
        int most = rows.size() - 1;
        DenseVector later = x.vector().part(1, most);
        DenseVector earlier = y.vector().part(0, most);
        contests.add(new Contest("parts", 3, axpy::run, () -> kernels.update(1e-9, null, later, 1, earlier)));
        contests.add(new Contest("axpy+norm", 3, update::run, () -> {
            kernels.update(1e-9, null, x.vector(), 1, y.vector());
            kernels.dot(y.vector(), y.vector(), sum, 1);
        }));
        return contests;
    }

    private static double[][] compete(Runnable first, Runnable second, Runnable settle) {
        Runnable[] runnables = {first, second};
        int[] repeats = new int[2];
        for (int i = 0; i < 2; i++) {
            double least = Double.POSITIVE_INFINITY;
            long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
            for (int call = 0; call < WARM_UP_CALLS && (call < ROUNDS / 4 || System.nanoTime() < end); call++) {
                long start = System.nanoTime();
                runnables[i].run();
                settle.run();
                least = Math.min(least, (double) (System.nanoTime() - start));
            }
            repeats[i] = (int) Math.max(1, ROUND_SECONDS * 1e9 / least);
        }
        double[][] times = new double[2][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 2; i++) {
                long start = System.nanoTime();
                for (int repeat = 0; repeat < repeats[i]; repeat++) {
                    runnables[i].run();
                }
                settle.run();
                times[i][round] = (System.nanoTime() - start) / (double) repeats[i];
            }
        }
        return times;
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
