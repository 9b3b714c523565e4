package org.trellis.examples.rotor.solver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.kernels.MarchingLoops;
import org.trellis.examples.rotor.kernels.MeasuresLoops;
import org.trellis.examples.rotor.kernels.ViscousLoops;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;

/** The figures of a flow, by loops over the finest level. All ranks ask for the same, in the same order. */
public final class FlowMeasures {
    private static final double MAX_MEASURE = 1e300;

    private final FlowSolver solver;
    private final Mesh mesh;
    private final LevelData data;
    private final FlowConstants constants;
    private int declared;

    /**
     * What passes a part of the boundary.
     *
     * @param mass    out of the mesh in a unit of time
     * @param entropy its mean, log(T / ρ^(γ-1)); 0 in the free stream
     */
    public record Passing(double mass, double entropy) {}

    /**
     * Friction at a node of a wall.
     *
     * @param x       three coordinates
     * @param traction what the fluid pulls at the wall, in a unit of area
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Friction(double[] x, double[] traction) {}

    /**
     * Friction on all of a wall.
     *
     * @param nodes at each of its nodes
     * @param force its integral
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record WallFriction(List<Friction> nodes, double[] force) {}

    /**
     * Prepares to measure.
     *
     * @param solver the flow, started
     */
    public FlowMeasures(FlowSolver solver) {
        this.solver = solver;
        this.data = solver.finest();
        this.mesh = data.mesh();
        this.constants = solver.constants();
    }

    private String named(String what) {
        return what + " measured " + declared++;
    }

    private Global zeros(String what, int count) {
        return mesh.global(named(what), new double[count]);
    }

    private static double[] values(Global global, int count) {
        double[] values = new double[count];
        for (int k = 0; k < count; k++) {
            values[k] = global.get(k);
        }
        return values;
    }

    /**
     * Sums residuals over the mesh: what leaves it in a unit of time.
     *
     * @return of (ρ, ρu, ρv, ρw, ρE, ρν̃)
     */
    public double[] leaving() {
        solver.evaluate();
        Global sum = zeros("leaving", Gas.STATE);
        mesh.loop(MeasuresLoops.LEAVING, data.nodes(), data.dat("r"), data.dat("share"), sum).run();
        return values(sum, Gas.STATE);
    }

    /**
     * Finds the largest residual in a unit of volume.
     *
     * @return of (ρ, ρu, ρv, ρw, ρE, ρν̃), in absolute value
     */
    public double[] largest() {
        solver.evaluate();
        Global most = zeros("largest", Gas.STATE);
        mesh.loop(MeasuresLoops.LARGEST, data.nodes(), data.dat("r"), data.dat("volume"), most).run();
        return values(most, Gas.STATE);
    }

    /**
     * Returns the least of the local time steps of the last cycle.
     *
     * @return in lengths over speeds of sound
     */
    public double leastStep() {
        Global least = mesh.global(named("least step"), MAX_MEASURE);
        mesh.loop(MarchingLoops.LEAST_STEP, data.nodes(), data.dat("step"), data.dat("volume"), least).run();
        return least.get();
    }

    /**
     * Compares the state with an exact one.
     *
     * @param problem has the exact state
     * @return √(∫ (w − exact)² / ∫ 1) of each of (ρ, u, v, w, p, ν̃)
     */
    public double[] errors(FlowSolver.Problem problem) {
        double[] x = data.dat("x").toArray();
        double[] exact = new double[Gas.STATE * data.nodes().size()];
        double volume = 0;
        double[] volumes = data.dat("volume").toArray();
        double[] shares = data.dat("share").toArray();
        for (int node = 0; node < volumes.length; node++) {
            int at = HybridMesh.SPACE * node;
            System.arraycopy(problem.state(x[at], x[at + 1], x[at + 2]), 0, exact, Gas.STATE * node, Gas.STATE);
            volume += shares[node] * volumes[node];
        }
        Dat there = mesh.dat(named("exact"), data.nodes(), Gas.STATE, data.precision(), exact);
        Global square = zeros("square of the error", Gas.STATE);
        mesh.loop(MeasuresLoops.ERROR, data.nodes(), data.dat("w"), there, data.dat("volume"), data.dat("share"),
                square).run();
        double[] errors = values(square, Gas.STATE);
        for (int k = 0; k < errors.length; k++) {
            errors[k] = Math.sqrt(errors[k] / volume);
        }
        return errors;
    }

    /**
     * Sums the pressure on a part of the boundary.
     *
     * @param patch the part
     * @return ∫ p n, n out of the flow; empty if the mesh has no such part
     */
    public Optional<double[]> force(Patch patch) {
        return part(patch).map(part -> {
            Global sum = zeros("force", HybridMesh.SPACE);
            mesh.loop(MeasuresLoops.FORCE, part.set(), part.normal(), data.dat("w").at(part.node(), 0), sum).run();
            return values(sum, HybridMesh.SPACE);
        });
    }

    /**
     * Measures what passes a part of the boundary.
     *
     * @param patch the part
     * @return mass and entropy; empty if the mesh has no such part
     */
    public Optional<Passing> passing(Patch patch) {
        return part(patch).map(part -> {
            Global sum = zeros("passing", 2);
            mesh.loop(MeasuresLoops.PASSING, part.set(), part.normal(), part.sweep(),
                    data.dat("w").at(part.node(), 0), constants.omega(), sum).run();
            return new Passing(sum.get(0), sum.get(1) / sum.get(0));
        });
    }

    private Optional<LevelData.Part> part(Patch patch) {
        return Optional.ofNullable(data.parts().get(patch));
    }

    /**
     * Measures friction on walls.
     *
     * @return at each node of a wall that the fluid sticks to, and their sum; no nodes without friction
     */
    public WallFriction friction() {
        Map<Patch, LevelData.Part> parts = data.parts();
        LevelData.Part wall = parts.get(Patch.NO_SLIP);
        List<Friction> found = new ArrayList<>();
        if (wall == null || !solver.settings().isViscous()) {
            return new WallFriction(found, new double[HybridMesh.SPACE]);
        }
        MeshSet set = wall.set();
        Dat traction = mesh.dat(named("traction"), set, HybridMesh.SPACE, data.precision());
        Global force = zeros("friction", HybridMesh.SPACE);
        LoopSequence.Builder steps = mesh.sequence(named("gradients"));
        solver.gradients(steps);
        try (LoopSequence gradients = steps.build()) {
            gradients.run();
        }
        mesh.loop(ViscousLoops.WALL_FRICTION, set, wall.normal(), data.dat("w").at(wall.node(), 0),
                data.dat("g").at(wall.node(), 0), data.dat("mu").at(wall.node(), 0), traction, force).run();
        double[] x = data.dat("x").toArray();
        double[] pulls = traction.toArray();
        int[] nodes = solver.geometry().levels().getFirst().dual().boundary(Patch.NO_SLIP).nodes();
        for (int i = 0; i < nodes.length; i++) {
            int at = HybridMesh.SPACE * nodes[i];
            int from = HybridMesh.SPACE * i;
            found.add(new Friction(new double[]{x[at], x[at + 1], x[at + 2]},
                    new double[]{pulls[from], pulls[from + 1], pulls[from + 2]}));
        }
        return new WallFriction(found, values(force, HybridMesh.SPACE));
    }
}
