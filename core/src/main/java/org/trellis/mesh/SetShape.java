package org.trellis.mesh;

import org.trellis.common.Permutation;

/**
 * The size and numbering of a set, as it is or as a change makes it.
 *
 * @param name    the set's name
 * @param size    its number of elements
 * @param rows    how many of them, from the first, have rows in maps
 * @param extents where its parts end
 * @param order   from the user's numbers to the current ones; null if they are the same
 * @param origins for each element the number that it had before the change, or -1; null if every element stays what it
 *                is
 */
record SetShape(String name, int size, int rows, int[] extents, Permutation order, int[] origins) {

    static SetShape of(MeshSet set) {
        return new SetShape(set.name(), set.size(), set.withRows(), set.extents(),
                set.inUserOrder() ? null : set.order(),
                null);
    }

    /** A set that a change gives these elements, in the user's order. */
    static SetShape changed(MeshSet set, int[] extents, int[] origins) {
        return new SetShape(set.name(), origins.length, origins.length, extents, null, origins);
    }

    /** Where an element is kept. */
    int current(int element) {
        return order == null ? element : order.newIndex(element);
    }

    boolean changed() {
        return origins != null;
    }

    /** The number that an element had before the change, or -1. */
    int origin(int element) {
        return origins == null ? element : origins[element];
    }
}
