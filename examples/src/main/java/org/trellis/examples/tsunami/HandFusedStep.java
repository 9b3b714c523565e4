package org.trellis.examples.tsunami;

import org.trellis.common.Precision;
import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/** A step of the tsunami whose loops over edges are put together by hand, to compare with what the mesh does. */
public final class HandFusedStep {
    private static final int GRAVITY = ShallowWater.GRAVITY;
    private static final int MINIMUM_DEPTH = ShallowWater.MINIMUM_DEPTH;
    private static final int SEA_LEVEL = ShallowWater.SEA_LEVEL;
    private static final int WALL = ShallowWater.WALL;
    private static final int SEA = ShallowWater.SEA;
    private static final double MIN_DIVISOR = 1e-30;

    private final Global step;
    private final Dat state;
    private final LoopSequence sequence;

    @KernelFunction
    static double inverseDepth(double surface, double bed, double minimum) {
        return 1 / Math.max(surface - bed, minimum);
    }

    /** As {@link ShallowWater#computeFlux}. */
    @KernelFunction
    static void solve(double[] left, double[] right, double[] face, int[] kind, double[] settings, double[] flux,
            double[] speed) {
        double nx = face[0];
        double ny = face[1];
        double gravity = settings[GRAVITY];
        double surfaceRight = kind[0] == SEA ? settings[SEA_LEVEL] : right[0];

        double bed = Math.max(left[3], right[3]);
        double levelLeft = Math.max(left[0], bed);
        double levelRight = Math.max(surfaceRight, bed);
        double hLeft = levelLeft - bed;
        double hRight = levelRight - bed;
        double rise = levelRight - levelLeft;

        double perDepthLeft = hLeft > 0 ? inverseDepth(left[0], left[3], settings[MINIMUM_DEPTH]) : 0;
        double perDepthRight = hRight > 0 ? inverseDepth(right[0], right[3], settings[MINIMUM_DEPTH]) : 0;
        double uLeft = perDepthLeft * (left[1] * nx + left[2] * ny);
        double vLeft = perDepthLeft * (left[2] * nx - left[1] * ny);
        double uInside = perDepthRight * (right[1] * nx + right[2] * ny);
        double uRight = kind[0] == WALL ? -uInside : (kind[0] == SEA ? 0 : uInside);
        double vRight = kind[0] == SEA ? 0 : perDepthRight * (right[2] * nx - right[1] * ny);

        double cLeft = Math.sqrt(gravity * hLeft);
        double cRight = Math.sqrt(gravity * hRight);
        double uStar = 0.5 * (uLeft + uRight) + cLeft - cRight;
        double cStar = 0.5 * (cLeft + cRight) + 0.25 * (uLeft - uRight);
        double slowest = Math.min(Math.min(uLeft - cLeft, uRight - cRight), uStar - cStar);
        double fastest = Math.max(Math.max(uLeft + cLeft, uRight + cRight), uStar + cStar);
        double a = Math.min(hLeft > 0 ? slowest : uRight - 2 * cRight, 0);
        double b = Math.max(hRight > 0 ? fastest : uLeft + 2 * cLeft, 0);
        double perSpan = 1 / Math.max(b - a, MIN_DIVISOR);

        double qLeft = hLeft * uLeft;
        double qRight = hRight * uRight;
        double pressure = 0.5 * gravity * rise * (hLeft + hRight);
        double through = qLeft + a * (b * rise - (qRight - qLeft)) * perSpan;
        double mass = kind[0] == WALL ? 0 : through;
        double along = qLeft * uLeft
                + a * (b * (qRight - qLeft) - (qRight * uRight - qLeft * uLeft + pressure)) * perSpan;
        double across = mass * (mass >= 0 ? vLeft : vRight);

        double length = face[2];
        flux[0] = length * mass;
        flux[1] = length * (along * nx - across * ny);
        flux[2] = length * (along * ny + across * nx);
        flux[3] = length * ((along - pressure) * nx - across * ny);
        flux[4] = length * ((along - pressure) * ny + across * nx);
        speed[0] = length * Math.max(b, -a);
    }

    @KernelFunction
    static void give(double[] flux, int[] kind, double[] gainLeft, double[] gainRight) {
        double inside = kind[0] == ShallowWater.INTERIOR ? 1 : 0;
        gainLeft[0] -= flux[0];
        gainLeft[1] -= flux[1];
        gainLeft[2] -= flux[2];
        gainRight[0] += inside * flux[0];
        gainRight[1] += inside * flux[3];
        gainRight[2] += inside * flux[4];
    }

    /** Stores what the two kernels store that it stands for. */
    @MeshKernel
    static void all(@Read(4) double[] left, @Read(4) double[] right, @Read(3) double[] face, @Read int[] kind,
            @Write(5) double[] flux, @Write double[] speed, @Increment(3) double[] gainLeft,
            @Increment(3) double[] gainRight, @Constant(3) double[] settings) {
        double[] through = new double[5];
        double[] fast = new double[1];
        solve(left, right, face, kind, settings, through, fast);
        for (int c = 0; c < 5; c++) {
            flux[c] = through[c];
        }
        speed[0] = fast[0];
        give(through, kind, gainLeft, gainRight);
    }

    /** Stores the speed, which the time step needs. */
    @MeshKernel
    static void first(@Read(4) double[] left, @Read(4) double[] right, @Read(3) double[] face, @Read int[] kind,
            @Write double[] speed, @Increment(3) double[] gainLeft, @Increment(3) double[] gainRight,
            @Constant(3) double[] settings) {
        double[] through = new double[5];
        double[] fast = new double[1];
        solve(left, right, face, kind, settings, through, fast);
        speed[0] = fast[0];
        give(through, kind, gainLeft, gainRight);
    }

    /** Stores nothing. */
    @MeshKernel
    static void second(@Read(4) double[] left, @Read(4) double[] right, @Read(3) double[] face, @Read int[] kind,
            @Increment(3) double[] gainLeft, @Increment(3) double[] gainRight, @Constant(3) double[] settings) {
        double[] through = new double[5];
        double[] fast = new double[1];
        solve(left, right, face, kind, settings, through, fast);
        give(through, kind, gainLeft, gainRight);
    }

    /**
     * Declares a step.
     *
     * @param mesh  an empty mesh
     * @param spec  a built-in case
     * @param lean  whether nothing is stored that no other loop needs
     */
    public HandFusedStep(Mesh mesh, String spec, boolean lean) {
        TsunamiCase sea = TsunamiCase.builtIn(spec, Settings.DEFAULT);
        MeshTopology topology = MeshTopology.of(sea.mesh());
        MeshSet cells = mesh.set("cells", topology.cells());
        MeshSet edges = mesh.set("edges", topology.edges());
        MeshMap sides = mesh.map("edge to cells", edges, cells, 2, topology.edgeCells());
        MeshMap cellEdges = mesh.map("cell to edges", cells, edges, TriangleMesh.CORNERS, topology.cellEdges());
        state = mesh.dat("state", cells, 4, Precision.F64, initial(sea, topology));
        Dat middle = mesh.dat("middle", cells, 4, Precision.F64);
        Dat gain = mesh.dat("gain", cells, 3, Precision.F64);
        Dat area = mesh.dat("area", cells, 1, Precision.F64, topology.areas());
        Dat face = mesh.dat("face", edges, 3, Precision.F64, topology.faces());
        Dat kind = mesh.intDat("kind", edges, 1, topology.kinds());
        Dat flux = mesh.dat("flux", edges, 5, Precision.F64);
        Dat speed = mesh.dat("speed", edges, 1, Precision.F64);
        step = mesh.global("step", 0.0);
        MeshConstant constants = mesh.constant("settings", Settings.DEFAULT.toArray());
        MeshConstant courant = mesh.constant("courant", Settings.DEFAULT.courant());
        LoopSequence.Builder loops = mesh.sequence("step");
        for (Dat of : new Dat[]{state, middle}) {
            if (!lean) {
                loops.run(mesh.loop(HandFusedStepLoops.ALL, edges, of.at(sides, 0), of.at(sides, 1), face, kind, flux,
                        speed, gain.at(sides, 0), gain.at(sides, 1), constants));
            } else if (of.equals(state)) {
                loops.run(mesh.loop(HandFusedStepLoops.FIRST, edges, of.at(sides, 0), of.at(sides, 1), face, kind,
                        speed, gain.at(sides, 0), gain.at(sides, 1), constants));
            } else {
                loops.run(mesh.loop(HandFusedStepLoops.SECOND, edges, of.at(sides, 0), of.at(sides, 1), face, kind,
                        gain.at(sides, 0), gain.at(sides, 1), constants));
            }
            if (of.equals(state)) {
                loops.run(mesh.loop(ShallowWaterLoops.NUMERICAL_FLUX, cells, speed.at(cellEdges, 0),
                        speed.at(cellEdges, 1), speed.at(cellEdges, 2), area, step, courant));
                loops.run(mesh.loop(ShallowWaterLoops.RUNGE_KUTTA1, cells, state, gain, area, middle, step,
                        constants));
            } else {
                loops.run(mesh.loop(ShallowWaterLoops.RUNGE_KUTTA2, cells, state, middle, gain, area, step,
                        constants));
            }
        }
        sequence = loops.build();
    }

    private static double[] initial(TsunamiCase sea, MeshTopology topology) {
        return InitialState.of(topology, sea.surface().orElse(Shapes.flat(0)), Shapes.flat(0));
    }

    /**
     * Declares the step that the example runs.
     *
     * @param mesh an empty mesh
     * @param spec a built-in case
     * @return its solver
     */
    public static TsunamiSolver plain(Mesh mesh, String spec) {
        TsunamiCase sea = TsunamiCase.builtIn(spec, Settings.DEFAULT);
        MeshTopology topology = MeshTopology.of(sea.mesh());
        return new TsunamiSolver(mesh, topology, initial(sea, topology), Settings.DEFAULT, Precision.F64);
    }

    /** Runs a step. */
    public void run() {
        step.set(1e9);
        sequence.run();
    }

    /**
     * Returns the state.
     *
     * @return of all cells
     */
    public double[] values() {
        return state.toArray();
    }
}
