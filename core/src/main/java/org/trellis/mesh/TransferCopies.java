package org.trellis.mesh;

import java.util.Arrays;

/** Copies the values of origins and gives elements without one a value of their own. */
record TransferCopies(int components, double fill) implements DatTransfer {
    @Override
    public double[] transfer(double[] old, int[] origins) {
        double[] values = new double[Math.multiplyExact(origins.length, components)];
        for (int element = 0; element < origins.length; element++) {
            int to = element * components;
            if (origins[element] < 0) {
                Arrays.fill(values, to, to + components, fill);
            } else {
                System.arraycopy(old, origins[element] * components, values, to, components);
            }
        }
        return values;
    }
}
