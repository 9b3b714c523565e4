package org.trellis.bench.measure;

/** Fills the caches with something else, or does nothing where they are to stay warm. */
final class CacheFlush {
    private static final int BUFFER_LONGS = 32 << 20;
    private static final int LONGS_OF_A_LINE = 8;

    private final long[] buffer;

    CacheFlush(MeasureSettings.Caches caches) {
        buffer = new long[caches == MeasureSettings.Caches.FLUSHED ? BUFFER_LONGS : 0];
    }

    void run() {
        for (int i = 0; i < buffer.length; i += LONGS_OF_A_LINE) {
            buffer[i]++;
        }
    }
}
