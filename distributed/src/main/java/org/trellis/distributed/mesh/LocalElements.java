package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.distributed.partitioned.IndexMap;

/** The elements of a set that a rank has, in the order in which they were found, and in which ring each is. */
final class LocalElements {
    private final IndexMap elements;
    private final int owned;
    private byte[] levels;

    /** Begins with the owned elements. */
    LocalElements(int... owned) {
        this.elements = new IndexMap(owned.length);
        for (int element : owned) {
            elements.add(element);
        }
        this.owned = owned.length;
        this.levels = new byte[Math.max(16, owned.length)];
    }

    /** Adds an element, unless it is here; returns which one of them it is. */
    int add(int element, int level) {
        int before = elements.size();
        int number = elements.numberOf(element);
        if (number == before) {
            if (number == levels.length) {
                levels = Arrays.copyOf(levels, 2 * number);
            }
            levels[number] = (byte) level;
        }
        return number;
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
}
