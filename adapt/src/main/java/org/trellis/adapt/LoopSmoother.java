package org.trellis.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.kernel.Raster;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/**
 * Smooths a mesh in adaptation by loops on a backend. As long as the topology stays, so do the data there: positions
 * go to the backend, and positions, metric, qualities and lengths of edges come back, so that edges to split or
 * collapse and elements to swap are marked without measuring them again. Where it has changed, surroundings go there
 * anew; the raster of the metric stays.
 */
final class LoopSmoother implements AutoCloseable {
    private static final int GRAIN = 1024;

    private final CavityMesh mesh;
    private final Team team;
    private final Backend backend;
    private final Raster raster;
    private final boolean filtered;
    private final LoopTraffic.Counter counter;
    private Prepared prepared;

    /** A sweep that was declared before, by what it does. */
    private record Variant(SmoothingMethod method, boolean smart, double gain) {}

    /**
     * Creates it.
     *
     * @param mesh     the mesh
     * @param team     who works on the host
     * @param backend  where the loops run; stays open
     * @param metric   the metric of the mesh
     * @param filtered whether a device may interpolate it in hardware
     */
    LoopSmoother(CavityMesh mesh, Team team, Backend backend, RasterMetric metric, boolean filtered) {
        this.mesh = mesh;
        this.team = team;
        this.backend = backend;
        this.raster = metric.toRaster();
        this.filtered = filtered;
        counter = new LoopTraffic.Counter(backend.name());
        counter.sent(Double.BYTES * (long) metric.tensors().length);
    }

    /**
     * Sweeps until nothing moves any more.
     *
     * @param topology changes whenever the topology does
     * @param method   where vertices go
     * @param smart    whether the worst element around must become better
     * @param sweeps   how many sweeps at most
     * @param gain     the least improvement of the worst element that is worth a move, if moves are for that
     * @return how many have been done
     */
    int run(long topology, SmoothingMethod method, boolean smart, int sweeps, double gain) {
        long begin = System.nanoTime();
        prepare(topology);
        SweepRun sweep = prepared.sweep(new Variant(method, smart, gain));
        long start = System.nanoTime();
        prepared.sample.run();
        int done = 0;
        boolean moves = true;
        while (done < sweeps && moves) {
            moves = sweep.run();
            done++;
            counter.fetched(Integer.BYTES);
        }
        prepared.measure.run();
        prepared.lengths.run();
        long end = System.nanoTime();
        prepared.fetch();
        prepared.count();
        counter.time(start - begin, end - start, System.nanoTime() - end);
        return done;
    }

    /** Returns what has gone to and fro. */
    LoopTraffic traffic() {
        return counter.total();
    }

    /** Sends positions, and all else where the topology is not the one that was sent last. */
    @SuppressWarnings("MustBeClosed") // closed with this, or when there is another
    private void prepare(long topology) {
        if (prepared != null && prepared.topology == topology && prepared.elements == mesh.elements) {
            prepared.send();
            return;
        }
        // The old one is given back last, so that what both have, the raster, stays on the device.
        Prepared old = prepared;
        prepared = new Prepared(topology);
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    /** What a topology needs on the backend. */
    private final class Prepared implements AutoCloseable {
        private final long topology;
        private final int elements;
        private final SweepCavities cavities;
        private final int[] numbers;
        private final int[] alive;
        private final Mesh runtime;
        private final SweepLoops loops;
        /** Moves what loops cannot; null if there is nothing like that. */
        private final HostVertices host;
        private final Dat qualities;
        private final ParallelLoop sample;
        private final ParallelLoop measure;
        private final Dat spans;
        private final ParallelLoop lengths;
        private final Map<Variant, SweepRun> sweeps = new HashMap<>();

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this, or here if something fails
        Prepared(long topology) {
            this.topology = topology;
            this.elements = mesh.elements;
            cavities = SweepCavities.of(mesh, team);
            numbers = new int[mesh.vertices];
            team.run(numbers.length, GRAIN, cavities::order, (from, to, order) -> {
                for (int i = from; i < to; i++) {
                    numbers[order[i]] = i;
                }
            });
            alive = alive();
            runtime = Mesh.on(backend);
            boolean isMade = false;
            try {
                loops = new SweepLoops(runtime, cavities, raster, Precision.F64, filtered);
                host = cavities.host().length == 0
                        ? null
                        : new HostVertices(mesh, team, cavities, loops, Precision.F64);
                MeshSet cells = runtime.set("elements", alive.length);
                MeshMap corners = runtime.map("corners", cells, loops.vertices(), mesh.width, corners());
                qualities = runtime.dat("qualities", cells, 1, Precision.F64);
                sample = loops.sample();
                measure = loops.measure(corners, qualities);
                spans = runtime.dat("spans", cells, 2, Precision.F64);
                lengths = loops.lengths(corners, spans);
                isMade = true;
            } finally {
                if (!isMade) {
                    runtime.close();
                }
            }
            counter.sent(cavities.bytes() + (long) Integer.BYTES * mesh.width * alive.length);
        }

        private int[] alive() {
            int count = 0;
            int[] all = new int[mesh.elements];
            for (int e = 0; e < all.length; e++) {
                if (mesh.isAlive(e)) {
                    all[count++] = e;
                }
            }
            return Arrays.copyOf(all, count);
        }

        private int[] corners() {
            int[] corners = new int[alive.length * mesh.width];
            team.run(corners.length, GRAIN, () -> corners, (from, to, all) -> {
                for (int i = from; i < to; i++) {
                    all[i] = numbers[mesh.corners[alive[i / mesh.width] * mesh.width + i % mesh.width]];
                }
            });
            return corners;
        }

        SweepRun sweep(Variant variant) {
            return sweeps.computeIfAbsent(variant, wanted -> {
                SweepOptions options = new SweepOptions(wanted.method(),
                        wanted.smart() ? Acceptance.BETTER : Acceptance.VALID, Precision.F64, filtered, wanted.gain());
                return new SweepRun("sweep-" + sweeps.size(), loops, options, host);
            });
        }

        /** Counts what the host has taken to move vertices between loops, and put back. */
        void count() {
            if (host != null) {
                counter.fetched(host.takeFetched());
                counter.sent(host.takeSent());
            }
        }

        /** Sends where vertices are. */
        void send() {
            int d = mesh.dimension;
            double[] values = new double[numbers.length * d];
            team.run(numbers.length, GRAIN, () -> values, (from, to, all) -> {
                for (int v = from; v < to; v++) {
                    System.arraycopy(mesh.coordinates, v * d, all, numbers[v] * d, d);
                }
            });
            loops.positions().setAll(values);
            counter.sent((long) Double.BYTES * values.length);
        }

        /** Takes positions, metric, qualities and lengths of edges back. */
        void fetch() {
            int d = mesh.dimension;
            double[] x = loops.positions().toArray();
            double[] m = loops.tensors().toArray();
            double[] q = qualities.toArray();
            team.run(numbers.length, GRAIN, () -> x, (from, to, all) -> {
                for (int v = from; v < to; v++) {
                    System.arraycopy(all, numbers[v] * d, mesh.coordinates, v * d, d);
                    System.arraycopy(m, numbers[v] * mesh.tensorSize, mesh.metric, v * mesh.tensorSize,
                            mesh.tensorSize);
                }
            });
            team.run(alive.length, GRAIN, () -> q, (from, to, all) -> {
                for (int i = from; i < to; i++) {
                    mesh.quality[alive[i]] = all[i];
                }
            });
            double[] lengthsOfEdges = spans.toArray();
            mesh.spans.measured(team, mesh.elements, alive, lengthsOfEdges);
            counter.fetched((long) Double.BYTES * (x.length + m.length + q.length + lengthsOfEdges.length));
        }

        @Override
        public void close() {
            runtime.close();
        }
    }
}
