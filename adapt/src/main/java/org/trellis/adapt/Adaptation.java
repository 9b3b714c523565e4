package org.trellis.adapt;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.adapt.metric.VertexMetrics;
import org.trellis.backend.Backend;
import org.trellis.common.ProgressListener;

/**
 * Adapts a mesh to a metric: short edges are collapsed and long ones split, elements swapped, vertices moved, and
 * again, until
 * next to nothing changes; then the worst elements are optimised. The mesh is valid after each operation: oriented
 * exactly,
 * conforming, with the same patches, regions, boundary and measure but for rounding.
 */
public final class Adaptation {
    /** Elements below this quality are swapped if that makes them better. */
    private static final double SWAP_BELOW = 0.95;
    /** Sweeps of smoothing between the other steps. */
    private static final int SWEEPS_BETWEEN = 3;
    /** The loop ends when fewer than one in so many edges is split, collapsed or swapped. */
    private static final int EDGES_PER_CHANGE = 200;
    /** A collapse may not make the worst element worse than this times what it was, once the mesh is nearly adapted. */
    private static final double TOLERANCE = 0.7;
    /** Edges are split down to this share of the longest one in a sweep; swapping in between saves most of the rest. */
    private static final double SHARE = 0.5;
    /** Or further, until one in so many elements has a longer one: a few very long edges must not hold up others. */
    private static final int ELEMENTS_PER_LONG_EDGE = 50;
    /** A smaller gain of the worst element is not worth a move, because other steps gain more. */
    private static final double WORTH = 1e-3;
    /** The same where nothing but smoothing is done, to the end. */
    private static final double FINEST = 1e-9;
    private static final int REFINE_PASSES = 20;
    /** A mesh with edges longer than this is adapted in stages, until none is longer than the next. */
    private static final double STAGED_LENGTH = 16;
    private static final double STAGE_LENGTH = 4;
    /** The longest edge at the beginning of a stage, but for the first, which only coarsens. */
    private static final double NEXT = 2;
    private static final int SWEEPS_OF_STAGE = 4;
    private static final int MOST_STAGES = 60;
    private static final int SWAP_PASSES = 6;
    /** Rounds of swapping and optimising at the end. */
    private static final int POLISH_ROUNDS = 4;

    private final SimplexMesh start;
    private final MetricSource source;
    private final AdaptOptions options;
    private final ProgressListener progress;
    private final Map<AdaptStep, Long> nanoseconds = new EnumMap<>(AdaptStep.class);
    private final Map<AdaptStep, Long> counts = new EnumMap<>(AdaptStep.class);
    /** Where vertices are moved, or null for the host's threads. */
    private Backend backend;
    private boolean filtered;

    /**
     * Declares an adaptation.
     *
     * @param start    the mesh; stays as it is
     * @param source   the metric
     * @param options  how to adapt
     * @param progress hears of sweeps
     */
    public Adaptation(SimplexMesh start, MetricSource source, AdaptOptions options, ProgressListener progress) {
        this.start = Objects.requireNonNull(start);
        this.source = Objects.requireNonNull(source);
        this.options = Objects.requireNonNull(options);
        this.progress = Objects.requireNonNull(progress);
    }

    /**
     * Lets loops of the mesh runtime move vertices, and measure metric and quality where they have moved: see
     * {@link SmoothingSweep}. Elements still come and go on the host's threads. Results are those of the host but for
     * rounding. A metric that is no raster is sampled by {@link RasterMetric#within}.
     *
     * @param backend  where the loops run; stays open, and has to until this has run
     * @param filtered whether a device may interpolate the metric in hardware
     * @return this
     * @throws IllegalArgumentException if the metric is not a raster, or has not the dimension of the mesh
     */
    public Adaptation smoothingOn(Backend backend, boolean filtered) {
        if (!(source instanceof RasterMetric metric) || metric.dimension() != start.dimension()) {
            throw new IllegalArgumentException("loops sample the metric from a raster of " + start.dimension()
                    + " dimensions, expected a RasterMetric like that (RasterMetric.within samples any metric)");
        }
        this.backend = Objects.requireNonNull(backend);
        this.filtered = filtered;
        return this;
    }

    /**
     * Adapts the mesh. The same mesh, metric and options give the same bits for any number of threads.
     *
     * @return the adapted mesh
     * @throws IllegalArgumentException if the metric of a vertex, of the mesh or of the adapted one, is not positive
     *                                  definite; names the vertex; or if it asks for more elements than the heap holds,
     *                                  or splitting makes that many, or more than 100 times those that it asks for
     *                                  and those at the start together
     */
    public AdaptedMesh run() {
        return run(SweepListener.NONE);
    }

    /**
     * Adapts the mesh and shows it after each sweep, which changes nothing of the result.
     *
     * @param listener is shown the mesh
     * @return the adapted mesh
     * @throws IllegalArgumentException if the metric of a vertex, of the mesh or of the adapted one, is not positive
     *                                  definite; names the vertex; or if it asks for more elements than the heap holds,
     *                                  or splitting makes that many, or more than 100 times those that it asks for
     *                                  and those at the start together
     */
    public AdaptedMesh run(SweepListener listener) {
        long begin = System.nanoTime();
        checkSize();
        try (Adapter adapter = new Adapter(approached(), source, options.threads())) {
            if (backend != null) {
                adapter.smoothOn(backend, (RasterMetric) source, filtered);
            }
            boolean smoothOnly = options.steps().size() == 1 && options.has(AdaptStep.SMOOTH);
            int sweeps = 0;
            boolean settled = false;
            if (smoothOnly) {
                sweeps = timed(AdaptStep.SMOOTH, () -> adapter.smooth(options.smoothing(), options.smart(),
                        options.sweeps(), FINEST, done -> show(adapter, done, listener)));
                settled = sweeps < options.sweeps();
            } else {
                while (sweeps < options.sweeps() && !settled) {
                    progress.progress("adapt", sweeps, options.sweeps());
                    settled = sweep(adapter);
                    sweeps++;
                    show(adapter, sweeps, listener);
                }
            }
            polish(adapter);
            SimplexMesh mesh = adapter.toMesh();
            double[] metric = Arrays.copyOf(adapter.mesh().metric, mesh.vertices() * adapter.mesh().tensorSize);
            VertexMetrics.check(mesh.dimension(), mesh.coordinates(), metric);
            listener.swept(sweeps, mesh, metric);
            MeshQuality quality = adapter.quality(mesh, metric);
            return new AdaptedMesh(mesh, metric, quality,
                    report(adapter, sweeps, settled, begin));
        }
    }

    /** Refuses metrics that ask for more elements than the heap holds, and those that are none. */
    private void checkSize() {
        int d = start.dimension();
        double[] tensors = source.atAll(d, start.coordinates());
        VertexMetrics.check(d, start.coordinates(), tensors);
        double asked = options.has(AdaptStep.REFINE) ? VertexMetrics.complexity(start, tensors) : 0;
        double most = Adapter.mostElements();
        if (asked > most) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "the metric asks for about %.2g elements, "
                    + "expected at most %.2g, for which the heap of this JVM has room (option -Xmx)", asked, most));
        }
    }

    /** Adapts to the metric in stages where it is stretched and edges are many times too long, and to its end later. */
    private SimplexMesh approached() {
        if (source.isInterpolated() || !options.has(AdaptStep.REFINE) || !options.has(AdaptStep.COARSEN)
                || !options.has(AdaptStep.SWAP)) {
            return start;
        }
        SimplexMesh mesh = start;
        double longest = MetricStage.longestStretched(mesh, source);
        if (longest < STAGED_LENGTH) {
            return start;
        }
        double length = 1;
        for (int stage = 0; stage < MOST_STAGES && longest > STAGE_LENGTH; stage++) {
            progress.progress("approach", stage, MOST_STAGES);
            try (Adapter adapter =
                    new Adapter(mesh, MetricStage.of(mesh, source, length), options.threads())) {
                for (int sweep = 0; sweep < SWEEPS_OF_STAGE; sweep++) {
                    if (sweep(adapter)) {
                        break;
                    }
                }
                mesh = adapter.toMesh();
            }
            length = NEXT;
            longest = MetricStage.longestStretched(mesh, source);
        }
        return mesh;
    }

    /** Compacting keeps the order of vertices and elements, so nothing depends on whether a program watches. */
    private static void show(Adapter adapter, int sweep, SweepListener listener) {
        if (listener != SweepListener.NONE) {
            SimplexMesh mesh = adapter.toMesh();
            listener.swept(sweep, mesh,
                    Arrays.copyOf(adapter.mesh().metric, mesh.vertices() * adapter.mesh().tensorSize));
        }
    }

    private AdaptReport report(Adapter adapter, int sweeps, boolean settled, long begin) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        seconds.put("all", (System.nanoTime() - begin) * 1e-9);
        nanoseconds.forEach((step, time) -> seconds.put(step.label(), time * 1e-9));
        return new AdaptReport(sweeps, counts.getOrDefault(AdaptStep.REFINE, 0L),
                counts.getOrDefault(AdaptStep.COARSEN, 0L), counts.getOrDefault(AdaptStep.SWAP, 0L), seconds,
                adapter.phases(), settled, adapter.traffic());
    }

    private int timed(AdaptStep step, IntSupplier work) {
        if (!options.has(step)) {
            return 0;
        }
        long begin = System.nanoTime();
        int count = work.getAsInt();
        nanoseconds.merge(step, System.nanoTime() - begin, Long::sum);
        counts.merge(step, (long) count, Long::sum);
        return count;
    }

    /** Takes each step once; returns whether next to nothing changed. */
    private boolean sweep(Adapter adapter) {
        boolean repairs = options.has(AdaptStep.SWAP) && options.has(AdaptStep.REFINE);
        double limit =
                repairs ? adapter.splitLimit(SHARE, ELEMENTS_PER_LONG_EDGE, options.longest()) : options.longest();
        int changes = timed(AdaptStep.COARSEN, () -> adapter.coarsen(options.shortest(), limit, tolerance()));
        changes += timed(AdaptStep.REFINE, () -> adapter.refine(limit, repairs ? 1 : REFINE_PASSES));
        changes += timed(AdaptStep.SWAP, () -> adapter.swap(SWAP_BELOW, repairs ? SWAP_PASSES : Adapter.MOST_PASSES));
        if (options.has(AdaptStep.SMOOTH)) {
            smooth(adapter, options.smoothing(), options.smart(), SWEEPS_BETWEEN);
        }
        return limit == options.longest() && (long) changes * EDGES_PER_CHANGE < adapter.mesh().elements;
    }

    /** Coarsening alone has nothing that could repair what it makes worse later, and nothing that it would undo. */
    private double tolerance() {
        return options.has(AdaptStep.SWAP) && options.has(AdaptStep.REFINE) ? TOLERANCE : 0;
    }

    private int smooth(Adapter adapter, SmoothingMethod method, boolean smart, int sweeps) {
        return timed(AdaptStep.SMOOTH, () -> adapter.smooth(method, smart, sweeps, WORTH, done -> {}));
    }

    private void polish(Adapter adapter) {
        if (!options.has(AdaptStep.SMOOTH) || options.polish() == 0) {
            return;
        }
        for (int round = 0; round < POLISH_ROUNDS; round++) {
            progress.progress("optimise", round, POLISH_ROUNDS);
            smooth(adapter, options.smoothing(), true, options.polish());
            smooth(adapter, SmoothingMethod.OPTIMISATION, true, options.polish());
            if (timed(AdaptStep.SWAP, () -> adapter.swap(1, SWAP_PASSES)) == 0) {
                break;
            }
        }
        smooth(adapter, SmoothingMethod.OPTIMISATION, true, options.polish());
    }
}
