package org.trellis.adapt;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.adapt.metric.VertexMetrics;
import org.trellis.backend.Backend;

/** The operations of an adaptation on one mesh. */
final class Adapter implements AutoCloseable {
    static final int MOST_PASSES = 60;
    private static final int GRAIN = 256;
    /** Limits that are tried: quarters of an octave. */
    private static final int TRIED_LIMITS = 128;
    private static final int STEPS_PER_OCTAVE = 4;
    /** A mesh with so many times the elements that the metric asks for will not come near it. */
    private static final int EXCESS = 100;
    /** What an element and its share of vertices take at least. */
    private static final int BYTES_OF_ELEMENT = 80;
    /** They are counted again when there are so many times more. */
    private static final double RECOUNT = 1.25;

    private final CavityMesh mesh;
    private final Team team;
    private final IndependentRounds rounds;
    /** Operations that have been carried out, and how many they were when sets of vertices were last made. */
    private long changes;
    private long smoothedAt;
    private Smoothing smoothing;
    /** For each vertex the methods of smoothing that may move it, and the pass up to which changes are in that. */
    private byte[] due = new byte[0];
    private int duePass;
    private boolean wasSmart;
    /** Moves vertices elsewhere, or null. */
    private LoopSmoother loops;
    private final double startElements;
    /** When there are more elements, or gaps, they are compared with what the metric asks for. */
    private double comparedAbove;

    Adapter(SimplexMesh start, MetricSource source, int threads) {
        team = new Team(threads);
        mesh = new CavityMesh(start, source, team);
        try {
            VertexMetrics.check(mesh.dimension, start.coordinates(), mesh.metric);
        } catch (IllegalArgumentException e) {
            team.close();
            throw e;
        }
        rounds = new IndependentRounds(mesh, team);
        startElements = mesh.elements;
        comparedAbove = Math.min(EXCESS * startElements, mostElements());
    }

    /** Returns for how many elements the heap has room. */
    static double mostElements() {
        return (double) Runtime.getRuntime().maxMemory() / BYTES_OF_ELEMENT;
    }

    /** Lets loops on a backend move vertices from now on. */
    void smoothOn(Backend backend, RasterMetric metric, boolean filtered) {
        loops = new LoopSmoother(mesh, team, backend, metric, filtered);
    }

    /** Returns what loops have sent and fetched, if they move vertices. */
    Optional<LoopTraffic> traffic() {
        return Optional.ofNullable(loops).map(LoopSmoother::traffic);
    }

    /**
     * Splits until no edge is longer, or for some passes; returns how many edges were split. Refuses to go on when
     * there are too many elements for the heap, or many times those that the metric asks for.
     */
    int refine(double limit, int passes) {
        int total = 0;
        int since = 0;
        for (int pass = 0; pass < passes; pass++) {
            int done = rounds.run(new EdgeSplit(mesh, limit), since);
            since = rounds.pass();
            total += done;
            changes += done;
            if (done == 0) {
                break;
            }
            limitElements();
        }
        return total;
    }

    /** What the metric asks for is measured on the mesh as it is, which knows more of it than the mesh at the start. */
    private void limitElements() {
        if (mesh.elements <= comparedAbove) {
            return;
        }
        long count = IntStream.range(0, mesh.elements).filter(mesh::isAlive).count();
        double asked =
                VertexMetrics.complexity(mesh.dimension, mesh.coordinates, mesh.corners, mesh.elements, mesh.metric);
        if (count > mostElements()) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "the mesh has grown to %,d elements, where "
                    + "the metric asks for about %.2g, expected at most %.2g, for which the heap of this JVM has room "
                    + "(option -Xmx)", count, asked, mostElements()));
        }
        if (count > EXCESS * (asked + startElements)) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "the mesh has grown from %.0f elements to "
                    + "%,d, more than %d times the %.2g that the metric asks for and those at the start, expected the "
                    + "steps refine, coarsen and swap together and no metric that vertices carry, where lengths differ "
                    + "much with the direction", startElements, count, EXCESS, asked));
        }
        comparedAbove = Math.min(Math.max(EXCESS * startElements, RECOUNT * count), mostElements());
    }

    /** Collapses until no edge that could be is shorter. */
    int coarsen(double shortest, double longest, double tolerance) {
        int total = 0;
        int since = 0;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            int done = rounds.run(new EdgeCollapse(mesh, shortest, longest, tolerance), since);
            since = rounds.pass();
            total += done;
            changes += done;
            if (done == 0) {
                break;
            }
        }
        if (mesh.compact()) {
            due = new byte[0];
        }
        return total;
    }

    /** Swaps until nothing gets better, or for some passes. */
    int swap(double threshold, int passes) {
        int total = 0;
        int since = 0;
        for (int pass = 0; pass < passes; pass++) {
            int done = rounds.run(new FacetSwap(mesh, threshold), since);
            int next = rounds.pass();
            if (mesh.dimension == 3) {
                done += rounds.run(new EdgeRemoval(mesh, threshold), since);
            }
            since = next;
            total += done;
            changes += done;
            if (done == 0) {
                break;
            }
        }
        return total;
    }

    /** Smooths and reports each sweep; returns the number of sweeps. */
    int smooth(SmoothingMethod method, boolean smart, int sweeps, double gain, IntConsumer swept) {
        if (loops != null) {
            AdaptPhase outside = team.clock().enter(AdaptPhase.MOVE);
            int done = loops.run(changes, method, smart || method == SmoothingMethod.OPTIMISATION, sweeps, gain);
            team.clock().enter(outside);
            return done;
        }
        AdaptPhase outside = team.clock().enter(AdaptPhase.COLOUR);
        if (smoothing == null || smoothedAt != changes) {
            wake();
            smoothing = new Smoothing(mesh, team, due);
            smoothedAt = changes;
        }
        if (wasSmart != smart) {
            Arrays.fill(due, Smoothing.ALL);
            wasSmart = smart;
        }
        team.clock().enter(AdaptPhase.MOVE);
        int done = smoothing.run(method, smart, sweeps, gain, swept);
        team.clock().enter(outside);
        return done;
    }

    /** Vertices around which the topology has changed may be moved again by every method. */
    private void wake() {
        int known = due.length;
        due = Arrays.copyOf(due, mesh.vertices);
        for (int v = 0; v < due.length; v++) {
            if (v >= known || rounds.hasChanged(v, duePass)) {
                due[v] = Smoothing.ALL;
            }
        }
        duePass = rounds.pass() + 1;
    }

    double longestEdge() {
        return Arrays.stream(longestEdges()).max().orElse(0);
    }

    /**
     * Chooses down to which length edges are split in a sweep: a share of the longest; less if that would be few.
     *
     * @param share of the longest edge
     * @param few   at least one in so many elements has a longer edge, if any limit above the least does that
     * @param least no edge is split that is shorter
     * @return the length
     */
    double splitLimit(double share, int few, double least) {
        double[] longest = longestEdges();
        double limit = share * Arrays.stream(longest).max().orElse(0);
        int[] counts = new int[TRIED_LIMITS];
        for (double length : longest) {
            if (length > 0) {
                int step = (int) Math.ceil(STEPS_PER_OCTAVE * Math.log(limit / length) / Math.log(2));
                counts[Math.clamp(step, 0, TRIED_LIMITS - 1)]++;
            }
        }
        int step = 0;
        for (long above = counts[0]; above * few < longest.length && step < TRIED_LIMITS - 1; step++) {
            above += counts[step + 1];
        }
        return Math.max(least, limit * Math.pow(2, -(double) step / STEPS_PER_OCTAVE));
    }

    /** The longest edge of each element; 0 where there is none. */
    private double[] longestEdges() {
        AdaptPhase outside = team.clock().enter(AdaptPhase.MEASURE);
        double[] longest = new double[mesh.elements];
        team.run(mesh.elements, GRAIN, () -> longest, (from, to, all) -> {
            for (int e = from; e < to; e++) {
                all[e] = mesh.isAlive(e) ? longestEdge(e) : 0;
            }
        });
        team.clock().enter(outside);
        return longest;
    }

    private double longestEdge(int element) {
        double longest = mesh.spans.longest(element);
        if (longest == Double.POSITIVE_INFINITY) {
            longest = 0;
            for (int i = 0; i < mesh.width; i++) {
                for (int j = i + 1; j < mesh.width; j++) {
                    longest = Math.max(longest, mesh.edgeLength(mesh.corners[element * mesh.width + i],
                            mesh.corners[element * mesh.width + j]));
                }
            }
        }
        return longest;
    }

    Map<AdaptPhase, PhaseTime> phases() {
        return team.clock().times();
    }

    CavityMesh mesh() {
        return mesh;
    }

    MeshQuality quality(SimplexMesh compacted, double[] metric) {
        AdaptPhase outside = team.clock().enter(AdaptPhase.MEASURE);
        MeshQuality quality = MeshQuality.of(compacted, metric, team);
        team.clock().enter(outside);
        return quality;
    }

    SimplexMesh toMesh() {
        return mesh.toMesh();
    }

    @Override
    public void close() {
        if (loops != null) {
            loops.close();
        }
        team.close();
    }
}
