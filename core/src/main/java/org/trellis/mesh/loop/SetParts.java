package org.trellis.mesh.loop;

import java.util.List;
import org.trellis.common.Checks;

/**
 * Where the parts of a set end that is divided over ranks, with halos of one or several rings. Each part contains the
 * one before: interior, owned, then for each ring the elements that are run redundantly so far and those that there are
 * data of so far (I. Z. Reguly, PhD thesis, 2014, sections 2.2 and 7.1; several rings as in 4.5.3).
 *
 * @param interior elements that reach nothing of another rank
 * @param ends     owned elements; then for ring 1, 2, ... two numbers each: elements that are run, and elements that
 *                 these lead to as well. An end is called by its <em>level</em>, its place in this list
 */
public record SetParts(int interior, List<Integer> ends) {
    /**
     * Checks that each part contains the one before.
     *
     * @throws IllegalArgumentException if one does not, or a ring has not two ends
     */
    public SetParts {
        ends = List.copyOf(ends);
        if (ends.size() < 3 || ends.size() % 2 == 0) {
            throw new IllegalArgumentException("parts of a set have " + ends.size() + " ends, expected one and two for "
                    + "each ring, of which there is at least one");
        }
        int before = Checks.notNegative("number of interior elements", interior);
        for (int end : ends) {
            if (end < before) {
                throw new IllegalArgumentException("parts of a set have " + interior + " interior elements and ends "
                        + ends + ", expected none to be less than before");
            }
            before = end;
        }
    }

    /**
     * Returns the number of rings.
     *
     * @return at least 1
     */
    public int rings() {
        return ends.size() / 2;
    }

    /**
     * Returns the number of owned elements.
     *
     * @return the end of level 0
     */
    public int owned() {
        return ends.getFirst();
    }

    /**
     * Returns how many elements are run for a ring.
     *
     * @param ring the ring; 0 for owned elements only
     * @return the end of level {@code 2 ring − 1}
     */
    public int executed(int ring) {
        return ring == 0 ? owned() : ends.get(2 * ring - 1);
    }

    /**
     * Returns the number of all elements.
     *
     * @return the last end
     */
    public int total() {
        return ends.getLast();
    }
}
