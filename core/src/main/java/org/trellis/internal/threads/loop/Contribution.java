package org.trellis.internal.threads.loop;

import org.trellis.mesh.Dat;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.plan.InverseMap;

/**
 * Adds what a loop stored for each element, instead of adding it at once, to the targets of one argument. Positions in
 * the store are elements, or element by element the entries of the map.
 */
abstract class Contribution {
    /** Where stored values go. */
    record Destination(Dat dat, int sign, int[][] columns, int[] offsets, int[] entries) {
        Object array() {
            return ((HostStorage) dat.storage()).array();
        }
    }

    private final Destination destination;

    Contribution(Destination destination) {
        this.destination = destination;
    }

    static Contribution of(Object stored, Destination destination) {
        return switch (destination.dat().type()) {
            case F64 -> new DoubleContribution((double[]) stored, destination);
            case F32 -> new FloatContribution((float[]) stored, destination);
            case INT -> new IntContribution((int[]) stored, destination);
        };
    }

    /** Adds the values stored for some elements: {@code from} to {@code to - 1}, or those places of a list. */
    final void apply(int[] order, int from, int to) {
        int[][] columns = destination.columns();
        if (columns == null) {
            for (int i = from; i < to; i++) {
                int element = order == null ? i : order[i];
                for (int p = destination.offsets()[element]; p < destination.offsets()[element + 1]; p++) {
                    add(p, destination.entries()[p]);
                }
            }
            return;
        }
        for (int k = 0; k < columns.length; k++) {
            addColumn(columns[k], columns.length, k, order, from, to);
        }
    }

    /** Adds to some targets what is stored for all elements that lead to them. */
    final void gather(InverseMap[] inverse, int fromTarget, int toTarget) {
        for (int k = 0; k < inverse.length; k++) {
            gatherColumn(inverse[k], inverse.length, k, fromTarget, toTarget);
        }
    }

    /** Adds a stored place to a target. */
    abstract void add(int place, int target);

    /** Adds the place {@code element * stride + entry} of each element to its target. */
    abstract void addColumn(int[] column, int stride, int entry, int[] order, int from, int to);

    /** Adds the places {@code position * stride + entry} of all positions that lead to a target. */
    abstract void gatherColumn(InverseMap inverse, int stride, int entry, int fromTarget, int toTarget);
}
