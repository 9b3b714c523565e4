package org.trellis.examples.rotor.solver;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.kernels.LevelsLoops;
import org.trellis.examples.rotor.kernels.PeriodicLoops;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.LevelMap;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.mesh.Refinement;
import org.trellis.examples.rotor.mesh.SlipWalls;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;

/**
 * Compressible flow on the mesh runtime: declares data and loops of all levels, and runs multigrid cycles, each of
 * which
 * is one sequence of loops.
 */
public final class FlowSolver {
    private final Mesh mesh;
    private final FlowMesh geometry;
    private final FlowSettings settings;
    private final FlowConstants constants;
    private final List<LevelData> data = new ArrayList<>();
    private final List<LevelSteps> levels = new ArrayList<>();
    private final List<Transfer> transfers = new ArrayList<>();
    private final Global square;
    private final Global most;
    private final LoopSequence start;
    private final LoopSequence cycle;
    /** What cycles are run by now. */
    private LoopSequence running;
    private final LoopSequence evaluation;
    private final double workOfCycle;
    private double workOfStart;

    /** The way from a level to the next coarser one. */
    private record Transfer(MeshMap parents, Dat weight, MeshMap children, Dat part, MeshMap same) {}

    /** What a flow begins with, and what is given of it. */
    public interface Problem {
        /**
         * Returns the state to begin with.
         *
         * @param x three coordinates
         * @return (ρ, u, v, w, p, ν̃)
         */
        double[] state(double... x);

        /**
         * Returns what is added in a unit of volume and time, where nodes on the far boundary are held.
         *
         * @param x three coordinates
         * @return of (ρ, ρu, ρv, ρw, ρE, ρν̃), or null if nothing is added and the far boundary is open
         */
        double[] source(double... x);

        /**
         * Returns how far nodes are from walls.
         *
         * @param level the finest mesh
         * @return a distance for each node
         */
        double[] distances(FlowMesh.Level level);
    }

    /**
     * Declares everything; nothing runs before {@link #start}.
     *
     * @param mesh      an empty mesh
     * @param geometry  the levels
     * @param settings  what is computed
     * @param problem   what it begins with
     * @param precision of all data
     */
    public FlowSolver(Mesh mesh, FlowMesh geometry, FlowSettings settings, Problem problem, Precision precision) {
        this.mesh = mesh;
        this.geometry = geometry;
        this.settings = settings;
        constants = new FlowConstants(mesh, settings, geometry.angle());
        boolean held = problem.source(0, 0, 0) != null;
        for (FlowMesh.Level level : geometry.levels()) {
            int index = data.size();
            SlipWalls walls = geometry.walls(index,
                    settings.isViscous() ? Set.of(Patch.SLIP) : Set.of(Patch.SLIP, Patch.NO_SLIP));
            LevelData one = new LevelData(mesh, level, index, precision, walls,
                    index == 0 && settings.scheme().limited());
            data.add(one);
            levels.add(new LevelSteps(one, settings, constants, held));
            fill(level, one, levels.getLast(), problem);
        }
        for (int level = 0; level + 1 < data.size(); level++) {
            transfers.add(transfer(level, precision));
        }
        square = mesh.global("square of the residual", 0);
        most = mesh.global("largest residual", 0);
        LoopSequence.Builder starting = mesh.sequence("start");
        levels.forEach(level -> level.start(starting));
        levels.getFirst().stick(starting);
        levels.getFirst().primitive(starting);
        start = starting.build();
        LoopSequence.Builder evaluating = mesh.sequence("residual");
        levels.getFirst().parts(evaluating);
        levels.getFirst().total(evaluating);
        evaluation = evaluating.build();
        double before = work();
        LoopSequence.Builder cycling = mesh.sequence("cycle").set(square, 0).set(most, 0);
        cycle(cycling, 0);
        levels.getFirst().primitive(cycling);
        cycle = cycling.build();
        workOfCycle = (work() - before) / levels.getFirst().workOfStep();
        running = cycle;
    }

    /**
     * Keeps the limits of reconstructions as they are from now on: where they jump between two values, the residual
     * stays as large as they make it. Does nothing without a limiter.
     */
    public void keepLimits() {
        if (settings.scheme().limited() && running.equals(cycle)) {
            levels.forEach(level -> level.keepLimits(true));
            LoopSequence.Builder cycling = mesh.sequence("cycle with kept limits").set(square, 0).set(most, 0);
            cycle(cycling, 0);
            levels.getFirst().primitive(cycling);
            running = cycling.build();
            levels.forEach(level -> level.keepLimits(false));
        }
    }

    private double work() {
        return levels.stream().mapToDouble(LevelSteps::work).sum();
    }

    private void fill(FlowMesh.Level level, LevelData one, LevelSteps steps, Problem problem) {
        double[] x = level.mesh().points();
        int nodes = level.mesh().nodes();
        double[] q = new double[Gas.STATE * nodes];
        boolean given = one.index() == 0 && problem.source(0, 0, 0) != null;
        double[] source = new double[given ? Gas.STATE * nodes : 0];
        for (int node = 0; node < nodes; node++) {
            double[] at = {x[HybridMesh.SPACE * node], x[HybridMesh.SPACE * node + 1], x[HybridMesh.SPACE * node + 2]};
            System.arraycopy(conserved(problem.state(at)), 0, q, Gas.STATE * node, Gas.STATE);
            if (given) {
                System.arraycopy(problem.source(at), 0, source, Gas.STATE * node, Gas.STATE);
            }
        }
        one.dat("q").setAll(q);
        if (given) {
            one.onNodes("source", Gas.STATE).setAll(source);
        }
        if (one.index() == 0 && settings.flow().turbulent()) {
            one.dat("distance").setAll(problem.distances(level));
        }
        if (steps.outside() != null) {
            int[] far = level.dual().boundary(Patch.FAR).nodes();
            double[] outside = new double[Gas.STATE * far.length];
            for (int i = 0; i < far.length; i++) {
                int at = HybridMesh.SPACE * far[i];
                System.arraycopy(problem.state(x[at], x[at + 1], x[at + 2]), 0, outside, Gas.STATE * i, Gas.STATE);
            }
            steps.outside().setAll(outside);
        }
    }

    private static double[] conserved(double[] w) {
        double kinetic = 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        return new double[]{w[0], w[0] * w[1], w[0] * w[2], w[0] * w[3], w[4] / Gas.GAMMA_1 + w[0] * kinetic,
            w[0] * w[5]};
    }

    private Transfer transfer(int level, Precision precision) {
        LevelData fine = data.get(level);
        LevelData coarse = data.get(level + 1);
        LevelMap lies = geometry.levels().get(level).transfer();
        double[] part = geometry.levels().get(level).shares();
        for (int node = 0; node < part.length; node++) {
            part[node] *= lies.weights()[Refinement.PARENTS * node];
        }
        coarse.onNodes("restricted", Gas.STATE);
        coarse.onNodes("correction", Gas.STATE);
        return new Transfer(
                mesh.map(fine.named("parents"), fine.nodes(), coarse.nodes(), Refinement.PARENTS, lies.parents()),
                mesh.dat(fine.named("weight"), fine.nodes(), Refinement.PARENTS, precision, lies.weights()),
                children(fine, coarse, lies), mesh.dat(fine.named("part"), fine.nodes(), 1, precision, part),
                mesh.map(coarse.named("same place"), coarse.nodes(), fine.nodes(), 1, lies.same()));
    }

    /** From each coarse node to the fine ones that it is a parent of: those with a weight. */
    private MeshMap children(LevelData fine, LevelData coarse, LevelMap lies) {
        int[] parents = lies.parents();
        double[] weights = lies.weights();
        int[] offsets = new int[coarse.nodes().size() + 1];
        for (int i = 0; i < parents.length; i++) {
            offsets[parents[i] + 1] += weights[i] > 0 ? 1 : 0;
        }
        for (int node = 1; node < offsets.length; node++) {
            offsets[node] += offsets[node - 1];
        }
        int[] next = offsets.clone();
        int[] children = new int[offsets[offsets.length - 1]];
        for (int i = 0; i < parents.length; i++) {
            if (weights[i] > 0) {
                children[next[parents[i]]++] = i / Refinement.PARENTS;
            }
        }
        return mesh.map(coarse.named("children"), coarse.nodes(), fine.nodes(), offsets, children);
    }

    /** Adds a cycle of a level and those below it. */
    void cycle(LoopSequence.Builder steps, int level) {
        LevelSteps here = levels.get(level);
        boolean coarsest = level + 1 == levels.size();
        FlowSettings.Cycle shape = settings.cycle();
        int before = coarsest && level > 0 ? shape.coarsest() : shape.before();
        for (int step = 0; step < before; step++) {
            boolean first = level == 0 && step == 0;
            here.step(steps, observed -> {
                if (first) {
                    norm(observed);
                }
            });
        }
        if (coarsest) {
            return;
        }
        down(steps, level);
        for (int visit = 0; visit < (level + 2 < levels.size() ? shape.visits() : 1); visit++) {
            cycle(steps, level + 1);
        }
        up(steps, level);
        for (int step = 0; step < shape.after(); step++) {
            here.step(steps, observed -> {});
        }
    }

    /** Takes state and residual to the coarser level. */
    private void down(LoopSequence.Builder steps, int level) {
        LevelData fine = data.get(level);
        LevelData coarse = data.get(level + 1);
        Transfer way = transfers.get(level);
        levels.get(level).parts(steps);
        levels.get(level).total(steps);
        steps.run(mesh.loop(LevelsLoops.RESTRICT, coarse.nodes(), way.part().at(way.children()),
                fine.dat("r").at(way.children()), coarse.dat("restricted")));
        levels.get(level + 1).join(steps, "restricted", PeriodicLoops.JOIN6, true);
        inject(steps, level);
        levels.get(level + 1).parts(steps);
        steps.run(mesh.loop(LevelsLoops.FORCE, coarse.nodes(), coarse.dat("restricted"), coarse.dat("convection"),
                coarse.dat("frozen"), coarse.dat("forcing")));
    }

    /** Takes the state to the coarser level, which remembers it. */
    void inject(LoopSequence.Builder steps, int level) {
        LevelData coarse = data.get(level + 1);
        steps.run(mesh.loop(LevelsLoops.INJECT, coarse.nodes(),
                data.get(level).dat("q").at(transfers.get(level).same(), 0), coarse.dat("q"),
                coarse.dat("correction")));
        // Walls of the coarse level have other normals; what they take away is no correction.
        levels.get(level + 1).slide(steps, "q");
        levels.get(level + 1).slide(steps, "correction");
    }

    /** Adds the norm of the residual on the finest level to the globals of figures. */
    private void norm(LoopSequence.Builder steps) {
        levels.getFirst().norm(steps, square, most);
    }

    /** Brings what the coarser level has changed. */
    void up(LoopSequence.Builder steps, int level) {
        LevelData fine = data.get(level);
        LevelData coarse = data.get(level + 1);
        Transfer way = transfers.get(level);
        steps.run(mesh.loop(LevelsLoops.CHANGE, coarse.nodes(), coarse.dat("q"), coarse.dat("correction")));
        steps.run(mesh.loop(LevelsLoops.PROLONG, fine.nodes(), way.weight(),
                coarse.dat("correction").at(way.parents()), fine.dat("q")));
        levels.get(level).slide(steps, "q");
    }

    /** Computes what does not change, and the state to begin with. */
    public void start() {
        start.run();
    }

    /**
     * Begins on coarser levels (full multigrid, A. Brandt, Math. Comp. 31, 1977): from the coarsest on each of them
     * runs some cycles for a flow of its own, of first order, and what that has changed is taken to the next finer one.
     * Turbulence stays as it is. Does nothing on a single level.
     *
     * @param cycles on each level but the finest, at least 1
     * @return the residual before, as of {@link #residual}
     * @throws IllegalArgumentException if there is no cycle
     */
    public double startNested(int cycles) {
        Checks.positive("cycles on each level", cycles);
        LoopSequence.Builder before = mesh.sequence("residual before").set(square, 0).set(most, 0);
        levels.getFirst().parts(before);
        levels.getFirst().total(before);
        norm(before);
        try (LoopSequence sequence = before.build()) {
            sequence.run();
        }
        double first = residual();
        double workBefore = work();
        try (NestedStart nested = new NestedStart(this, mesh, levels)) {
            workOfStart += (work() - workBefore) * cycles / levels.getFirst().workOfStep();
            nested.run(cycles);
        }
        return first;
    }

    /**
     * Returns what {@link #startNested} has cost.
     *
     * @return in steps on the finest level; 0 before
     */
    public double workOfStart() {
        return workOfStart;
    }

    /**
     * Runs one multigrid cycle, or lets a device begin with it. Allocates nothing.
     */
    public void advance() {
        running.run();
    }

    /**
     * Runs one multigrid cycle, and waits for it.
     *
     * @return the residual before it
     */
    public double iterate() {
        advance();
        return residual();
    }

    /**
     * Returns how fast density changed before the last cycle. Waits for it.
     *
     * @return √(∫ (∂ρ/∂t)²)
     */
    public double residual() {
        return Math.sqrt(square.get());
    }

    /** Computes the residual of the state as it is. */
    public void evaluate() {
        evaluation.run();
    }

    /**
     * Returns what a cycle costs.
     *
     * @return in steps on the finest level, by evaluations of fluxes
     */
    public double workOfCycle() {
        return workOfCycle;
    }

    /**
     * Returns the loops of a cycle.
     *
     * @return the sequence that {@link #advance} runs, until limits are kept
     */
    public LoopSequence sequence() {
        return cycle;
    }

    /**
     * Returns the map from edges of the finest level to their ends.
     *
     * @return two nodes for each edge
     */
    public MeshMap edgeNodes() {
        return data.getFirst().edgeNodes();
    }

    /**
     * Returns the state.
     *
     * @return (ρ, u, v, w, p, ν̃) on the nodes of the finest level
     */
    public Dat state() {
        return data.getFirst().dat("w");
    }

    /**
     * Returns what was evaluated last.
     *
     * @return residuals on the nodes of the finest level
     */
    public Dat residuals() {
        return data.getFirst().dat("r");
    }

    /** Adds the loops that compute gradients on the finest level. */
    void gradients(LoopSequence.Builder steps) {
        levels.getFirst().gradients(steps);
    }

    /**
     * Returns what loops read.
     *
     * @return the constants
     */
    FlowConstants constants() {
        return constants;
    }

    /**
     * Returns the finest level.
     *
     * @return its data
     */
    LevelData finest() {
        return data.getFirst();
    }

    /**
     * Returns the meshes.
     *
     * @return finest first
     */
    public FlowMesh geometry() {
        return geometry;
    }

    /**
     * Returns what is computed.
     *
     * @return the settings
     */
    public FlowSettings settings() {
        return settings;
    }
}
