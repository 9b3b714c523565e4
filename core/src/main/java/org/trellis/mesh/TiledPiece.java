package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/**
 * Loops of a chain that run in tiles, or one after the other if that is faster. Reductions and setting globals come
 * after the loops, in their order: no loop of the piece reads what they change.
 *
 * <p>With a tile size of 0 the first runs are done in different ways in turn, each a whole run with the right result:
 * loop by loop, and in tiles of the sizes that the model proposes. After {@link #ROUNDS} of each the fastest stays.
 */
final class TiledPiece extends ChainPiece {
    /** Runs of each way, of which the first, in which code is compiled, does not count. */
    static final int ROUNDS = 5;

    private final ChainOptions options;
    private final List<LoopDeclaration> loops = new ArrayList<>();
    private final List<Way> ways = new ArrayList<>();
    private Way chosen;
    private String decision = "not run so far";

    /** A way to run the loops. */
    private static final class Way {
        private final int tileSize;
        private PreparedChain prepared;
        private int runs;
        private long best = Long.MAX_VALUE;

        Way(int tileSize) {
            this.tileSize = tileSize;
        }

        void took(long nanoseconds) {
            runs++;
            if (runs > 1) {
                best = Math.min(best, nanoseconds);
            }
        }

        @Override
        public String toString() {
            return tileSize == 0 ? "loop by loop" : "tiles of " + tileSize;
        }
    }

    TiledPiece(Mesh mesh, ChainOptions options, List<Step> all, List<Integer> places) {
        super(mesh, all, places);
        this.options = options;
        for (int i = 0; i < size(); i++) {
            if (step(i) instanceof LoopStep loop) {
                loops.add(loop.loop().declaration());
            }
        }
    }

    @Override
    void run(List<NotedStep> noted) {
        countRun();
        if (ways.isEmpty()) {
            propose();
        }
        if (mesh().isWatched() || (options.tiling() == Tiling.REDUNDANT && isExposed())) {
            // Who watches may look at the data before each step, and views do not follow dats to other memory.
            runApart(noted);
            return;
        }
        Way way = chosen == null ? next() : chosen;
        long start = System.nanoTime();
        if (way.tileSize == 0) {
            runApart(noted);
        } else {
            runTiled(way, noted);
        }
        way.took(System.nanoTime() - start);
        if (chosen == null && ways.stream().allMatch(each -> each.runs >= ROUNDS)) {
            decide();
        }
    }

    private boolean isExposed() {
        for (LoopDeclaration loop : loops) {
            for (int a = 0; a < loop.arity(); a++) {
                if (loop.dat(a) != null && loop.dat(a).isExposed()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void propose() {
        if (options.tileSize() > 0) {
            ways.add(new Way(options.tileSize()));
            choose(ways.getFirst(), "as the options say");
            return;
        }
        TileProposal proposal = mesh().kernels().tiles(loops, options.tiling());
        Way whole = new Way(0);
        ways.add(whole);
        proposal.sizes().forEach(size -> ways.add(new Way(size)));
        if (ways.size() == 1) {
            choose(whole, proposal.reason());
        } else {
            decision = "being tried; " + proposal.reason();
        }
    }

    private void choose(Way way, String reason) {
        chosen = way;
        decision = way + ": " + reason;
    }

    private Way next() {
        Way least = ways.getFirst();
        for (Way way : ways) {
            least = way.runs < least.runs ? way : least;
        }
        return least;
    }

    private void decide() {
        Way fastest = ways.getFirst();
        StringBuilder times = new StringBuilder();
        for (Way way : ways) {
            fastest = way.best < fastest.best ? way : fastest;
            times.append(times.isEmpty() ? "" : ", ").append(way).append(' ').append(way.best / 1000).append(" µs");
        }
        for (Way way : ways) {
            if (!way.equals(fastest) && way.prepared != null) {
                way.prepared.close();
                way.prepared = null;
            }
        }
        choose(fastest, times.toString());
    }

    @SuppressWarnings("MustBeClosed") // closed with the piece
    private void runTiled(Way way, List<NotedStep> noted) {
        if (way.prepared == null) {
            attempt(noted, 0, size(), () -> way.prepared = mesh().kernels().chain(loops, options.tiling(),
                    way.tileSize));
        }
        PreparedChain chain = way.prepared;
        for (int i = 0; i < size(); i++) {
            if (step(i) instanceof LoopStep loop) {
                loop.loop().prepare();
            }
        }
        long start = System.nanoTime();
        attempt(noted, 0, size(), chain::run);
        long wall = System.nanoTime() - start;
        for (DatCopy copy : chain.copies()) {
            copy.exchange();
            mesh().loops().forEach(loop -> loop.follow(copy.dat()));
        }
        finish(chain, wall, noted);
    }

    /** Combines what has been reduced, and shares the time out among the loops. */
    private void finish(PreparedChain chain, long wall, List<NotedStep> noted) {
        long busy = 0;
        for (int number = 0; number < loops.size(); number++) {
            busy += chain.nanoseconds(number);
        }
        int number = 0;
        for (int i = 0; i < size(); i++) {
            if (step(i) instanceof LoopStep loop) {
                chain.reduce(number);
                loop.loop().countRun((long) ((double) wall * chain.nanoseconds(number) / Math.max(1, busy)));
                number++;
            } else {
                runSet(noted, i);
            }
        }
    }

    @Override
    ChainReport report(int dead) {
        return report(dead, chosen == null || chosen.prepared == null
                ? Optional.empty()
                : Optional.of(chosen.prepared.statistics()), decision);
    }

    @Override
    void release() {
        super.release();
        for (Way way : ways) {
            if (way.prepared != null) {
                way.prepared.close();
            }
        }
        ways.clear();
        chosen = null;
    }
}
