package org.trellis.mesh.tile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/**
 * Proposes sizes of tiles: what a tile touches is to fill half of a core's second-level cache. Tiles do not pay if
 * everything fits there anyway, if there would be too few of them for the threads, or if moving everything once instead
 * of once a loop saves too little.
 */
final class TileModel {
    private static final Path CACHE = Path.of("/sys/devices/system/cpu/cpu0/cache/index2/size");
    private static final long USUAL_CACHE = 1 << 20;
    private static final double FILLED = 0.5;
    /** The least part of the bytes that tiles must save. */
    private static final double WORTH = 0.15;
    /** Tiles for each thread, at least. */
    private static final int TILES_PER_THREAD = 4;
    private static final long CACHE_BYTES = cacheBytes();

    private TileModel() {}

    private static long cacheBytes() {
        try {
            String text = Files.readString(CACHE).strip();
            return text.endsWith("K") ? 1024 * Long.parseLong(text.substring(0, text.length() - 1)) : USUAL_CACHE;
        } catch (IOException | NumberFormatException e) {
            return USUAL_CACHE; // another system, or none of our business
        }
    }

    static TileProposal propose(ChainAccess chain, Tiling tiling, int threads) {
        return propose(chain, tiling, threads, CACHE_BYTES);
    }

    static TileProposal propose(ChainAccess chain, Tiling tiling, int threads, long cache) {
        long apart = chain.bytesApart();
        long together = chain.bytesTogether();
        int elements = Math.max(1, chain.base().size());
        String moved =
                String.format(Locale.ROOT, "%.1f MB moved loop by loop, %.1f MB at once, %.1f MB of cache a core",
                        apart * 1e-6, together * 1e-6, cache * 1e-6);
        if (together < 2 * cache * threads) {
            return new TileProposal(List.of(), "the data are not much larger than the caches: " + moved);
        }
        // Copies of dats and maps are written and read once more.
        double saved = 1 - (tiling == Tiling.REDUNDANT ? 2 : 1) * (double) together / apart;
        if (saved < WORTH) {
            return new TileProposal(List.of(), "too little would be saved: " + moved);
        }
        int size = (int) Math.max(1, FILLED * cache * elements / together);
        int most = Math.max(1, elements / (TILES_PER_THREAD * threads));
        Set<Integer> sizes = new LinkedHashSet<>();
        for (int factor : new int[]{1, 2, 4}) {
            sizes.add(Math.min(most, size * factor));
        }
        return new TileProposal(sizes.stream().toList(), moved);
    }
}
