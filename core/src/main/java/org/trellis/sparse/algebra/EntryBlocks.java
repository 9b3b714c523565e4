package org.trellis.sparse.algebra;

import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.Checks;

/**
 * Memory for entries of rows whose number is not known before they are computed. Blocks that come back are lent again,
 * to the next level of a hierarchy or the next product: pages that the system hands out for the first time, and arrays
 * that the collector moves, take longer than the arithmetic. What is kept is at most a share of the heap, and the
 * collector may take it. For any thread.
 */
final class EntryBlocks {
    /** Entries of a block that is kept, of twelve bytes each. */
    private static final int ENTRIES = 1 << 16;
    private static final int BYTES_PER_ENTRY = Integer.BYTES + Double.BYTES;
    private static final int SHARE_OF_HEAP = 64;
    private static final long MOST =
            Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / ((long) ENTRIES * BYTES_PER_ENTRY);

    private static final ConcurrentLinkedQueue<SoftReference<Block>> IDLE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private EntryBlocks() {}

    /**
     * Room for entries.
     *
     * @param columns their columns
     * @param values  their values, as many
     */
    record Block(int[] columns, double[] values) {
        static Block of(int entries) {
            return new Block(new int[entries], new double[entries]);
        }
    }

    /**
     * Lends a block.
     *
     * @param needed   entries that must fit
     * @param expected entries of all blocks together, if it is known that there are few
     * @return a block of any content
     */
    static Block take(long needed, long expected) {
        if (Math.max(needed, expected) < ENTRIES) {
            return Block.of((int) Math.max(2 * needed, expected));
        }
        while (needed <= ENTRIES) {
            SoftReference<Block> kept = IDLE.poll();
            if (kept == null) {
                return Block.of(ENTRIES);
            }
            COUNT.decrementAndGet();
            Block block = kept.get();
            if (block != null) {
                return block;
            }
        }
        // Bounds of rows may be far above what comes out: what is left takes the next rows.
        int least = Checks.arrayLength("entries of some rows of a product", needed);
        return Block.of(Math.clamp(2 * needed, least, Checks.LONGEST_ARRAY));
    }

    /** Takes a block back, which is no longer used. */
    static void giveBack(Block block) {
        if (block.columns().length != ENTRIES) {
            return;
        }
        if (COUNT.incrementAndGet() <= MOST) {
            IDLE.add(new SoftReference<>(block));
        } else {
            COUNT.decrementAndGet();
        }
    }
}
