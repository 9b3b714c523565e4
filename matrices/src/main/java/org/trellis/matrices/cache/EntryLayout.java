package org.trellis.matrices.cache;

/**
 * The layout of an entry, all numbers little-endian:
 *
 * <pre>
 * 8 bytes  "TRELCSR" and the version
 * int      length of the key, then the key ({@link CacheKey#toBytes})
 * int      rows
 * int      columns
 * int      non-zeros
 * int      CRC-32C of everything so far
 * int[]    row offsets, rows + 1 of them
 * int[]    columns
 * float[] or double[] values
 * int      CRC-32C of the three arrays
 * </pre>
 */
final class EntryLayout {
    /** The first eight bytes; the last of them is the version. */
    static final byte[] MAGIC = {'T', 'R', 'E', 'L', 'C', 'S', 'R', 1};

    /** Bytes that are copied and summed at a time. */
    static final int CHUNK_BYTES = 1 << 18;

    private EntryLayout() {}

    /** Size of the part that precedes the arrays. */
    static int headBytes(int keyBytes) {
        return MAGIC.length + Integer.BYTES + keyBytes + 4 * Integer.BYTES;
    }

    /** Size of the whole entry. */
    static long entryBytes(int keyBytes, long rows, long nonZeros, int valueBytes) {
        return headBytes(keyBytes) + (rows + 1) * Integer.BYTES + nonZeros * (Integer.BYTES + valueBytes)
                + Integer.BYTES;
    }
}
