package org.trellis.examples.chain;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.HostBackend;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.examples.airfoil.AirfoilGenerator;
import org.trellis.examples.airfoil.AirfoilSolver;
import org.trellis.examples.tsunami.HandFusedStep;
import org.trellis.examples.tsunami.TsunamiSolver;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/**
 * Times chains of loops in several variants in turn, in one process: arguments are backend, threads, rounds, case
 * ({@code chebyshev:WIDTH:SWEEPS}, {@code airfoil:I:J:ITERATIONS}, {@code tsunami:N:STEPS}, {@code cg:WIDTH}), and
 * variants such as {@code none}, {@code hand} (kernels put together by hand; {@code handlean} stores less), {@code
 * fused}, {@code fused:2048} (blocks of so many elements), {@code sparse:6000}, {@code redundant:20000}, {@code
 * sparse:0} (tuned). Prints a line of JSON for each way.
 */
public final class ChainTiming {
    private final String name;
    private final Mesh mesh;
    private Runnable work;
    private final List<Double> seconds = new ArrayList<>();

    private ChainTiming(String name, Mesh mesh) {
        this.name = name;
        this.mesh = mesh;
    }

    /**
     * Times.
     *
     * @param arguments see above
     */
    @SuppressWarnings("MustBeClosed") // the process ends
    public static void start(String... arguments) {
        int rounds = Integer.parseInt(arguments[2]);
        Backend backend = Backends.open(arguments[0],
                Configuration.builder().set(ConfigurationKeys.THREADS, Integer.parseInt(arguments[1])).build());
        List<ChainTiming> ways = new ArrayList<>();
        for (String way : Arrays.copyOfRange(arguments, 4, arguments.length)) {
            ways.add(declare(backend, way, arguments[3].split(":")));
        }
        for (int round = -3; round < rounds; round++) {
            for (ChainTiming way : ways) {
                long start = now(arguments[1]);
                way.work.run();
                MeshChains.settle(way.mesh);
                way.await();
                if (round >= 0) {
                    way.seconds.add((now(arguments[1]) - start) * 1e-9);
                }
            }
        }
        for (ChainTiming way : ways) {
            way.print(String.join(" ", Arrays.copyOf(arguments, 4)), ways.getFirst());
        }
    }

    /** Waits for a device, which works while the host goes on. */
    private void await() {
        if (!(mesh.backend() instanceof HostBackend)) {
            mesh.dats().getFirst().get(0, 0);
        }
    }

    /** Time of the processor for one thread, which the work of others disturbs less; else of the day. */
    private static long now(String threads) {
        return threads.equals("1")
                ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()
                : System.nanoTime();
    }

    @SuppressWarnings("MustBeClosed") // the process ends
    private static ChainTiming declare(Backend backend, String way, String... job) {
        String[] tiles = way.split(":");
        boolean lazy = tiles.length > 2;
        boolean fused = tiles[0].equals("fused") || tiles[0].equals("tuned");
        boolean byHand = tiles[0].startsWith("hand");
        ChainOptions chains = fused
                ? ChainOptions.EAGER.withFusion(tiles[0].equals("tuned") ? Fusion.TUNED : Fusion.ON)
                : ChainOptions.EAGER.withLazy(lazy).withTiling(byHand ? Tiling.NONE : Tiling.of(tiles[0]),
                        tiles.length > 1 ? Integer.parseInt(tiles[1]) : 0);
        Optional<Integer> block =
                fused && tiles.length > 1 ? Optional.of(Integer.parseInt(tiles[1])) : Optional.empty();
        Mesh mesh = Mesh.on(backend,
                new MeshOptions(Layout.AOS, Optional.empty(), block, false, false).withChains(chains));
        ChainTiming timing = new ChainTiming(way, mesh);
        timing.begin(tiles[0], job);
        return timing;
    }

    private void begin(String way, String... job) {
        switch (job[0]) {
            case "chebyshev" -> {
                Chebyshev sweeps = new Chebyshev(mesh, Integer.parseInt(job[1]), Integer.parseInt(job[2]));
                work = sweeps::run;
            }
            case "airfoil" -> {
                AirfoilSolver solver = new AirfoilSolver(mesh,
                        AirfoilGenerator.generate(Integer.parseInt(job[1]), Integer.parseInt(job[2])), Precision.F64);
                int iterations = Integer.parseInt(job[3]);
                work = () -> {
                    for (int i = 0; i < iterations; i++) {
                        solver.advance();
                    }
                    solver.residual();
                };
            }
            case "cg" -> {
                ConjugateGradients iterations =
                        new ConjugateGradients(mesh, Integer.parseInt(job[1]), way.equals("hand"));
                work = iterations::run;
            }
            case "tsunami" -> {
                String basin = "drop:n=" + job[1];
                if (way.startsWith("hand")) {
                    HandFusedStep step = new HandFusedStep(mesh, basin, way.equals("handlean"));
                    work = step::run;
                } else {
                    TsunamiSolver solver = HandFusedStep.plain(mesh, basin);
                    int steps = job.length > 2 ? Integer.parseInt(job[2]) : 1;
                    work = () -> {
                        for (int i = 0; i < steps; i++) {
                            solver.step(1e9);
                        }
                    };
                }
            }
            default -> throw new IllegalArgumentException(
                    "case is " + job[0] + ", expected chebyshev, airfoil, cg or tsunami");
        }
    }

    private double median() {
        List<Double> sorted = seconds.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private double medianRatio(ChainTiming base) {
        double[] ratios = new double[seconds.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = base.seconds.get(i) / seconds.get(i);
        }
        Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }

    private void print(String run, ChainTiming base) {
        StringBuilder tiles = new StringBuilder();
        for (ChainReport report : MeshChains.reports(mesh)) {
            Optional<TileStatistics> figures = report.statistics();
            tiles.append(tiles.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT,
                    "{\"loops\": %d, \"decision\": \"%s\", \"figures\": \"%s\"}", report.loops().size(),
                    report.decision(), figures.map(TileStatistics::toString).orElse("none")));
        }
        System.out.printf(Locale.ROOT,
                "{\"run\": \"%s\", \"way\": \"%s\", \"least_ms\": %.3f, \"median_ms\": %.3f, \"median_ratio\": %.3f, "
                        + "\"least_ratio\": %.3f, \"chains\": [%s]}%n",
                run, name, 1e3 * seconds.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                1e3 * median(), medianRatio(base),
                base.seconds.stream().mapToDouble(Double::doubleValue).min().orElseThrow()
                        / seconds.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                tiles);
    }
}
