package org.trellis.examples;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.Increment;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/** Adds up at each node of a mesh the weights of its edges, and finds the greatest weight on the way. */
public final class E04FirstLoop {
    private E04FirstLoop() {}

    /**
     * What is computed on one edge. The annotations say what it reads and writes; the loop that runs it on all edges is
     * written by the kernel processor, into {@code E04FirstLoopLoops}.
     *
     * @param weight the edge's weight
     * @param first  the sum at its first node
     * @param second the sum at its second node
     * @param most   the greatest weight
     */
    @MeshKernel
    static void collect(@Read double[] weight, @Increment double[] first, @Increment double[] second,
            @Max double[] most) {
        first[0] += weight[0];
        second[0] += weight[0];
        most[0] = Math.max(most[0], weight[0]);
    }

    /**
     * Runs the example.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        // Node 0 - edge 0 - node 1 - edge 1 - node 2 - edge 2 - node 3
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet nodes = mesh.set("nodes", 4);
            MeshSet edges = mesh.set("edges", 3);
            MeshMap ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2, 2, 3});
            Dat weight = mesh.dat("weight", edges, 1, Precision.F64, new double[]{1, 10, 100});
            Dat sum = mesh.dat("sum", nodes, 1, Precision.F64);
            Global most = mesh.global("most", 0);
            mesh.loop(E04FirstLoopLoops.COLLECT, edges, weight, sum.at(ends, 0), sum.at(ends, 1), most).run();
            for (int node = 0; node < nodes.size(); node++) {
                System.out.println("node " + node + ": " + sum.get(node, 0));
            }
            System.out.println("greatest weight: " + most.get());
        }
    }
}
