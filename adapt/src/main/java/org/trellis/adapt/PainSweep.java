package org.trellis.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.ColourSweep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/**
 * Smoothing of a plane mesh by Pain's algorithm with the mesh runtime: a loop for each colour of vertices, on any
 * backend
 * that has loops with maps of variable arity. The metric is {@link AnalyticMetrics#linear} or
 * {@link AnalyticMetrics#sine}, so that all data stay where the backend computes. The plain algorithm: nothing is
 * asked of
 * the quality, and nothing keeps elements from being inverted.
 */
public final class PainSweep implements AutoCloseable {
    /** Sweeps of a sequence between which no value is read: one launch of a device. */
    private static final int JOINED = 16;

    private final Mesh mesh;
    private final Dat positions;
    private final SweepCavities cavities;
    private final LoopSequence one;
    private final LoopSequence many;
    private final int colours;

    /**
     * Declares the loops.
     *
     * @param backend   where they run; stays open
     * @param simplices the surroundings of the vertices, which several may share
     * @param sine      whether lengths follow a sine along the first axis, or else fall linearly along both
     * @param least     the least length of edges
     * @param greatest  the greatest
     * @param precision of positions
     * @throws IllegalArgumentException if a length is not positive, or the mesh is one of tetrahedra
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this, or here if something fails
    public PainSweep(Backend backend, SweepCavities simplices, boolean sine, double least, double greatest,
            Precision precision) {
        if (!(least > 0) || !(greatest > 0)) {
            throw new IllegalArgumentException(
                    "lengths of edges are " + least + " to " + greatest + ", expected numbers above 0");
        }
        if (simplices.dimension() != 2) {
            throw new IllegalArgumentException("the mesh is one of tetrahedra, expected triangles");
        }
        cavities = simplices;
        mesh = Mesh.on(backend);
        boolean done = false;
        try {
            MeshSet vertices = mesh.set("vertices", cavities.order().length);
            ColourSweep colouring = ColourSweep.withColours("moving",
                    mesh.map("neighbours", vertices, vertices, cavities.offsets(), cavities.neighbours()),
                    cavities.colours());
            positions = mesh.dat("positions", vertices, 2, precision, cavities.coordinates());
            Dat traits = mesh.dat("traits", vertices, SweepCavities.TRAITS, precision, cavities.traits());
            MeshConstant shortest = mesh.constant("least", least);
            MeshConstant longest = mesh.constant("greatest", greatest);
            MeshConstant wave = mesh.constant("wave", sine ? 1 : 0);
            colours = colouring.colours().size();
            List<ParallelLoop> loops = colouring.loops(this::kernel,
                    colour -> hasBound(colour)
                            ? new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()),
                                traits.at(colour.own(), 0), shortest, longest, wave}
                            : new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()), shortest,
                                longest, wave});
            one = sequence("sweep", loops, 1);
            many = sequence("sweeps", loops, JOINED);
            done = true;
        } finally {
            if (!done) {
                mesh.close();
            }
        }
    }

    private LoopSequence sequence(String name, List<ParallelLoop> loops, int times) {
        LoopSequence.Builder builder = mesh.sequence(name);
        for (int i = 0; i < times; i++) {
            loops.forEach(builder::run);
        }
        return builder.build();
    }

    private boolean hasBound(ColourSweep.ColourSet colour) {
        return cavities.hasClass(1, colour.members());
    }

    private LoopKernel kernel(ColourSweep.ColourSet colour) {
        return !hasBound(colour)
                ? PainKernelsLoops.FREE
                : cavities.hasClass(0, colour.members()) ? MixedVertexKernelsLoops.RELAX : PainKernelsLoops.BOUND;
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
     * Moves all vertices.
     *
     * @param sweeps how often
     */
    public void run(int sweeps) {
        for (int i = 0; i < sweeps / JOINED; i++) {
            many.run();
        }
        for (int i = 0; i < sweeps % JOINED; i++) {
            one.run();
        }
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
