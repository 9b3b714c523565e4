package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.DatCopy;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.device.PreparedSequence;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.tile.TilePlan;

/**
 * Loops that run chunk by chunk, all threads of the device on one chunk, so that its data stay in the second-level
 * cache from loop to loop. A chunk is a tile of a plan whose elements are runs of consecutive ones: a launch for each
 * run, all in one CUDA graph.
 */
final class CudaChunks implements PreparedChain {
    private final TilePlan plan;
    private final List<CudaLoop> launches = new ArrayList<>();
    private final List<List<ChunkReduction>> reductions = new ArrayList<>();
    private Optional<PreparedSequence> graph = Optional.empty();

    /**
     * Compiles the loops and puts them in order.
     *
     * @param context where they run
     * @param arrays  maps on the device
     * @param globals globals on the device
     * @param loops   the loops
     * @param plan    chunks in one strand
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // loops are closed with this
    CudaChunks(CudaContext context, DeviceArrays arrays, CudaGlobals globals, List<ChainLoop> loops, TilePlan plan) {
        this.plan = plan;
        boolean done = false;
        try {
            List<LoopDeclaration> apart = new ArrayList<>();
            LoopMemory[] first = new LoopMemory[loops.size()];
            for (ChainLoop loop : loops) {
                apart.add(loop.loop().apart());
                reductions.add(reductions(loop.loop(), apart.getLast()));
            }
            for (int tile : plan.order().tiles()) {
                for (int i = 0; i < loops.size(); i++) {
                    for (LoopRange range : runs(i, tile, loops.get(i).counted())) {
                        CudaLoopBuilder builder = new CudaLoopBuilder(context, arrays, globals, apart.get(i),
                                CudaLoopRule.inRanges(apart.get(i)), range);
                        first[i] = builder.lend(first[i]);
                        launches.add(builder.build());
                    }
                }
            }
            graph = context.driver().hasGraphs()
                    ? CudaSequence.of(context, List.<PreparedStep>copyOf(launches))
                    : Optional.empty();
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private static List<ChunkReduction> reductions(LoopDeclaration loop, LoopDeclaration apart) {
        List<ChunkReduction> found = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a).reduces()) {
                found.add(new ChunkReduction(loop, apart, a));
            }
        }
        return found;
    }

    /** Cuts the elements of a chunk into runs of consecutive ones. */
    private List<LoopRange> runs(int loop, int tile, int counted) {
        List<LoopRange> runs = new ArrayList<>();
        int[] elements = plan.elements(loop);
        int end = plan.offsets(loop)[tile + 1];
        int from = plan.offsets(loop)[tile];
        while (from < end) {
            int to = from + 1;
            while (to < end && elements[to] == elements[to - 1] + 1) {
                to++;
            }
            runs.add(new LoopRange(elements[from], elements[to - 1] + 1, counted));
            from = to;
        }
        return runs;
    }

    @Override
    public void run() {
        reductions.forEach(ofLoop -> ofLoop.forEach(ChunkReduction::begin));
        if (graph.isPresent()) {
            PreparedSequence sequence = graph.get();
            for (int i = 0; i < launches.size(); i++) {
                sequence.pass(i);
            }
            sequence.run();
        } else {
            launches.forEach(CudaLoop::run);
        }
    }

    @Override
    public void reduce(int loop) {
        reductions.get(loop).forEach(ChunkReduction::finish);
    }

    /** The device measures the time of all loops together. */
    @Override
    public long nanoseconds(int loop) {
        return 0;
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return graph.isPresent() ? graph.get().deviceSeconds() : OptionalDouble.empty();
    }

    @Override
    public List<DatCopy> copies() {
        return List.of();
    }

    @Override
    public TileStatistics statistics() {
        return plan.statistics();
    }

    @Override
    public void close() {
        graph.ifPresent(PreparedSequence::close);
        graph = Optional.empty();
        launches.reversed().forEach(CudaLoop::close); // the first of a loop have what others borrow
        launches.clear();
    }
}
