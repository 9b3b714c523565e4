package org.trellis.mesh;

import org.trellis.common.ParallelRanges;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.loop.Layout;

/**
 * Moves the values of a dat between its memory on the host and arrays in the user's order, components side by side, on
 * several threads.
 *
 * @param shape      the set
 * @param components values of an element
 * @param layout     of the memory
 */
record DatValues(SetShape shape, int components, Layout layout) {
    private static final int PER_TASK = 1 << 13;

    /** Says whether memory holds values as users give them. */
    private boolean inUserOrder() {
        return shape.order() == null && (layout == Layout.AOS || components == 1);
    }

    private int place(int element, int component) {
        int current = shape.current(element);
        return layout == Layout.AOS ? current * components + component : component * shape.size() + current;
    }

    /** Puts values into memory. */
    void put(double[] values, HostStorage target) {
        if (inUserOrder() && target.array() instanceof double[] kept) {
            System.arraycopy(values, 0, kept, 0, values.length);
            return;
        }
        ParallelRanges.run(shape.size(), PER_TASK, (from, to) -> {
            for (int element = from; element < to; element++) {
                for (int c = 0; c < components; c++) {
                    target.set(place(element, c), values[element * components + c]);
                }
            }
        });
    }

    /** Takes all values out of memory, into a new array. */
    double[] take(HostStorage source) {
        if (inUserOrder() && source.array() instanceof double[] kept && kept.length == shape.size() * components) {
            return kept.clone();
        }
        double[] values = new double[source.length()];
        ParallelRanges.run(shape.size(), PER_TASK, (from, to) -> {
            for (int element = from; element < to; element++) {
                for (int c = 0; c < components; c++) {
                    values[element * components + c] = source.get(place(element, c));
                }
            }
        });
        return values;
    }

    /** Finds the first value that is no whole number of 32 bits, or -1. */
    static int firstBroken(double... values) {
        return ParallelRanges.first(values.length, PER_TASK, k -> values[k] != (int) values[k]);
    }

    /** Sets all memory to a value. */
    static void fill(double value, HostStorage fresh) {
        if (Double.doubleToRawLongBits(value) != 0) {
            ParallelRanges.run(fresh.length(), PER_TASK, (from, to) -> {
                for (int i = from; i < to; i++) {
                    fresh.set(i, value);
                }
            });
        }
    }
}
