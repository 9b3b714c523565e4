package org.trellis.mesh.tile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    /** The part of a device's cache that a chunk may fill at most. */
    private static final double MOST_FILLED = 0.9;
    /** What a device moves in the two microseconds or so that a further launch in a graph takes. */
    private static final long LAUNCH_BYTES = 5_000_000;
    /** How much of the time of bytes that come from the cache instead of memory is saved, on an H100. */
    private static final double GAINED = 0.25;

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

    /**
     * Proposes chunks for all threads of a device, half of its cache or most of it; they do not pay if everything fits
     * there, or if what is saved is less than what could be moved while the launches of chunks start.
     */
    static TileProposal proposeChunks(ChainAccess chain, long cache) {
        long apart = chain.bytesApart();
        long together = chain.bytesTogether();
        String moved = String.format(Locale.ROOT, "%.1f MB moved loop by loop, %.1f MB at once, %.1f MB of cache",
                apart * 1e-6, together * 1e-6, cache * 1e-6);
        if (together < cache) {
            return new TileProposal(List.of(), "the data fit the device's cache: " + moved);
        }
        List<Integer> sizes = new ArrayList<>();
        for (double filled : new double[]{FILLED, MOST_FILLED}) {
            double chunks = Math.ceil(together / (filled * cache));
            double saved = GAINED * (apart - together) - (chunks - 1) * chain.loops().size() * (double) LAUNCH_BYTES;
            if (saved > 0) {
                sizes.add((int) Math.ceil(chain.base().size() / chunks));
            }
        }
        return new TileProposal(sizes, sizes.isEmpty() ? "launches would cost more than is saved: " + moved : moved);
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
