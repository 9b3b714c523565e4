package org.trellis.examples.rotor.solver;

import java.util.Arrays;
import org.trellis.examples.rotor.kernels.MadeUpFlow;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.WallDistance;

/** What flows begin with. */
public final class Problems {
    private Problems() {}

    /**
     * Returns the free stream everywhere.
     *
     * @param flow what surrounds the gas
     * @return the problem
     */
    public static FlowSolver.Problem freeStream(FlowSettings.Flow flow) {
        return new FlowSolver.Problem() {
            @Override
            public double[] state(double... x) {
                return flow.freeStream();
            }

            @Override
            public double[] source(double... x) {
                return null;
            }

            @Override
            public double[] distances(FlowMesh.Level level) {
                return WallDistance.of(level.mesh());
            }
        };
    }

    /**
     * Returns a flow that is made up; it begins with the exact states.
     *
     * @param made the flow
     * @return the problem, with walls that are made up, too: they are one below the floor
     */
    public static FlowSolver.Problem madeUp(MadeUpFlow made) {
        return new FlowSolver.Problem() {
            @Override
            public double[] state(double... x) {
                return made.state(x);
            }

            @Override
            public double[] source(double... x) {
                return made.source(distance(x[2]), x);
            }

            @Override
            public double[] distances(FlowMesh.Level level) {
                double[] distances = new double[level.mesh().nodes()];
                Arrays.setAll(distances, node -> distance(level.mesh().points()[HybridMesh.SPACE * node + 2]));
                return distances;
            }

            private static double distance(double z) {
                return 1 + z;
            }
        };
    }
}
