package org.trellis.examples.tsunami;

/** The state at time zero: water at rest up to a level, raised with the bed where that rises. */
final class InitialState {
    private static final int COMPONENTS = 4;
    private static final int BED = 3;

    private InitialState() {}

    /**
     * Computes the state of each cell. The bed of a cell is the mean of its nodes; the level and the uplift are those
     * at its centre.
     *
     * @param topology the mesh
     * @param surface  the level of the water before the uplift
     * @param uplift   how far bed and water rise
     * @return (η, 0, 0, z) of each cell; η = z where it is dry
     */
    static double[] of(MeshTopology topology, Field surface, Field uplift) {
        double[] bed = topology.mesh().cellMeans(topology.mesh().bed());
        double[] centres = topology.centres();
        double[] state = new double[COMPONENTS * topology.cells()];
        for (int cell = 0; cell < topology.cells(); cell++) {
            double x = centres[2 * cell];
            double y = centres[2 * cell + 1];
            double rise = uplift.at(x, y);
            state[COMPONENTS * cell] = Math.max(surface.at(x, y), bed[cell]) + rise;
            state[COMPONENTS * cell + BED] = bed[cell] + rise;
        }
        return state;
    }
}
