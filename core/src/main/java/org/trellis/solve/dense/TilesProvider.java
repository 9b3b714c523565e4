package org.trellis.solve.dense;

import java.util.ServiceLoader;

/**
 * Makes tiles and dot products that use vectors, if there are any in this JVM. Implementations are found by the service
 * loader.
 */
public interface TilesProvider {
    /**
     * Says whether they can be used: vectors and an instruction that multiplies and adds.
     *
     * @return the same in all calls
     */
    boolean available();

    /**
     * Makes tiles of doubles.
     *
     * @return tiles without a state
     */
    DoubleTiles doubles();

    /**
     * Makes tiles of floats.
     *
     * @return tiles without a state
     */
    FloatTiles floats();

    /**
     * Makes dot products.
     *
     * @return loops without a state
     */
    DotLoops dots();

    /**
     * Returns the one that can be used.
     *
     * @return null if there is none
     */
    static TilesProvider found() {
        return Found.PROVIDER;
    }

    /** Looked for once. */
    final class Found {
        private static final TilesProvider PROVIDER = ServiceLoader
                .load(TilesProvider.class, TilesProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).filter(TilesProvider::available).findFirst().orElse(null);

        private Found() {}
    }
}
