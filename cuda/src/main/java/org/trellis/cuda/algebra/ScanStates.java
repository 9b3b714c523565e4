package org.trellis.cuda.algebra;

import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;

/**
 * What the blocks of a scan know of each other: a ticket, which gives each block its tile, and a word for each tile.
 * All scans of a context share the words; each has a number of its own, so that words of scans before it count as
 * empty.
 */
final class ScanStates {
    /** Numbers have 21 bits in a word. */
    private static final int MOST_NUMBERS = (1 << 21) - 1;
    private static final int FEWEST_WORDS = 1 << 12;

    private final CudaContext context;
    private CudaBuffer words;
    private int capacity;
    private int tickets;
    private int number;

    ScanStates(CudaContext context) {
        this.context = context;
    }

    /**
     * Where a scan finds its words.
     *
     * @param address     the ticket's, with the words behind it
     * @param firstTicket the value of the ticket before
     * @param number      of the scan, from 1
     */
    record Place(long address, int firstTicket, int number) {}

    /** Prepares a scan of some tiles, which runs after those before on the context's stream. */
    Place next(int tiles) {
        if (words == null || tiles > capacity || number == MOST_NUMBERS) {
            renew(Math.max(tiles, Math.max(capacity, FEWEST_WORDS)));
        }
        number++;
        Place place = new Place(words.address(), tickets, number);
        tickets += tiles;
        return place;
    }

    @SuppressWarnings("MustBeClosed") // closed with the context at the latest
    private void renew(int tiles) {
        if (words != null) {
            words.close();
            words = null;
        }
        words = context.zeros((1L + tiles) * Long.BYTES);
        capacity = tiles;
        tickets = 0;
        number = 0;
    }
}
