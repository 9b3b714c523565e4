package org.trellis.examples.tsunami;

/**
 * A state beside what it ought to be.
 *
 * @param meanError    the mean over the area of |depth − exact depth|, in m (the L1 norm over the area)
 * @param largestError the largest error of a depth, in m
 */
record Comparison(double meanError, double largestError) {
    private static final int STATE = 4;
    private static final int BED = 3;

    /** Compares with an exact dam break. */
    static Comparison with(DamBreak exact, double time, MeshTopology topology, double[] state) {
        double[] centres = topology.centres();
        double sum = 0;
        double area = 0;
        double largest = 0;
        for (int cell = 0; cell < topology.cells(); cell++) {
            double depth = state[STATE * cell] - state[STATE * cell + BED];
            double error = Math.abs(depth - exact.depth(centres[2 * cell], time));
            sum += topology.areas()[cell] * error;
            area += topology.areas()[cell];
            largest = Math.max(largest, error);
        }
        return new Comparison(sum / area, largest);
    }

    /** Returns how far water is from rest: the largest difference of its level to the sea's, or momentum. */
    static double fromRest(double[] state, Settings settings) {
        double largest = 0;
        for (int at = 0; at < state.length; at += STATE) {
            if (state[at] > state[at + BED]) {
                largest = Math.max(largest, Math.abs(state[at] - settings.seaLevel()));
            }
            largest = Math.max(largest, Math.max(Math.abs(state[at + 1]), Math.abs(state[at + 2])));
        }
        return largest;
    }

    /** Returns the largest change of any component of any cell. */
    static double largestChange(double[] before, double[] after) {
        double largest = 0;
        for (int i = 0; i < before.length; i++) {
            largest = Math.max(largest, Math.abs(after[i] - before[i]));
        }
        return largest;
    }
}
