package org.trellis.examples.tsunami;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/** The shallow-water equations on the mesh runtime: declares the data and the loops, and steps through time. */
public final class TsunamiSolver {
    /** The loops in the order in which a step runs them first; the last two belong to no step. */
    public enum Loop {
        /** Fluxes of the old state. */
        FLUX_1,
        /** The time step. */
        TIME_STEP,
        /** What edges give to cells; run once in each stage. */
        SPACE,
        /** The first stage. */
        STAGE_1,
        /** Fluxes of the state after the first stage. */
        FLUX_2,
        /** The second stage. */
        STAGE_2,
        /** Volume, levels and speed. */
        MEASURE,
        /** The highest level of each cell so far. */
        ENVELOPE
    }

    private static final int STATE = 4;
    private static final int FLUX = 5;
    private static final int MOVING = 3;

    private final MeshSet cells;
    private final MeshSet edges;
    private final MeshMap edgeCells;
    private final MeshMap cellEdges;
    private final Dat area;
    private final Dat face;
    private final Dat kind;
    private final Dat state;
    private final Dat crest;
    private final Global step;
    private final Global volume;
    private final Global lowest;
    private final Global highest;
    private final Map<Loop, ParallelLoop> loops = new EnumMap<>(Loop.class);
    private final LoopSequence sequence;
    private double time;

    /**
     * Declares sets, maps, data and loops.
     *
     * @param mesh      an empty mesh
     * @param topology  cells and edges
     * @param initial   (η, hu, hv, z) of each cell
     * @param settings  gravity and the like
     * @param precision the precision of all data
     */
    TsunamiSolver(Mesh mesh, MeshTopology topology, double[] initial, Settings settings, Precision precision) {
        cells = mesh.set("cells", topology.cells());
        edges = mesh.set("edges", topology.edges());
        edgeCells = mesh.map("edge to cells", edges, cells, 2, topology.edgeCells());
        cellEdges = mesh.map("cell to edges", cells, edges, TriangleMesh.CORNERS, topology.cellEdges());

        state = mesh.dat("state", cells, STATE, precision, initial);
        Dat middle = mesh.dat("state after stage 1", cells, STATE, precision);
        Dat gain = mesh.dat("gain", cells, MOVING, precision);
        area = mesh.dat("area", cells, 1, precision, topology.areas());
        face = mesh.dat("face", edges, 3, precision, topology.faces());
        kind = mesh.intDat("kind", edges, 1, topology.kinds());
        Dat flux = mesh.dat("flux", edges, FLUX, precision);
        Dat speed = mesh.dat("speed", edges, 1, precision);
        crest = mesh.dat("crest", cells, 1, precision).fill(-ShallowWater.NOWHERE);
        step = mesh.global("time step", 0.0);
        volume = mesh.global("volume", 0.0);
        lowest = mesh.global("lowest level", 0.0);
        highest = mesh.global("highest level and speed", 0.0, 0.0);
        MeshConstant constants = mesh.constant("settings", settings.toArray());
        MeshConstant courant = mesh.constant("Courant number", settings.courant());

        loops.put(Loop.FLUX_1, mesh.loop(ShallowWaterLoops.COMPUTE_FLUX, edges, state.at(edgeCells, 0),
                state.at(edgeCells, 1), face, kind, flux, speed, constants));
        loops.put(Loop.TIME_STEP, mesh.loop(ShallowWaterLoops.NUMERICAL_FLUX, cells, speed.at(cellEdges, 0),
                speed.at(cellEdges, 1), speed.at(cellEdges, 2), area, step, courant));
        loops.put(Loop.SPACE, mesh.loop(ShallowWaterLoops.SPACE_DISCRETISATION, edges, flux, kind,
                gain.at(edgeCells, 0), gain.at(edgeCells, 1)));
        loops.put(Loop.STAGE_1,
                mesh.loop(ShallowWaterLoops.RUNGE_KUTTA1, cells, state, gain, area, middle, step, constants));
        loops.put(Loop.FLUX_2, mesh.loop(ShallowWaterLoops.COMPUTE_FLUX, edges, middle.at(edgeCells, 0),
                middle.at(edgeCells, 1), face, kind, flux, speed, constants));
        loops.put(Loop.STAGE_2,
                mesh.loop(ShallowWaterLoops.RUNGE_KUTTA2, cells, state, middle, gain, area, step, constants));
        loops.put(Loop.MEASURE,
                mesh.loop(ShallowWaterLoops.MEASURE, cells, state, area, volume, lowest, highest, constants));
        loops.put(Loop.ENVELOPE, mesh.loop(ShallowWaterLoops.ENVELOPE, cells, state, crest));
        sequence = mesh.sequence("step").run(loop(Loop.FLUX_1)).run(loop(Loop.TIME_STEP)).run(loop(Loop.SPACE))
                .run(loop(Loop.STAGE_1)).run(loop(Loop.FLUX_2)).run(loop(Loop.SPACE)).run(loop(Loop.STAGE_2)).build();
    }

    /**
     * Puts the water on another mesh. Loops stay declared; the time goes on.
     *
     * @param topology cells and edges
     * @param water    (η, hu, hv, z) of each cell
     * @param highest  the highest level of each cell so far
     */
    void change(MeshTopology topology, double[] water, double[] highest) {
        int[] newCells = new int[topology.cells()];
        int[] newEdges = new int[topology.edges()];
        Arrays.fill(newCells, -1);
        Arrays.fill(newEdges, -1);
        state.set().mesh().change(edit -> edit.resize(cells, topology.cells(), newCells)
                .resize(edges, topology.edges(), newEdges).targets(edgeCells, topology.edgeCells())
                .targets(cellEdges, topology.cellEdges()).values(state, water).values(crest, highest)
                .values(area, topology.areas()).values(face, topology.faces()).values(kind, topology.kinds()));
        prepare();
    }

    /**
     * Runs one step. Allocates nothing.
     *
     * @param limit the longest time step allowed, in s
     * @return the time step, in s
     * @throws TrellisException if there is none, because the solution has blown up
     */
    public double step(double limit) {
        step.set(limit);
        sequence.run();
        double taken = step.get();
        if (!(taken > 0)) {
            throw new TrellisException(
                    "the time step after " + time + " s is " + taken
                            + " s, expected more than 0: the waves are too fast");
        }
        time += taken;
        return taken;
    }

    private void run(Loop loop) {
        loops.get(loop).run();
    }

    /** Makes plans and code of all loops. */
    public void prepare() {
        loops.values().forEach(ParallelLoop::prepare);
    }

    /** Notes the level of each cell where it is the highest so far. */
    void noteCrest() {
        run(Loop.ENVELOPE);
    }

    /**
     * Measures the water.
     *
     * @return volume, levels and speed
     */
    Measures measure() {
        volume.set(0);
        lowest.set(ShallowWater.NOWHERE);
        highest.set(-ShallowWater.NOWHERE, 0);
        run(Loop.MEASURE);
        boolean wet = highest.get(0) >= lowest.get();
        return new Measures(volume.get(), wet ? lowest.get() : Double.NaN, wet ? highest.get(0) : Double.NaN,
                highest.get(1));
    }

    /**
     * Returns the time that the steps add up to.
     *
     * @return in s
     */
    public double time() {
        return time;
    }

    /**
     * Returns one of the loops.
     *
     * @param loop which
     * @return the loop on the mesh
     */
    public ParallelLoop loop(Loop loop) {
        return loops.get(loop);
    }

    /**
     * Returns the loops.
     *
     * @return in the order of {@link Loop}
     */
    public List<ParallelLoop> loops() {
        return List.copyOf(loops.values());
    }

    /**
     * Returns the loops of a step.
     *
     * @return the sequence that {@link #step} runs
     */
    public LoopSequence sequence() {
        return sequence;
    }

    /** Lets the loops over edges run the blocks that the edges have been divided into, unless a tuner tries them. */
    void runPartition() {
        List<Loop> overEdges = List.of(Loop.FLUX_1, Loop.SPACE, Loop.FLUX_2);
        for (Loop loop : overEdges.stream().filter(one -> loop(one).isTuned()).toList()) {
            loop(loop).parameters(loop(loop).parameters().withBlockSize(0));
        }
    }

    /**
     * Returns the sets.
     *
     * @return cells and edges
     */
    public List<MeshSet> sets() {
        return List.of(cells, edges);
    }

    /**
     * Returns the map from edges to the cells on both sides.
     *
     * @return two entries for each edge; on the boundary twice the same
     */
    public MeshMap edgeCells() {
        return edgeCells;
    }

    /**
     * Returns the state.
     *
     * @return (η, hu, hv, z) on cells: level, momentum, bed
     */
    public Dat state() {
        return state;
    }

    /**
     * Returns the highest level of each cell that {@link Loop#ENVELOPE} has seen.
     *
     * @return in m; −10³⁰ before its first run
     */
    public Dat crest() {
        return crest;
    }
}
