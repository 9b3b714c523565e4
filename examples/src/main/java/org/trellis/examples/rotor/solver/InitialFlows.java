package org.trellis.examples.rotor.solver;

import java.util.Arrays;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.kernels.ManufacturedSolution;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.WallDistance;

/** What flows begin with. */
public final class InitialFlows {
    /** Of the friction, c_f = 0.027 Re^(-1/7), and of the thickness, δ = 0.16 x Re^(-1/7) (F. M. White). */
    private static final double FRICTION = 0.027;
    private static final double THICKNESS = 0.16;
    /** Nearer to the nose the layer is as there. */
    private static final double NOSE = 0.01;

    private InitialFlows() {}

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
     * Returns a free stream that has a turbulent boundary layer already where z = 0 is a plate from x = 0 on, after
     * which the flow need not wait until turbulence has grown from the wall: H. Reichardt's law of the wall (Z. Angew.
     * Math. Mech. 31, 1951) with the friction c_f = 0.027 Re^(-1/7), and ν̃ as the model has it there, κ times the
     * friction velocity times the distance, sinking to the free stream's at the edge.
     *
     * @param flow what surrounds the gas, with turbulence
     * @return the problem; the far side of the mesh has to be out of the layer
     */
    public static FlowSolver.Problem turbulentPlate(FlowSettings.Flow flow) {
        FlowSolver.Problem free = freeStream(flow);
        return new FlowSolver.Problem() {
            @Override
            public double[] state(double... x) {
                double[] state = free.state(x);
                if (x[0] <= 0) {
                    return state;
                }
                double along = Math.max(x[0], NOSE);
                double reynolds = flow.mach() * along / flow.viscosity();
                double friction = flow.mach() * Math.sqrt(0.5 * FRICTION * Math.pow(reynolds, -1.0 / 7));
                double edge = THICKNESS * along * Math.pow(reynolds, -1.0 / 7);
                double plus = x[2] * friction / flow.viscosity();
                state[1] = x[2] > edge ? flow.mach() : Math.min(flow.mach(), friction * reichardt(plus));
                state[5] = Math.max(x[2] == 0 ? 0 : state[5], Gas.KAPPA * friction * x[2] * (1 - x[2] / edge));
                return state;
            }

            @Override
            public double[] source(double... x) {
                return null;
            }

            @Override
            public double[] distances(FlowMesh.Level level) {
                return free.distances(level);
            }
        };
    }

    /** The velocity over that of friction, by the distance in units of the wall. */
    private static double reichardt(double plus) {
        return Math.log1p(Gas.KAPPA * plus) / Gas.KAPPA
                + 7.8 * (1 - Math.exp(-plus / 11) - plus / 11 * Math.exp(-plus / 3));
    }

    /**
     * Returns a flow that is made up; it begins with the exact states.
     *
     * @param made the flow
     * @return the problem, with walls that are made up, too: they are one below the floor
     */
    public static FlowSolver.Problem madeUp(ManufacturedSolution made) {
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
