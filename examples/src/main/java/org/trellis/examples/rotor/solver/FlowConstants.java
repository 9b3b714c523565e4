package org.trellis.examples.rotor.solver;

import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;

/** The constants that loops of all levels read. */
final class FlowConstants {
    /** The shares of the time step that the stages take. */
    private static final double[] ALPHA = {0.25, 1.0 / 6, 0.375, 0.5, 1};
    /** The shares of fresh dissipation; none where it stays frozen. */
    private static final double[] BETA = {1, 0, 0.56, 0, 0.44};
    private static final double[] DIFFERENCES = {0.5, 0.02};

    private final MeshConstant omega;
    private final MeshConstant viscosity;
    private final MeshConstant inlet;
    private final MeshConstant outlet;
    private final MeshConstant differences;
    private final MeshConstant limiter;
    private final MeshConstant turn;
    private final MeshConstant courant;
    private final MeshConstant smoothing;
    private final MeshConstant[] alpha = new MeshConstant[ALPHA.length];
    private final MeshConstant[] beta = new MeshConstant[ALPHA.length];

    FlowConstants(Mesh mesh, FlowSettings settings, double angle) {
        FlowSettings.Flow flow = settings.flow();
        omega = mesh.constant("omega", flow.omega());
        viscosity = mesh.constant("viscosity", flow.viscosity(), flow.sutherland());
        inlet = mesh.constant("inlet", flow.inlet());
        outlet = mesh.constant("outlet pressure", flow.outletPressure() * flow.freeStream()[4]);
        differences = mesh.constant("factors of differences", DIFFERENCES);
        limiter = mesh.constant("threshold of the limiter", FlowSettings.LIMITER);
        turn = mesh.constant("turn", Math.cos(angle), Math.sin(angle));
        courant = mesh.constant("Courant number", settings.courant());
        smoothing = mesh.constant("smoothing", settings.smoothing());
        for (int s = 0; s < ALPHA.length; s++) {
            alpha[s] = mesh.constant("alpha of stage " + (s + 1), ALPHA[s]);
            beta[s] = mesh.constant("beta of stage " + (s + 1), BETA[s]);
        }
    }

    static int stages() {
        return ALPHA.length;
    }

    /** Says whether a stage computes dissipation. */
    static boolean isFresh(int stage) {
        return BETA[stage] > 0;
    }

    MeshConstant omega() {
        return omega;
    }

    MeshConstant viscosity() {
        return viscosity;
    }

    MeshConstant inlet() {
        return inlet;
    }

    MeshConstant outlet() {
        return outlet;
    }

    MeshConstant differences() {
        return differences;
    }

    MeshConstant limiter() {
        return limiter;
    }

    /** Cosine and sine of the angle by which the first of a pair is turned, from z to y, to become the second. */
    MeshConstant turn() {
        return turn;
    }

    MeshConstant courant() {
        return courant;
    }

    MeshConstant smoothing() {
        return smoothing;
    }

    MeshConstant alpha(int stage) {
        return alpha[stage];
    }

    MeshConstant beta(int stage) {
        return beta[stage];
    }
}
