package org.trellis.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.ParallelLoop;

/**
 * Smoothing of a mesh of triangles or tetrahedra by loops of the mesh runtime, one or two for each colour of vertices
 * and many uphill, on any backend that has loops with maps of variable arity; positions, cavities and metric stay where
 * it computes. The metric is a raster, and is evaluated wherever a vertex is put. Vertices on straight sides and flat
 * facets slide, and those on curves and surfaces where moves are tried; corners stay.
 * Colours are first-fit, free vertices first, as those of {@link Adaptation}.
 */
public final class SmoothingSweep implements AutoCloseable {
    /** Sweeps of a sequence between which no value is read: one launch of a device. */
    private static final int JOINED = 16;

    private final SweepOptions options;
    private final SweepCavities cavities;
    private final Mesh mesh;
    private final SweepLoops loops;
    private final ParallelLoop sample;
    /** A sweep that tries moves; null if all are made. */
    private final SweepRun tried;
    /** One and many sweeps that make all moves; null if they are tried. */
    private final LoopSequence one;
    private final LoopSequence many;
    private boolean isSampled;

    /**
     * Declares the loops. Vertices on curves and surfaces that kernels do not know (splines, surfaces by normals, a
     * program's own) are moved by the host, which takes what is around them from the backend after each colour that
     * has any.
     *
     * @param backend   where they run; stays open
     * @param simplices the mesh
     * @param metric    the metric
     * @param options   how to smooth
     * @throws IllegalArgumentException if the raster has not the dimension of the mesh, or the mesh has curved sides
     *                                  and all moves are accepted
     */
    @MustBeClosed
    public SmoothingSweep(Backend backend, SimplexMesh simplices, RasterMetric metric, SweepOptions options) {
        this(backend, Start.of(simplices, metric), metric, options);
    }

    /**
     * Declares the loops.
     *
     * @param backend   where they run; stays open
     * @param simplices the surroundings of the vertices, which several may share
     * @param metric    the metric
     * @param options   how to smooth
     * @throws IllegalArgumentException if the raster has not the dimension of the mesh, or that has curved sides and
     *                                  all moves are accepted, or has vertices that only the host can move
     */
    @MustBeClosed
    public SmoothingSweep(Backend backend, SweepCavities simplices, RasterMetric metric, SweepOptions options) {
        this(backend, new Start(simplices, null), metric, options);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this, or here if something fails
    private SmoothingSweep(Backend backend, Start start, RasterMetric metric, SweepOptions options) {
        checkDimension(metric, start.cavities().dimension());
        this.options = options;
        cavities = start.cavities();
        mesh = Mesh.on(backend);
        boolean done = false;
        try {
            loops = new SweepLoops(mesh, cavities, metric.toRaster(), options.precision(), options.filtered());
            sample = loops.sample();
            boolean all = options.acceptance() == Acceptance.ALL;
            List<ParallelLoop> sweep = all
                    ? loops.byColours(options).stream().flatMap(List::stream).toList()
                    : List.of();
            one = all ? sequence("sweep", sweep, 1) : null;
            many = all ? sequence("sweeps", sweep, JOINED) : null;
            tried = all ? null : new SweepRun("sweep", loops, options, start.host(loops, options.precision()));
            done = true;
        } finally {
            if (!done) {
                mesh.close();
            }
        }
    }

    private static void checkDimension(RasterMetric metric, int dimension) {
        if (metric.dimension() != dimension) {
            throw new IllegalArgumentException("the raster has " + metric.dimension() + " dimensions, expected "
                    + dimension + " as the mesh");
        }
    }

    /** The surroundings of vertices, and the mesh on the host if only that can move some of them; or null. */
    private record Start(SweepCavities cavities, CavityMesh mesh) {
        static Start of(SimplexMesh simplices, RasterMetric metric) {
            checkDimension(metric, simplices.dimension());
            SweepCavities cavities = SweepCavities.of(simplices);
            if (cavities.host().length == 0) {
                return new Start(cavities, null);
            }
            try (Team team = new Team(1)) {
                return new Start(cavities, new CavityMesh(simplices, metric, team));
            }
        }

        HostVertices host(SweepLoops loops, Precision precision) {
            if (cavities.host().length == 0) {
                return null;
            }
            if (mesh == null) {
                throw new IllegalArgumentException(cavities.host().length
                        + " vertices are on curves or surfaces that only the host can follow, expected the mesh itself"
                        + " instead of the surroundings of its vertices");
            }
            return new HostVertices(mesh, new Team(1), cavities, loops, precision);
        }
    }

    private LoopSequence sequence(String name, List<ParallelLoop> sweep, int times) {
        LoopSequence.Builder builder = mesh.sequence(name);
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
            if (!tried.run()) {
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
