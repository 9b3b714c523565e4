package org.trellis.examples;

import java.util.List;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Sum;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.assembled.AssembledSystem;
import org.trellis.solve.krylov.SolverConfig;

/** A mesh, a kernel and an assembled system, solved on any number of ranks: a plate that is heated at a corner. */
public final class E07SolveOnRanks {
    private static final int SIDE = 65;
    private static final double LOSS = 1e-3;

    private E07SolveOnRanks() {}

    /**
     * The matrix of a link between two points of the plate: what it conducts, and what its ends lose.
     *
     * @param conductivity of the link
     * @param matrix       row i and column j of the link's matrix at {@code matrix[2 * i + j][0]}
     */
    @MeshKernel
    static void link(@Read double[] conductivity, @Increment(value = 1, entries = 4) double[][] matrix) {
        matrix[0][0] += conductivity[0] + LOSS;
        matrix[1][0] -= conductivity[0];
        matrix[2][0] -= conductivity[0];
        matrix[3][0] += conductivity[0] + LOSS;
    }

    /**
     * The heat that the ends of a link lose.
     *
     * @param temperature of both ends
     * @param lost        the sum over all links
     */
    @MeshKernel
    static void loss(@Read(value = 1, entries = 2) double[][] temperature, @Sum double[] lost) {
        lost[0] += LOSS * (temperature[0][0] + temperature[1][0]);
    }

    /** Declares and solves. Knows nothing of ranks. */
    private static String solve(Mesh mesh) {
        int[] targets = targets();
        MeshSet points = mesh.set("points", SIDE * SIDE);
        MeshSet links = mesh.set("links", targets.length / 2);
        MeshMap ends = mesh.map("ends", links, points, 2, targets);
        Dat conductivity = mesh.dat("conductivity", links, 1, Precision.F64).fill(1);
        Dat heat = mesh.dat("heat", points, 1, Precision.F64);
        Dat temperature = mesh.dat("temperature", points, 1, Precision.F64);
        heat.set(0, 0, 1); // what flows in at the corner

        AssemblyPattern pattern = AssemblyPattern.of("K", ends, ends);
        Dat values = pattern.values("values of K", Precision.F64);
        mesh.loop(E07SolveOnRanksLoops.LINK, links, conductivity, values.at(pattern.positions())).run();
        try (AssembledSystem system = AssembledSystem.of(pattern, values);
                LinearSolver solver = system.solver(SolverConfig.of("cg", "amg"))) {
            SolveReport report = solver.solve(heat.vector(), temperature.vector(),
                    StoppingCriteria.relative(1e-10, 100));
            Global lost = mesh.global("lost", 0.0);
            mesh.loop(E07SolveOnRanksLoops.LOSS, links, temperature.at(ends), lost).run();
            return String.format(Locale.ROOT, "%d points, %d entries, %s: corner %.3f, %.6f of the heat is lost",
                    points.size(), pattern.entries().size(), report.converged() ? "converged" : "not converged",
                    temperature.get(0, 0), lost.get());
        }
    }

    /** The two ends of each link between neighbours of a square of points. */
    private static int[] targets() {
        int[] targets = new int[4 * SIDE * (SIDE - 1)];
        int next = 0;
        for (int row = 0; row < SIDE; row++) {
            for (int column = 0; column < SIDE; column++) {
                int point = row * SIDE + column;
                if (column + 1 < SIDE) {
                    targets[next++] = point;
                    targets[next++] = point + 1;
                }
                if (row + 1 < SIDE) {
                    targets[next++] = point;
                    targets[next++] = point + SIDE;
                }
            }
        }
        return targets;
    }

    /**
     * Runs the example.
     *
     * @param arguments the number of ranks, 1 without
     */
    public static void main(String[] arguments) {
        int ranks = arguments.length == 0 ? 1 : Integer.parseInt(arguments[0]);
        List<String> results = ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                return solve(mesh);
            }
        });
        System.out.println(results.getFirst());
    }
}
