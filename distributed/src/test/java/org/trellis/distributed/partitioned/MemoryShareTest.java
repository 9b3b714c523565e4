package org.trellis.distributed.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MarketPart;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * A file of a million entries, read by four ranks: none allocates more than 1.3 times its share of what all allocate,
 * and no more than a stated number of bytes an entry of its share. What is allocated bounds what is held at any time.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MemoryShareTest {
    private static final int RANKS = 4;
    /** The points of an edge; for measurements of larger files, {@code -Dtrellis.test.memory.side=1414}. */
    private static final int SIDE = Integer.getInteger("trellis.test.memory.side", 450);
    private static final double MOST_OF_A_SHARE = 1.3;
    /**
     * Batches (24 bytes an entry, grown by doubling, twice), messages, rows and the sorting of rows, most of which is
     * garbage at once.
     */
    private static final long MOST_BYTES_AN_ENTRY = 600;

    @TempDir
    private Path folder;

    private static CsrMatrix poisson() {
        int n = SIDE * SIDE;
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 5L * n);
        for (int row = 0; row < n; row++) {
            for (int step : new int[]{-SIDE, -1, 0, 1, SIDE}) {
                boolean wraps = (step == -1 && row % SIDE == 0) || (step == 1 && row % SIDE == SIDE - 1);
                if (!wraps && row + step >= 0 && row + step < n) {
                    builder.add(row + step, step == 0 ? 4 : -1);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** What a rank has at the end, and what it allocated on the way there. */
    private record Use(long entries, long bytes) {}

    @Test
    void noRankTakesMuchMoreThanItsShare() throws IOException {
        CsrMatrix matrix = poisson();
        Path file = folder.resolve("matrix.mtx");
        MatrixMarket.write(file, matrix, WriteOptions.DEFAULT);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<Use> uses = ThreadRanks.run(RANKS, communicator -> {
            long before = threads.getCurrentThreadAllocatedBytes();
            EntryBatch batch = new EntryBatch();
            MarketPart share;
            try {
                share = MarketPart.read(file, communicator.rank(), RANKS, ReadOptions.DEFAULT, batch::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            PartitionedMatrix part =
                    PartitionedMatrix.ofEntries(communicator, share.header().rows(), Precision.F64, batch);
            return new Use(part.rows().nonZeros(), threads.getCurrentThreadAllocatedBytes() - before);
        });
        long entries = uses.stream().mapToLong(Use::entries).sum();
        assertEquals(matrix.nonZeros(), entries);
        double share = uses.stream().mapToLong(Use::bytes).sum() / (double) RANKS;
        System.out.println("Allocated by ranks that read " + entries + " entries, over the mean: "
                + uses.stream().map(use -> String.format(Locale.ROOT, "%.3f", use.bytes / share)).toList() + " of "
                + Math.round(share * RANKS / entries) + " bytes an entry");
        for (Use use : uses) {
            assertTrue(use.bytes < MOST_OF_A_SHARE * share, () -> "of a share of " + share + " bytes: " + uses);
            assertTrue(use.bytes < MOST_BYTES_AN_ENTRY * use.entries, uses::toString);
        }
    }
}
