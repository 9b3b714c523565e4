package org.trellis.mesh.loop;

import java.util.Arrays;
import java.util.Locale;

/** How chains of loops are cut into tiles, each of which runs all loops before the next tile begins. */
public enum Tiling {
    /** One loop after the other over its whole set. */
    NONE,
    /**
     * Each tile runs everything that its own results depend on, on copies in memory of its own; elements near a border
     * run in several tiles (thesis, section 6.2, algorithm 9).
     */
    REDUNDANT,
    /**
     * Each element of each loop runs in one tile; tiles shrink or grow from loop to loop, and run in an order that
     * respects what loops need of each other.
     */
    SPARSE;

    /**
     * Returns the name used on the command line and in files.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the tiling of a given name.
     *
     * @param label for example {@code sparse}
     * @return the tiling
     * @throws IllegalArgumentException if there is none; lists those that there are
     */
    public static Tiling of(String label) {
        for (Tiling tiling : values()) {
            if (tiling.label().equals(label)) {
                return tiling;
            }
        }
        throw new IllegalArgumentException("tiling is '" + label + "', expected one of "
                + Arrays.stream(values()).map(Tiling::label).toList());
    }
}
