package org.trellis.mesh.loop;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * What a mesh does with loops that follow each other.
 *
 * @param lazy     whether loops are noted and run when the program needs a value
 * @param tiling   how chains of loops are cut into tiles
 * @param tileSize elements of a tile, of the set with most data; 0 to have a model propose some and to take what the
 *                 first runs of a chain show to be fastest, no tiles among them
 * @param fusion   whether loops over one set that can run as one do
 * @param limit    the most loops that are noted before they are run
 */
public record ChainOptions(boolean lazy, Tiling tiling, int tileSize, Fusion fusion, int limit) {
    /** Loops run at once, each over its whole set. */
    public static final ChainOptions EAGER = new ChainOptions(false, Tiling.NONE, 0, Fusion.OFF, 64);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the size is negative or the limit below 1
     */
    public ChainOptions {
        Objects.requireNonNull(tiling);
        Objects.requireNonNull(fusion);
        Checks.notNegative("tileSize", tileSize);
        Checks.positive("limit", limit);
    }

    /**
     * Returns these options with or without {@link #lazy}.
     *
     * @param value the new value
     * @return new options
     */
    public ChainOptions withLazy(boolean value) {
        return new ChainOptions(value, tiling, tileSize, fusion, limit);
    }

    /**
     * Returns these options with another {@link #tiling}.
     *
     * @param value the new value
     * @param size  the new {@link #tileSize}
     * @return new options
     * @throws IllegalArgumentException if the size is negative
     */
    public ChainOptions withTiling(Tiling value, int size) {
        return new ChainOptions(lazy, value, size, fusion, limit);
    }

    /**
     * Returns these options with another {@link #fusion}.
     *
     * @param value the new value
     * @return new options
     */
    public ChainOptions withFusion(Fusion value) {
        return new ChainOptions(lazy, tiling, tileSize, value, limit);
    }

    /**
     * Returns these options with another {@link #limit}.
     *
     * @param value the new value
     * @return new options
     * @throws IllegalArgumentException if the value is below 1
     */
    public ChainOptions withLimit(int value) {
        return new ChainOptions(lazy, tiling, tileSize, fusion, value);
    }

    /**
     * Says whether steps are considered together at all.
     *
     * @return false if each runs at once and as a whole
     */
    public boolean isActive() {
        return lazy || tiling != Tiling.NONE || fusion != Fusion.OFF;
    }
}
