package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.distributed.partitioned.IndexMap;

/** The elements of a set that a rank has, in the order in which they were found, and in which ring each is. */
final class ShareElements {
    private final IndexMap elements;
    private final int owned;
    private byte[] levels;

    /** Begins with the owned elements. */
    ShareElements(int... owned) {
        this.elements = new IndexMap(owned.length);
        for (int element : owned) {
            elements.add(element);
        }
        this.owned = owned.length;
        this.levels = new byte[Math.max(16, owned.length)];
    }

    /** Adds an element, unless it is here. */
    void add(int element, int level) {
        if (elements.add(element)) {
            int at = elements.size() - 1;
            if (at == levels.length) {
                levels = Arrays.copyOf(levels, 2 * at);
            }
            levels[at] = (byte) level;
        }
    }

    int size() {
        return elements.size();
    }

    int owned() {
        return owned;
    }

    /** The user's number of the i-th element. */
    int element(int i) {
        return (int) elements.index(i);
    }

    /** The level of the i-th element: 0 for owned ones, {@code 2 ring - 1} for those run, {@code 2 ring} for others. */
    int level(int i) {
        return levels[i];
    }

    /** Which of the elements has a user's number; a negative number if none has. */
    int place(int element) {
        return elements.get(element);
    }
}
