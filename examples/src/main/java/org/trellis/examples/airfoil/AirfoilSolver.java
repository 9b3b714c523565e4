package org.trellis.examples.airfoil;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.matrices.mesh.AirfoilPart;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/** Airfoil on the mesh runtime: declares the data and the five loops, and iterates. */
public final class AirfoilSolver {
    /** The loops in the order in which an iteration runs them first. */
    public enum Loop {
        /** Keeps the old state. */
        SAVE(0),
        /** Local time steps. */
        STEP(1),
        /** Fluxes through interior edges. */
        FLUX(2),
        /** Fluxes through boundary edges. */
        BOUNDARY(3),
        /** The new state. */
        UPDATE(4);

        private final int place;

        Loop(int place) {
            this.place = place;
        }

        /**
         * Returns where the loop is in lists of all five.
         *
         * @return 0 to 4
         */
        public int place() {
            return place;
        }
    }

    /** An iteration is a predictor and a corrector. */
    private static final int STAGES = 2;
    /** Components of the state of a cell. */
    static final int COMPONENTS = 4;

    private final MeshSet cells;
    private final MeshMap edgeCells;
    private final Dat state;
    private final Global change;
    private final List<ParallelLoop> loops;
    private final LoopSequence sequence;

    /**
     * Declares sets, maps, data and loops, with the free stream in every cell.
     *
     * @param mesh      an empty mesh
     * @param file      sizes, tables and coordinates
     * @param precision the precision of all data
     */
    public AirfoilSolver(Mesh mesh, AirfoilMesh file, Precision precision) {
        this(mesh, AirfoilTables.of(mesh, file, precision), precision);
    }

    /**
     * Declares sets, maps, data and loops, of which each rank brings what it has read, with the free stream in every
     * cell.
     *
     * @param mesh      an empty mesh over ranks
     * @param file      sizes, and this rank's rows of tables and coordinates
     * @param precision the precision of all data
     */
    public AirfoilSolver(Mesh mesh, AirfoilPart file, Precision precision) {
        this(mesh, AirfoilTables.of(mesh, file, precision), precision);
    }

    private AirfoilSolver(Mesh mesh, AirfoilTables tables, Precision precision) {
        cells = tables.cells();
        edgeCells = tables.edgeCells();
        state = tables.state();
        MeshSet edges = tables.edges();
        MeshSet boundary = tables.boundary();
        MeshMap cellNodes = tables.cellNodes();
        MeshMap edgeNodes = tables.edgeNodes();
        MeshMap boundaryNodes = tables.boundaryNodes();
        MeshMap boundaryCell = tables.boundaryCell();
        Dat x = tables.x();
        Dat oldState = mesh.dat("old q", cells, COMPONENTS, precision);
        Dat residual = mesh.dat("residual", cells, COMPONENTS, precision);
        Dat adt = mesh.dat("area over time step", cells, 1, precision);
        change = mesh.global("change", 0.0);
        MeshConstant freeStream = mesh.constant("free stream", freeStream());

        loops = List.of(
                mesh.loop(AirfoilLoops.SAVE_SOLUTION, cells, state, oldState),
                mesh.loop(AirfoilLoops.TIME_STEP, cells, x.at(cellNodes, 0), x.at(cellNodes, 1), x.at(cellNodes, 2),
                        x.at(cellNodes, 3), state, adt),
                mesh.loop(AirfoilLoops.FLUX, edges, x.at(edgeNodes, 0), x.at(edgeNodes, 1), state.at(edgeCells, 0),
                        state.at(edgeCells, 1), adt.at(edgeCells, 0), adt.at(edgeCells, 1), residual.at(edgeCells, 0),
                        residual.at(edgeCells, 1)),
                mesh.loop(AirfoilLoops.BOUNDARY_FLUX, boundary, x.at(boundaryNodes, 0), x.at(boundaryNodes, 1),
                        state.at(boundaryCell, 0), adt.at(boundaryCell, 0), residual.at(boundaryCell, 0),
                        tables.kind(), freeStream),
                mesh.loop(AirfoilLoops.UPDATE, cells, oldState, state, residual, adt, change));
        sequence = iteration(mesh);
    }

    /** (ρ, ρu, ρv, ρE) of the free stream: density and pressure 1, along x with the Mach number. */
    static double[] freeStream() {
        double u = Math.sqrt(Airfoil.GAMMA) * Airfoil.MACH;
        return new double[]{1, u, 0, 1 / Airfoil.GAMMA_1 + 0.5 * u * u};
    }

    /**
     * Runs one iteration, a predictor and a corrector, and waits for it. Allocates nothing.
     *
     * @return √(Σ Δq² / cells) of the corrector
     */
    public double iterate() {
        advance();
        return residual();
    }

    /** Runs one iteration, or lets a device begin with it. Allocates nothing. */
    public void advance() {
        sequence.run();
    }

    /**
     * Returns how much the last iteration has changed. Waits for it.
     *
     * @return √(Σ Δq² / cells) of the corrector
     */
    public double residual() {
        return Math.sqrt(change.get() / cells.size());
    }

    private LoopSequence iteration(Mesh mesh) {
        LoopSequence.Builder iteration = mesh.sequence("iteration").run(loop(Loop.SAVE));
        for (int stage = 0; stage < STAGES; stage++) {
            iteration.set(change, 0).run(loop(Loop.STEP)).run(loop(Loop.FLUX)).run(loop(Loop.BOUNDARY))
                    .run(loop(Loop.UPDATE));
        }
        return iteration.build();
    }

    private ParallelLoop loop(Loop loop) {
        return loops.get(loop.place());
    }

    /**
     * Returns the loops of an iteration.
     *
     * @return the sequence that {@link #advance} runs
     */
    public LoopSequence sequence() {
        return sequence;
    }

    /** Makes plans and code of all loops. */
    public void prepare() {
        loops.forEach(ParallelLoop::prepare);
    }

    /**
     * Returns the loops.
     *
     * @return in the order of {@link Loop}
     */
    public List<ParallelLoop> loops() {
        return loops;
    }

    /**
     * Returns the cells.
     *
     * @return the set of the state
     */
    public MeshSet cells() {
        return cells;
    }

    /**
     * Returns which cells an interior edge parts.
     *
     * @return the map, two cells for each edge
     */
    public MeshMap edgeCells() {
        return edgeCells;
    }

    /**
     * Returns the state.
     *
     * @return (ρ, ρu, ρv, ρE) on cells
     */
    public Dat state() {
        return state;
    }

    /**
     * Computes the local Mach number of the state.
     *
     * @return one value for each cell, in the user's order
     */
    public double[] machNumbers() {
        double[] q = state.toArray();
        double[] mach = new double[cells.size()];
        Arrays.setAll(mach, cell -> {
            double density = q[COMPONENTS * cell];
            double momentum = Math.hypot(q[COMPONENTS * cell + 1], q[COMPONENTS * cell + 2]);
            double pressure = Airfoil.GAMMA_1 * (q[COMPONENTS * cell + 3] - 0.5 * momentum * momentum / density);
            return momentum / density / Math.sqrt(Airfoil.GAMMA * pressure / density);
        });
        return mach;
    }
}
