package org.trellis.matrices.market;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.ProgressMeter;
import org.trellis.matrices.support.SyntaxFailure;
import org.trellis.matrices.support.Workers;

/**
 * Parses blocks on several threads; each takes the next block when it has done with its own.
 *
 * <p>It knows that something is wrong, but not what comes first in the file: then everyone stops and the caller lets a
 * {@link SequentialParse} find out.
 */
final class ParallelParse {

    private final MarketHeader header;
    private final ReadOptions options;
    private final BlockSource source;
    private final ProgressMeter progress;
    private final ConcurrentHashMap<Integer, EntryBlock> results = new ConcurrentHashMap<>();
    private final AtomicLong entries = new AtomicLong();
    private final AtomicBoolean failed = new AtomicBoolean();

    ParallelParse(MarketHeader header, ReadOptions options, BlockSource source, ProgressMeter progress) {
        this.header = header;
        this.options = options;
        this.source = source;
        this.progress = progress;
    }

    /**
     * Parses everything.
     *
     * @return the blocks in order, or null if a line is wrong, the compressed data are damaged, there are too many
     *         entries, or both triangles of a symmetric matrix have some
     */
    List<EntryBlock> run(Workers workers) throws IOException {
        workers.run(worker -> work());
        if (failed.get()) {
            return null;
        }
        EntryBlock[] ordered = new EntryBlock[results.size()];
        Arrays.setAll(ordered, results::get);
        List<EntryBlock> blocks = List.of(ordered);
        return inOneTriangle(blocks) ? blocks : null;
    }

    private void work() throws IOException {
        EntryParser parser = new EntryParser(header, options);
        TextBlock text = new TextBlock();
        try {
            while (!failed.get() && source.next(text)) {
                EntryBlock block = parser.parse(text);
                results.put(text.number(), block);
                if (entries.addAndGet(block.count()) > header.entries()) {
                    failed.set(true);
                }
                progress.reach(source.takenBytes());
            }
        } catch (SyntaxFailure | MatrixFormatException e) {
            // The place is found again, in file order, by the sequential parse: another thread may meet an earlier one.
            failed.set(true);
        } catch (IOException | RuntimeException | Error e) {
            failed.set(true);
            throw e;
        }
    }

    private boolean inOneTriangle(List<EntryBlock> blocks) {
        boolean below = blocks.stream().anyMatch(block -> block.shape().below());
        boolean above = blocks.stream().anyMatch(block -> block.shape().above());
        return !(header.mirrored() && below && above);
    }
}
