package org.trellis.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.mesh.ColourSweep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/**
 * Smoothing of a plane mesh by loops of the mesh runtime, one for each colour of vertices, on any backend that has
 * loops with maps of variable arity; positions, cavities and metric stay where it computes. The metric is a raster, and
 * is evaluated wherever a vertex is put. Vertices on straight sides slide, corners stay, and colours are first-fit,
 * free vertices first, as those of {@link Adaptation}.
 */
public final class SmoothingSweep implements AutoCloseable {
    /** Sweeps of a sequence where nobody looks in between: one launch of a device. */
    private static final int JOINED = 16;

    private final SweepOptions options;
    private final SweepCavities cavities;
    private final Mesh mesh;
    private final Dat positions;
    private final Dat tensors;
    private final Global moved;
    private final ParallelLoop sample;
    private final LoopSequence one;
    private final LoopSequence many;
    private final int colours;

    /**
     * Declares the loops.
     *
     * @param backend   where they run; stays open
     * @param simplices the mesh, of triangles and with straight sides
     * @param metric    the metric
     * @param options   how to smooth
     * @throws IllegalArgumentException if the mesh or the raster is one in space, or the mesh has curved sides
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
     * @throws IllegalArgumentException if the raster is one in space
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this, or here if something fails
    public SmoothingSweep(Backend backend, SweepCavities simplices, RasterMetric metric, SweepOptions options) {
        this.options = options;
        cavities = simplices;
        mesh = Mesh.on(backend);
        boolean done = false;
        try {
            MeshSet vertices = mesh.set("vertices", cavities.order().length);
            positions = mesh.dat("positions", vertices, 2, options.precision(), cavities.coordinates());
            tensors = mesh.dat("metric", vertices, 3, options.precision());
            MeshRaster raster = MeshRaster.of(mesh, "metric", metric.toRaster(), options.filtered());
            MeshConstant rule = mesh.constant("rule", options.rule());
            moved = mesh.intGlobal("moved", 0);
            sample = mesh.loop(SweepKernelsLoops.SAMPLE, vertices, positions, raster, tensors);
            MeshMap neighbours = mesh.map("neighbours", vertices, vertices, cavities.offsets(),
                    cavities.neighbours());
            ColourSweep colouring = ColourSweep.of("moving", neighbours, cavities.classes());
            colours = colouring.colours().size();
            List<ParallelLoop> loops = options.acceptance() == Acceptance.ALL
                    ? plain(vertices, colouring, raster, rule)
                    : checked(vertices, colouring, raster, rule);
            one = sequence("sweep", loops, 1);
            many = options.acceptance() == Acceptance.ALL ? sequence("sweeps", loops, JOINED) : null;
            done = true;
        } finally {
            if (!done) {
                mesh.close();
            }
        }
    }

    private boolean isFree(ColourSweep.ColourSet colour) {
        return cavities.classes()[colour.own().toArray()[0]] == 0;
    }

    private List<ParallelLoop> plain(MeshSet vertices, ColourSweep colouring, MeshRaster raster, MeshConstant rule) {
        double[] directions = new double[2 * cavities.order().length];
        for (int i = 0; i < directions.length; i++) {
            directions[i] = cavities.traits()[i / 2 * SweepCavities.TRAITS + i % 2];
        }
        Dat lines = mesh.dat("lines", vertices, 2, options.precision(), directions);
        return colouring.loops(colour -> isFree(colour) ? SweepKernelsLoops.MOVE : SweepKernelsLoops.SLIDE,
                colour -> isFree(colour)
                        ? new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()), raster, rule}
                        : new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()),
                            lines.at(colour.own(), 0), raster, rule});
    }

    private List<ParallelLoop> checked(MeshSet vertices, ColourSweep colouring, MeshRaster raster,
            MeshConstant rule) {
        Dat traits = mesh.dat("traits", vertices, SweepCavities.TRAITS, options.precision(), cavities.traits());
        return colouring.loops(colour -> SweepKernelsLoops.ADVANCE, colour -> {
            MeshMap ring = ring(vertices, colour);
            return new LoopArgument[]{positions.at(colour.own(), 0), tensors.at(colour.own(), 0), positions.at(ring),
                tensors.at(ring), traits.at(colour.own(), 0), raster, rule, moved};
        });
    }

    private MeshMap ring(MeshSet vertices, ColourSweep.ColourSet colour) {
        int[] members = colour.own().toArray();
        int[] offsets = new int[members.length + 1];
        for (int i = 0; i < members.length; i++) {
            offsets[i + 1] = offsets[i] + cavities.ringOffsets()[members[i] + 1] - cavities.ringOffsets()[members[i]];
        }
        int[] targets = new int[offsets[members.length]];
        for (int i = 0; i < members.length; i++) {
            System.arraycopy(cavities.rings(), cavities.ringOffsets()[members[i]], targets, offsets[i],
                    offsets[i + 1] - offsets[i]);
        }
        return mesh.map(colour.set().name() + "-ring", colour.set(), vertices, offsets, targets);
    }

    private LoopSequence sequence(String name, List<ParallelLoop> loops, int times) {
        LoopSequence.Builder builder = mesh.sequence(name);
        if (options.acceptance() != Acceptance.ALL) {
            builder.set(moved, 0);
        }
        for (int i = 0; i < times; i++) {
            loops.forEach(builder::run);
        }
        return builder.build();
    }

    /**
     * Returns the number of colours, of free and bound vertices together.
     *
     * @return at least 1
     */
    public int colours() {
        return colours;
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
        sample.run();
        for (int i = 0; i < sweeps; i++) {
            one.run();
            if (moved.get(0) == 0) {
                return i + 1;
            }
        }
        return sweeps;
    }

    /**
     * Returns where the vertices are.
     *
     * @return two coordinates for each, in the order of the mesh
     */
    public double[] coordinates() {
        return cavities.inMeshOrder(positions.toArray());
    }

    /**
     * Returns the metric where the vertices are, as the backend interpolates it.
     *
     * @return a tensor for each, in the order of the mesh
     */
    public double[] metric() {
        sample.run();
        return cavities.inMeshOrder(tensors.toArray());
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
