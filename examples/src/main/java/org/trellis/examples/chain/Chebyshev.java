package org.trellis.examples.chain;

import org.trellis.common.Precision;
import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/** Sweeps of a smoother over the edges of a grid, written as plain loops: little arithmetic for what is moved. */
final class Chebyshev {
    private final Dat solution;
    private final LoopSequence sequence;

    @MeshKernel
    static void flow(@Read double[] weight, @Read double[] x1, @Read double[] x2, @Increment double[] gain1,
            @Increment(value = 1, repeats = "gain1", sign = -1) double[] gain2) {
        double flow = weight[0] * (x2[0] - x1[0]);
        gain1[0] += flow;
        gain2[0] -= flow;
    }

    @MeshKernel
    static void residual(@Read double[] right, @ReadWrite double[] gain, @Write double[] residual) {
        residual[0] = right[0] + gain[0];
        gain[0] = 0;
    }

    @MeshKernel
    static void direction(@Read double[] residual, @ReadWrite double[] direction) {
        direction[0] = 0.5 * direction[0] + 0.2 * residual[0];
    }

    @MeshKernel
    static void step(@Read double[] direction, @ReadWrite double[] x) {
        x[0] += direction[0];
    }

    /**
     * Declares a grid and some sweeps.
     *
     * @param mesh   an empty mesh
     * @param width  nodes in a row, and rows
     * @param sweeps sweeps of a run
     */
    Chebyshev(Mesh mesh, int width, int sweeps) {
        int nodeCount = width * width;
        int[] table = new int[4 * width * (width - 1)];
        int next = 0;
        for (int node = 0; node < nodeCount; node++) {
            if (node % width + 1 < width) {
                table[next++] = node;
                table[next++] = node + 1;
            }
            if (node + width < nodeCount) {
                table[next++] = node;
                table[next++] = node + width;
            }
        }
        MeshSet nodes = mesh.set("nodes", nodeCount);
        MeshSet edges = mesh.set("edges", table.length / 2);
        MeshMap ends = mesh.map("ends", edges, nodes, 2, table);
        Dat weight = mesh.dat("weight", edges, 1, Precision.F64).fill(0.5);
        double[] values = new double[nodeCount];
        for (int node = 0; node < nodeCount; node++) {
            values[node] = Math.sin(1e-3 * node);
        }
        Dat right = mesh.dat("right", nodes, 1, Precision.F64, values);
        solution = mesh.dat("solution", nodes, 1, Precision.F64, values);
        Dat gain = mesh.dat("gain", nodes, 1, Precision.F64);
        Dat residual = mesh.dat("residual", nodes, 1, Precision.F64);
        Dat direction = mesh.dat("direction", nodes, 1, Precision.F64);
        ParallelLoop flow = mesh.loop(ChebyshevLoops.FLOW, edges, weight, solution.at(ends, 0), solution.at(ends, 1),
                gain.at(ends, 0), gain.at(ends, 1));
        ParallelLoop collect = mesh.loop(ChebyshevLoops.RESIDUAL, nodes, right, gain, residual);
        ParallelLoop turn = mesh.loop(ChebyshevLoops.DIRECTION, nodes, residual, direction);
        ParallelLoop step = mesh.loop(ChebyshevLoops.STEP, nodes, direction, solution);
        LoopSequence.Builder sweep = mesh.sequence("sweeps");
        for (int i = 0; i < sweeps; i++) {
            sweep.run(flow).run(collect).run(turn).run(step);
        }
        sequence = sweep.build();
    }

    void run() {
        sequence.run();
    }

    Dat solution() {
        return solution;
    }
}
