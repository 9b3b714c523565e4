package org.trellis.adapt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.common.Precision;
import org.trellis.kernel.LoopKernel;
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
    /** What vertices slide along; null if nothing is curved. */
    private final Dat shapes;
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
        shapes = cavities.shapes().length > 0
                ? mesh.dat("shapes", vertices, d == 2 ? SweepKernels.CIRCLE : SpaceSweepKernels.SHAPE, precision,
                        cavities.shapes())
                : null;
        moved = mesh.intGlobal("moved", 0);
        MeshMap neighbours = mesh.map("neighbours", vertices, vertices, cavities.offsets(), cavities.neighbours());
        colouring = ColourSweep.withColours("moving", neighbours, cavities.colours());
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

    /** Declares the loops of a sweep, in a list for each colour. */
    List<List<ParallelLoop>> byColours(SweepOptions options) {
        MeshConstant rule = mesh.constant("rule-" + ++rules, options.rule(cavities.dimension()));
        if (options.method() == SmoothingMethod.OPTIMISATION) {
            return uphill(rule);
        }
        boolean all = options.acceptance() == Acceptance.ALL;
        if (all && cavities.isCurved()) {
            throw new IllegalArgumentException("the mesh has curved sides and all moves are accepted, expected "
                    + Acceptance.VALID + " or " + Acceptance.BETTER);
        }
        if (cavities.dimension() == 2) {
            return all ? plain(rule) : checked(rule);
        }
        return inSpace(rule, all);
    }

    /** Returns the vertices of a colour. */
    ColourSweep.ColourSet colour(int colour) {
        return colouring.colours().get(colour);
    }

    private boolean hasBound(ColourSweep.ColourSet colour) {
        return cavities.hasClass(1, colour.members());
    }

    private List<List<ParallelLoop>> plain(MeshConstant rule) {
        double[] directions = new double[2 * cavities.order().length];
        for (int i = 0; i < directions.length; i++) {
            // No line is that long: it says that a vertex is free.
            directions[i] = cavities.classes()[i / 2] == 0
                    ? MixedVertexKernels.FREE
                    : cavities.traits()[i / 2 * SweepCavities.TRAITS + i % 2];
        }
        Dat lines = mesh.dat("lines", vertices, 2, precision, directions);
        return colouring.loops(this::plainKernel,
                colour -> hasBound(colour)
                        ? new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()),
                            lines.at(colour.own(), 0), raster, rule}
                        : new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()), raster,
                            rule})
                .stream().map(List::of).toList();
    }

    private LoopKernel plainKernel(ColourSweep.ColourSet colour) {
        return !hasBound(colour)
                ? SweepKernelsLoops.MOVE
                : cavities.hasClass(0, colour.members()) ? MixedVertexKernelsLoops.DRIFT : SweepKernelsLoops.SLIDE;
    }

    private List<List<ParallelLoop>> checked(MeshConstant rule) {
        List<List<ParallelLoop>> sweep = new ArrayList<>();
        for (int c = 0; c < colours(); c++) {
            ColourSweep.ColourSet colour = colour(c);
            List<ParallelLoop> loops = new ArrayList<>();
            MeshMap own = colour.own();
            MeshMap ring = rings().get(c);
            List<LoopArgument> arguments = around(own, ring);
            arguments.add(traits.at(own, 0));
            boolean slides = addShape(colour, arguments);
            Collections.addAll(arguments, raster, rule, moved);
            addTurn(slides, colour, loops);
            loops.add(loop(slides ? SweepKernelsLoops.ADVANCE_ON : SweepKernelsLoops.ADVANCE, colour, arguments));
            sweep.add(loops);
        }
        return sweep;
    }

    private List<List<ParallelLoop>> inSpace(MeshConstant rule, boolean all) {
        if (steps == null) {
            steps = mesh.dat("steps", vertices, cavities.dimension(), precision);
        }
        List<List<ParallelLoop>> sweep = new ArrayList<>();
        for (int c = 0; c < colours(); c++) {
            ColourSweep.ColourSet colour = colour(c);
            List<ParallelLoop> loops = new ArrayList<>();
            MeshMap own = colour.own();
            MeshMap around = colour.around();
            addTurn(slides(colour), colour, loops);
            loops.add(mesh.loop(SpaceStepKernelsLoops.PULL, colour.set(), positions.at(own, 0), tensors.at(own, 0),
                    positions.at(around), tensors.at(around), traits.at(own, 0), raster, rule, steps.at(own, 0)));
            if (all) {
                loops.add(mesh.loop(SpaceStepKernelsLoops.MOVE, colour.set(), positions.at(own, 0),
                        tensors.at(own, 0), steps.at(own, 0), raster));
            } else {
                List<LoopArgument> arguments = around(own, rings().get(c));
                Collections.addAll(arguments, steps.at(own, 0), traits.at(own, 0));
                boolean slides = addShape(colour, arguments);
                Collections.addAll(arguments, raster, rule, moved);
                loops.add(loop(slides ? SpaceSweepKernelsLoops.SLIDE : SpaceSweepKernelsLoops.ADVANCE, colour,
                        arguments));
            }
            sweep.add(loops);
        }
        return sweep;
    }

    /** Positions and metric of a vertex, and of what is around it. */
    private List<LoopArgument> around(MeshMap own, MeshMap ring) {
        return new ArrayList<>(
                List.of(positions.at(own, 0), tensors.at(own, 0), positions.at(ring), tensors.at(ring)));
    }

    private ParallelLoop loop(LoopKernel kernel, ColourSweep.ColourSet colour, List<LoopArgument> arguments) {
        return mesh.loop(kernel, colour.set(), arguments.toArray(LoopArgument[]::new));
    }

    /** Returns whether vertices of a colour may be on something curved: bound ones, if any is. */
    private boolean slides(ColourSweep.ColourSet colour) {
        return shapes != null && hasBound(colour);
    }

    private boolean addShape(ColourSweep.ColourSet colour, List<LoopArgument> arguments) {
        if (slides(colour)) {
            arguments.add(shapes.at(colour.own(), 0));
            return true;
        }
        return false;
    }

    /** Directions on curves and surfaces are those where vertices are. */
    private void addTurn(boolean slides, ColourSweep.ColourSet colour, List<ParallelLoop> loops) {
        if (slides) {
            MeshMap own = colour.own();
            loops.add(mesh.loop(cavities.dimension() == 2 ? SweepKernelsLoops.TURN : SpaceSweepKernelsLoops.TURN,
                    colour.set(), positions.at(own, 0), shapes.at(own, 0), traits.at(own, 0)));
        }
    }

    private List<List<ParallelLoop>> uphill(MeshConstant rule) {
        boolean plane = cavities.dimension() == 2;
        if (awake == null) {
            awake = mesh.dat("awake", vertices, 1, precision);
            ways = mesh.dat("directions", vertices, cavities.dimension() + 2, precision);
        }
        List<List<ParallelLoop>> sweep = new ArrayList<>();
        for (int c = 0; c < colours(); c++) {
            ColourSweep.ColourSet colour = colour(c);
            List<ParallelLoop> loops = new ArrayList<>();
            if (c == 0) {
                loops.add(mesh.loop(SweepKernelsLoops.WAKE, vertices, awake));
            }
            MeshMap own = colour.own();
            MeshMap ring = rings().get(c);
            ParallelLoop aim = mesh.loop(plane ? SweepKernelsLoops.AIM : SpaceSweepKernelsLoops.AIM, colour.set(),
                    positions.at(own, 0), tensors.at(own, 0), positions.at(ring), tensors.at(ring),
                    traits.at(own, 0), awake.at(own, 0), ways.at(own, 0));
            List<LoopArgument> arguments = around(own, ring);
            Collections.addAll(arguments, traits.at(own, 0), ways.at(own, 0));
            boolean slides = addShape(colour, arguments);
            Collections.addAll(arguments, raster, rule, awake.at(own, 0), moved);
            LoopKernel kernel = plane
                    ? slides ? SweepKernelsLoops.CLIMB_ON : SweepKernelsLoops.CLIMB
                    : slides ? SpaceSweepKernelsLoops.CLIMB_ON : SpaceSweepKernelsLoops.CLIMB;
            ParallelLoop climb = loop(kernel, colour, arguments);
            for (int i = 0; i < AscentStep.ITERATIONS; i++) {
                addTurn(slides, colour, loops);
                loops.add(aim);
                loops.add(climb);
            }
            sweep.add(loops);
        }
        return sweep;
    }

    /** Declares the loop that measures the quality of elements, into a dat of theirs. */
    ParallelLoop measure(MeshMap corners, Dat qualities) {
        return measuring(SweepKernelsLoops.MEASURE, SpaceSweepKernelsLoops.MEASURE, corners, qualities);
    }

    /** Declares the loop that measures the shortest and longest edge of elements, into a dat of theirs. */
    ParallelLoop lengths(MeshMap corners, Dat spans) {
        return measuring(EdgeKernelsLoops.PLANE, EdgeKernelsLoops.SPACE, corners, spans);
    }

    private ParallelLoop measuring(LoopKernel plane, LoopKernel space, MeshMap corners, Dat results) {
        return mesh.loop(cavities.dimension() == 2 ? plane : space, corners.from(), positions.at(corners),
                tensors.at(corners), results);
    }

    MeshSet vertices() {
        return vertices;
    }

    private List<MeshMap> rings() {
        if (rings.isEmpty()) {
            colouring.colours().forEach(colour -> rings.add(colour.rows(colour.set().name() + "-ring",
                    cavities.ringOffsets(), cavities.rings())));
        }
        return rings;
    }
}
