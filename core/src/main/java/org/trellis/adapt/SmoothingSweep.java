package org.trellis.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.ParallelLoop;

/**
 * Smoothing of a mesh of triangles or tetrahedra by loops of the mesh runtime, one or two for each colour of vertices
 * and many uphill, on any backend that has loops with maps of variable arity; positions, cavities and metric stay where
 * it computes. The metric is a raster, and is evaluated wherever a vertex is put. Vertices on straight sides and flat
 * facets slide, and those on circles, spheres, cylinders and ridges of these where moves are tried; corners stay.
 * Colours are first-fit, free vertices first, as those of {@link Adaptation}.
 */
public final class SmoothingSweep implements AutoCloseable {
    /** Sweeps of a sequence where nobody looks in between: one launch of a device. */
    private static final int JOINED = 16;

    private final SweepOptions options;
    private final SweepCavities cavities;
    private final Mesh mesh;
    private final SweepLoops loops;
    private final ParallelLoop sample;
    private final LoopSequence one;
    private final LoopSequence many;
    private boolean isSampled;

    /**
     * Declares the loops.
     *
     * @param backend   where they run; stays open
     * @param simplices the mesh
     * @param metric    the metric
     * @param options   how to smooth
     * @throws IllegalArgumentException if the raster has not the dimension of the mesh, or the mesh has
     *                                  curves or surfaces that kernels do not know, or any if all moves are accepted
     */
    @MustBeClosed
    public SmoothingSweep(Backend backend, SimplexMesh simplices, RasterMetric metric, SweepOptions options) {
        this(backend, SweepCavities.of(simplices), metric, options);
    }

    /**
     * Declares the loops.
     *
     * @param backend   where they run; stays open
     * @param simplices the surroundings of the vertices, which several may share
     * @param metric    the metric
     * @param options   how to smooth
     * @throws IllegalArgumentException if the raster has not the dimension of the mesh, or that has curved sides and
     *                                  all moves are accepted
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this, or here if something fails
    public SmoothingSweep(Backend backend, SweepCavities simplices, RasterMetric metric, SweepOptions options) {
        if (metric.dimension() != simplices.dimension()) {
            throw new IllegalArgumentException("the raster has " + metric.dimension() + " dimensions, expected "
                    + simplices.dimension() + " as the mesh");
        }
        this.options = options;
        cavities = simplices;
        mesh = Mesh.on(backend);
        boolean done = false;
        try {
            loops = new SweepLoops(mesh, cavities, metric.toRaster(), options.precision(), options.filtered());
            sample = loops.sample();
            List<ParallelLoop> sweep = loops.sweep(options);
            one = sequence("sweep", sweep, 1);
            many = options.acceptance() == Acceptance.ALL ? sequence("sweeps", sweep, JOINED) : null;
            done = true;
        } finally {
            if (!done) {
                mesh.close();
            }
        }
    }

    private LoopSequence sequence(String name, List<ParallelLoop> sweep, int times) {
        LoopSequence.Builder builder = mesh.sequence(name);
        if (options.acceptance() != Acceptance.ALL) {
            builder.set(loops.moved(), 0);
        }
        for (int i = 0; i < times; i++) {
            sweep.forEach(builder::run);
        }
        return builder.build();
    }

    /**
     * Returns the number of colours, of free and bound vertices together.
     *
     * @return at least 1
     */
    public int colours() {
        return loops.colours();
    }

    /**
     * Sweeps, and stops when nothing moves any more if moves have to make the worst element better.
     *
     * @param sweeps how often at most
     * @return how often
     */
    public int run(int sweeps) {
        if (options.acceptance() == Acceptance.ALL) {
            for (int i = 0; i < sweeps / JOINED; i++) {
                many.run();
            }
            for (int i = 0; i < sweeps % JOINED; i++) {
                one.run();
            }
            return sweeps;
        }
        if (!isSampled) {
            sample.run();
            isSampled = true;
        }
        for (int i = 0; i < sweeps; i++) {
            one.run();
            if (loops.moved().get(0) == 0) {
                return i + 1;
            }
        }
        return sweeps;
    }

    /**
     * Returns where the vertices are.
     *
     * @return two or three coordinates for each, in the order of the mesh
     */
    public double[] coordinates() {
        return cavities.inMeshOrder(loops.positions().toArray());
    }

    /**
     * Returns the metric where the vertices are, as the backend interpolates it.
     *
     * @return a tensor for each, in the order of the mesh
     */
    public double[] metric() {
        sample.run();
        return cavities.inMeshOrder(loops.tensors().toArray());
    }

    /**
     * Returns the mesh of the runtime, for its report.
     *
     * @return the mesh
     */
    public Mesh mesh() {
        return mesh;
    }

    @Override
    public void close() {
        mesh.close();
    }
}
