package org.trellis.bench.measure;

/** Fills the caches with something else, or does nothing where they are to stay warm. */
public final class CacheFlush {
    private static final int BUFFER_LONGS = 32 << 20;
    private static final int LONGS_OF_A_LINE = 8;

    private final long[] buffer;

    /**
     * Takes the memory for it.
     *
     * @param caches what caches are to hold when a sample starts
     */
    public CacheFlush(MeasureSettings.Caches caches) {
        buffer = new long[caches == MeasureSettings.Caches.FLUSHED ? BUFFER_LONGS : 0];
    }

    /**
     * Says whether there is something to do.
     *
     * @return false if caches are to stay warm
     */
    public boolean isNeeded() {
        return buffer.length > 0;
    }

    /** Does it. */
    public void run() {
        for (int i = 0; i < buffer.length; i += LONGS_OF_A_LINE) {
            buffer[i]++;
        }
    }
}
