package org.trellis.adapt;

import java.util.ArrayList;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.mesh.ColourSweep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/** The loops of a sweep of {@link SmoothingSweep} and the data that they move, in the plane or in space. */
final class SweepLoops {
    private static final int PLANE_TENSOR = 3;
    private static final int SPACE_TENSOR = 6;

    private final Mesh mesh;
    private final SweepCavities cavities;
    private final SweepOptions options;
    private final MeshSet vertices;
    private final Dat positions;
    private final Dat tensors;
    private final MeshRaster raster;
    private final MeshConstant rule;
    private final Global moved;
    private final ColourSweep colouring;

    /**
     * Declares the data.
     *
     * @param mesh     the mesh of the runtime, empty
     * @param cavities the surroundings of vertices
     * @param raster   the metric
     * @param options  how to smooth
     */
    SweepLoops(Mesh mesh, SweepCavities cavities, MeshRaster raster, SweepOptions options) {
        this.mesh = mesh;
        this.cavities = cavities;
        this.options = options;
        this.raster = raster;
        int d = cavities.dimension();
        vertices = mesh.set("vertices", cavities.order().length);
        positions = mesh.dat("positions", vertices, d, options.precision(), cavities.coordinates());
        tensors = mesh.dat("metric", vertices, d == 2 ? PLANE_TENSOR : SPACE_TENSOR, options.precision());
        rule = mesh.constant("rule", options.rule(d));
        moved = mesh.intGlobal("moved", 0);
        MeshMap neighbours = mesh.map("neighbours", vertices, vertices, cavities.offsets(), cavities.neighbours());
        colouring = ColourSweep.of("moving", neighbours, cavities.classes());
    }

    int colours() {
        return colouring.colours().size();
    }

    Dat positions() {
        return positions;
    }

    Dat tensors() {
        return tensors;
    }

    /** Counts the vertices that have moved. */
    Global moved() {
        return moved;
    }

    /** Declares the loop that finds the metric of all vertices. */
    ParallelLoop sample() {
        return mesh.loop(cavities.dimension() == 2 ? SweepKernelsLoops.SAMPLE : SpaceSweepKernelsLoops.SAMPLE,
                vertices, positions, raster, tensors);
    }

    /** Declares the loops of a sweep, colour by colour. */
    List<ParallelLoop> sweep() {
        if (cavities.dimension() == 2) {
            return options.acceptance() == Acceptance.ALL ? plain() : checked();
        }
        return inSpace();
    }

    private boolean isFree(ColourSweep.ColourSet colour) {
        return cavities.classes()[colour.own().toArray()[0]] == 0;
    }

    private List<ParallelLoop> plain() {
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

    private Dat traits() {
        return mesh.dat("traits", vertices, cavities.traitCount(), options.precision(), cavities.traits());
    }

    private List<ParallelLoop> checked() {
        Dat traits = traits();
        return colouring.loops(colour -> SweepKernelsLoops.ADVANCE, colour -> {
            MeshMap ring = ring(colour);
            return new LoopArgument[]{positions.at(colour.own(), 0), tensors.at(colour.own(), 0), positions.at(ring),
                tensors.at(ring), traits.at(colour.own(), 0), raster, rule, moved};
        });
    }

    private List<ParallelLoop> inSpace() {
        Dat traits = traits();
        Dat steps = mesh.dat("steps", vertices, cavities.dimension(), options.precision());
        List<ParallelLoop> loops = new ArrayList<>();
        for (ColourSweep.ColourSet colour : colouring.colours()) {
            MeshMap own = colour.own();
            MeshMap around = colour.around();
            loops.add(mesh.loop(SpaceSweepKernelsLoops.PULL, colour.set(), positions.at(own, 0), tensors.at(own, 0),
                    positions.at(around), tensors.at(around), traits.at(own, 0), raster, rule, steps.at(own, 0)));
            if (options.acceptance() == Acceptance.ALL) {
                loops.add(mesh.loop(SpaceSweepKernelsLoops.MOVE, colour.set(), positions.at(own, 0),
                        tensors.at(own, 0), steps.at(own, 0), raster));
            } else {
                MeshMap corners = ring(colour);
                loops.add(mesh.loop(SpaceSweepKernelsLoops.ADVANCE, colour.set(), positions.at(own, 0),
                        tensors.at(own, 0), positions.at(corners), tensors.at(corners), steps.at(own, 0),
                        traits.at(own, 0), raster, rule, moved));
            }
        }
        return loops;
    }

    private MeshMap ring(ColourSweep.ColourSet colour) {
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
}
