package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;

/** Which values of other ranks' elements of a dat are up to date. */
final class Freshness {
    /** All elements are up to date. */
    static final int ALL = Integer.MAX_VALUE;

    /** The level up to which all elements are up to date. */
    private int valid = ALL;
    /** What has been brought besides since the dat was written. */
    private final List<HaloKey> brought = new ArrayList<>();

    boolean has(HaloKey key) {
        if (valid >= key.enough()) {
            return true;
        }
        for (int i = 0; i < brought.size(); i++) {
            if (key.isWithin(brought.get(i))) {
                return true;
            }
        }
        return false;
    }

    void brought(HaloKey key) {
        brought.add(key);
    }

    /** Notes that a loop has written the dat, and how far the result is right. */
    void written(int level) {
        valid = level;
        brought.clear();
    }

    /** Returns the level up to which all elements are up to date. */
    int valid() {
        return valid;
    }

    /** Takes over what another one says. */
    void copy(Freshness other) {
        valid = other.valid;
        brought.clear();
        brought.addAll(other.brought);
    }

    /** Says whether another one says the same. Allocates nothing. */
    boolean isLike(Freshness other) {
        boolean same = valid == other.valid && brought.size() == other.brought.size();
        for (int i = 0; same && i < brought.size(); i++) {
            same = brought.get(i).equals(other.brought.get(i));
        }
        return same;
    }
}
