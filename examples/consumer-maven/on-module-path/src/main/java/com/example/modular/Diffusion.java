package com.example.modular;

import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/** Heat spreads along a ring of nodes until all are equally warm. */
public final class Diffusion {
    private static final int NODES = 8;
    private static final double STEP = 0.25;

    private Diffusion() {}

    /**
     * What flows along an edge: the difference of its ends.
     *
     * @param first  the value at the first end
     * @param second the value at the second end
     * @param into   what flows into the first end
     * @param out    what flows into the second end
     */
    @MeshKernel
    static void flow(@Read double[] first, @Read double[] second, @Increment double[] into, @Increment double[] out) {
        double flow = second[0] - first[0];
        into[0] += flow;
        out[0] -= flow;
    }

    /**
     * A step in time; the flow begins anew.
     *
     * @param flow what flows into the node
     * @param heat the value at the node
     */
    @MeshKernel
    static void advance(@ReadWrite double[] flow, @Increment double[] heat) {
        heat[0] += STEP * flow[0];
        flow[0] = 0;
    }

    /**
     * Runs the program.
     *
     * @param arguments the backend, or none for the best one
     */
    public static void main(String[] arguments) {
        String name = arguments.length > 0 ? arguments[0] : "best";
        int[] targets = new int[2 * NODES];
        double[] warmth = new double[NODES];
        warmth[0] = NODES;
        for (int i = 0; i < NODES; i++) {
            targets[2 * i] = i;
            targets[2 * i + 1] = (i + 1) % NODES;
        }
        try (Backend backend = Backends.open(name, Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet nodes = mesh.set("nodes", NODES);
            MeshSet edges = mesh.set("edges", NODES);
            MeshMap ends = mesh.map("ends", edges, nodes, 2, targets);
            Dat heat = mesh.dat("heat", nodes, 1, Precision.F64, warmth);
            Dat flow = mesh.dat("flow", nodes, 1, Precision.F64);
            LoopSequence step = mesh.sequence("step")
                    .run(mesh.loop(DiffusionLoops.FLOW, edges, heat.at(ends, 0), heat.at(ends, 1), flow.at(ends, 0),
                            flow.at(ends, 1)))
                    .run(mesh.loop(DiffusionLoops.ADVANCE, nodes, flow, heat)).build();
            for (int i = 0; i < 200; i++) {
                step.run();
            }
            System.out.printf(Locale.ROOT, "%.6f %.6f%n", heat.get(0, 0), heat.get(NODES / 2, 0));
        }
    }
}
