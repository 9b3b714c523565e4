package org.trellis.internal.threads;

/** Stored whole numbers. */
final class IntContribution extends Contribution {
    private final int[] stored;
    private final int[] values;
    private final int sign;
    private final int components;
    private final int elementStride;
    private final int componentStride;

    IntContribution(int[] stored, Destination destination) {
        super(destination);
        this.stored = stored;
        this.values = (int[]) destination.array();
        this.sign = destination.sign();
        this.components = destination.dat().components();
        this.elementStride = destination.dat().elementStride();
        this.componentStride = destination.dat().componentStride();
    }

    @Override
    void add(int place, int target) {
        int from = place * components;
        int to = target * elementStride;
        for (int c = 0; c < components; c++) {
            values[to + c * componentStride] += sign * stored[from + c];
        }
    }
}
