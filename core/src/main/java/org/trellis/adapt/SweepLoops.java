package org.trellis.adapt;

import java.util.ArrayList;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.common.Precision;
import org.trellis.kernel.Raster;
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
    private final Precision precision;
    private final MeshSet vertices;
    private final Dat positions;
    private final Dat tensors;
    private final Dat traits;
    private final MeshRaster raster;
    private final Global moved;
    private final ColourSweep colouring;
    /** What only some methods need, made when first asked for. */
    private final List<MeshMap> rings = new ArrayList<>();
    private Dat steps;
    private Dat awake;
    private Dat ways;
    private int rules;

    /**
     * Declares the data.
     *
     * @param mesh      the mesh of the runtime, empty
     * @param cavities  the surroundings of vertices
     * @param metric    the metric, of as many dimensions
     * @param precision of positions and metric
     * @param filtered  whether devices may interpolate the metric in hardware
     */
    SweepLoops(Mesh mesh, SweepCavities cavities, Raster metric, Precision precision, boolean filtered) {
        this.mesh = mesh;
        this.cavities = cavities;
        this.precision = precision;
        raster = MeshRaster.of(mesh, "metric", metric, filtered);
        int d = cavities.dimension();
        vertices = mesh.set("vertices", cavities.order().length);
        positions = mesh.dat("positions", vertices, d, precision, cavities.coordinates());
        tensors = mesh.dat("metric", vertices, d == 2 ? PLANE_TENSOR : SPACE_TENSOR, precision);
        traits = mesh.dat("traits", vertices, cavities.traitCount(), precision, cavities.traits());
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
        return mesh.loop(cavities.dimension() == 2 ? SweepKernelsLoops.SAMPLE : SpaceStepKernelsLoops.SAMPLE,
                vertices, positions, raster, tensors);
    }

    /** Declares the loops of a sweep, colour by colour. */
    List<ParallelLoop> sweep(SweepOptions options) {
        MeshConstant rule = mesh.constant("rule-" + ++rules, options.rule(cavities.dimension()));
        if (options.method() == SmoothingMethod.OPTIMISATION) {
            return uphill(rule);
        }
        if (cavities.dimension() == 2) {
            return options.acceptance() == Acceptance.ALL ? plain(rule) : checked(rule);
        }
        return inSpace(rule, options.acceptance() == Acceptance.ALL);
    }

    private boolean isFree(ColourSweep.ColourSet colour) {
        return cavities.classes()[colour.own().toArray()[0]] == 0;
    }

    private List<ParallelLoop> plain(MeshConstant rule) {
        double[] directions = new double[2 * cavities.order().length];
        for (int i = 0; i < directions.length; i++) {
            directions[i] = cavities.traits()[i / 2 * SweepCavities.TRAITS + i % 2];
        }
        Dat lines = mesh.dat("lines", vertices, 2, precision, directions);
        return colouring.loops(colour -> isFree(colour) ? SweepKernelsLoops.MOVE : SweepKernelsLoops.SLIDE,
                colour -> isFree(colour)
                        ? new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()), raster, rule}
                        : new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()),
                            lines.at(colour.own(), 0), raster, rule});
    }

    private List<ParallelLoop> checked(MeshConstant rule) {
        List<ParallelLoop> loops = new ArrayList<>();
        for (int c = 0; c < colours(); c++) {
            ColourSweep.ColourSet colour = colouring.colours().get(c);
            MeshMap own = colour.own();
            MeshMap ring = rings().get(c);
            loops.add(mesh.loop(SweepKernelsLoops.ADVANCE, colour.set(), positions.at(own, 0), tensors.at(own, 0),
                    positions.at(ring), tensors.at(ring), traits.at(own, 0), raster, rule, moved));
        }
        return loops;
    }

    private List<ParallelLoop> inSpace(MeshConstant rule, boolean all) {
        if (steps == null) {
            steps = mesh.dat("steps", vertices, cavities.dimension(), precision);
        }
        List<ParallelLoop> loops = new ArrayList<>();
        for (int c = 0; c < colours(); c++) {
            ColourSweep.ColourSet colour = colouring.colours().get(c);
            MeshMap own = colour.own();
            MeshMap around = colour.around();
            loops.add(mesh.loop(SpaceStepKernelsLoops.PULL, colour.set(), positions.at(own, 0), tensors.at(own, 0),
                    positions.at(around), tensors.at(around), traits.at(own, 0), raster, rule, steps.at(own, 0)));
            if (all) {
                loops.add(mesh.loop(SpaceStepKernelsLoops.MOVE, colour.set(), positions.at(own, 0),
                        tensors.at(own, 0), steps.at(own, 0), raster));
            } else {
                MeshMap corners = rings().get(c);
                loops.add(mesh.loop(SpaceSweepKernelsLoops.ADVANCE, colour.set(), positions.at(own, 0),
                        tensors.at(own, 0), positions.at(corners), tensors.at(corners), steps.at(own, 0),
                        traits.at(own, 0), raster, rule, moved));
            }
        }
        return loops;
    }

    private List<ParallelLoop> uphill(MeshConstant rule) {
        boolean plane = cavities.dimension() == 2;
        if (awake == null) {
            awake = mesh.dat("awake", vertices, 1, precision);
            ways = mesh.dat("ways", vertices, cavities.dimension() + 2, precision);
        }
        List<ParallelLoop> loops = new ArrayList<>();
        loops.add(mesh.loop(SweepKernelsLoops.WAKE, vertices, awake));
        for (int c = 0; c < colours(); c++) {
            ColourSweep.ColourSet colour = colouring.colours().get(c);
            MeshMap own = colour.own();
            MeshMap ring = rings().get(c);
            ParallelLoop aim = mesh.loop(plane ? SweepKernelsLoops.AIM : SpaceSweepKernelsLoops.AIM, colour.set(),
                    positions.at(own, 0), tensors.at(own, 0), positions.at(ring), tensors.at(ring),
                    traits.at(own, 0), awake.at(own, 0), ways.at(own, 0));
            ParallelLoop climb = mesh.loop(plane ? SweepKernelsLoops.CLIMB : SpaceSweepKernelsLoops.CLIMB,
                    colour.set(), positions.at(own, 0), tensors.at(own, 0), positions.at(ring), tensors.at(ring),
                    traits.at(own, 0), ways.at(own, 0), raster, rule, awake.at(own, 0), moved);
            for (int i = 0; i < AscentStep.ITERATIONS; i++) {
                loops.add(aim);
                loops.add(climb);
            }
        }
        return loops;
    }

    /** Declares the loop that measures the quality of elements, into a dat of theirs. */
    ParallelLoop measure(MeshMap corners, Dat qualities) {
        LoopArgument[] arguments = new LoopArgument[3];
        arguments[0] = positions.at(corners);
        arguments[1] = tensors.at(corners);
        arguments[2] = qualities;
        return mesh.loop(cavities.dimension() == 2 ? SweepKernelsLoops.MEASURE : SpaceSweepKernelsLoops.MEASURE,
                corners.from(), arguments);
    }

    MeshSet vertices() {
        return vertices;
    }

    private List<MeshMap> rings() {
        if (rings.isEmpty()) {
            colouring.colours().forEach(colour -> rings.add(ring(colour)));
        }
        return rings;
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
