package org.trellis.bench.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.AdaptPhase;
import org.trellis.adapt.AdaptReport;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.common.ProgressListener;

/**
 * Times whole adaptations with one and with more threads in turns, in one JVM, and by phases: which of them are shared
 * out, and what becomes of these. {@code trellis measure adaptation square|cube
 * SHORTEST ROUNDS THREADS}, the shortest edge being a tenth of the longest. The second half of the rounds counts, since
 * the JVM compiles in the first.
 */
final class AdaptTiming {
    private static final double RATIO = 10;
    private static final int SPACE_SWEEPS = 4;

    private AdaptTiming() {}

    @SuppressWarnings("PrintStackTrace")
    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    private static AdaptReport run(String shape, double shortest, int threads, int round) {
        boolean plane = shape.equals("square");
        SimplexMesh mesh = plane ? SimplexMesh.square(50) : SimplexMesh.cube(8);
        MetricSource metric = AnalyticMetrics.linear(mesh.dimension(), shortest, RATIO * shortest);
        AdaptOptions options = AdaptOptions.DEFAULT.withThreads(threads);
        System.gc();
        AdaptedMesh adapted = new Adaptation(mesh, metric, plane ? options : options.withSweeps(SPACE_SWEEPS),
                ProgressListener.NONE).run();
        say("round %d, %d threads: %.3f s, %d elements", round, threads, adapted.report().seconds().get("all"),
                adapted.mesh().elements());
        return adapted.report();
    }

    private static double median(List<AdaptReport> reports, ToDoubleFunction<AdaptReport> value) {
        double[] all = reports.stream().skip(reports.size() / 2).mapToDouble(value).sorted().toArray();
        return all[all.length / 2];
    }

    /**
     * Runs the program.
     *
     * @param arguments square or cube, the shortest edge, rounds, threads
     */
    static void start(String... arguments) {
        List<AdaptReport> one = new ArrayList<>();
        List<AdaptReport> more = new ArrayList<>();
        for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
            double shortest = Double.parseDouble(arguments[1]);
            one.add(run(arguments[0], shortest, 1, round));
            more.add(run(arguments[0], shortest, Integer.parseInt(arguments[3]), round));
        }
        double first = median(one, report -> report.seconds().get("all"));
        double second = median(more, report -> report.seconds().get("all"));
        say("medians of the second half: %.3f s with one thread, %.3f with %s, %.2f times", first, second, arguments[3],
                first / second);
        Arrays.stream(AdaptPhase.values()).filter(phase -> one.getFirst().phases().containsKey(phase)).forEach(
                phase -> {
                    double before = median(one, report -> report.phases().get(phase).seconds());
                    double after = median(more, report -> report.phases().get(phase).seconds());
                    say("%-8s %.3f s (%4.1f %%), of it not shared out %.3f; %.3f s with %s, of it not shared out %.3f;"
                            + " %.2f times", phase.label(), before, 100 * before / first,
                            before - median(one, report -> report.phases().get(phase).shared()), after, arguments[3],
                            after - median(more, report -> report.phases().get(phase).shared()), before / after);
                });
    }
}
