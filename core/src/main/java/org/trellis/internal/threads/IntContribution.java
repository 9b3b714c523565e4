package org.trellis.internal.threads;

import org.trellis.mesh.plan.InverseMap;

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

    @Override
    void addColumn(int[] column, int stride, int entry, int[] order, int from, int to) {
        for (int i = from; i < to; i++) {
            int element = order == null ? i : order[i];
            add(element * stride + entry, column[element]);
        }
    }

    @Override
    void gatherColumn(InverseMap inverse, int stride, int entry, int fromTarget, int toTarget) {
        int[] offsets = inverse.offsets();
        int[] positions = inverse.positions();
        for (int target = fromTarget; target < toTarget; target++) {
            for (int p = offsets[target]; p < offsets[target + 1]; p++) {
                add(positions[p] * stride + entry, target);
            }
        }
    }
}
