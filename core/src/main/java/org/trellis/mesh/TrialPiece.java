package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.HostBackend;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/**
 * Loops of a chain that run in tiles, several as one, or one after the other, whichever is fastest. With tiles,
 * reductions and setting globals come after the loops, in their order: no loop of the piece reads what they change.
 *
 * <p>Where the options leave a choice the first runs are done in different ways in turn, each a whole run with the
 * right result: loop by loop, fused, and in tiles of the sizes that the model proposes. After {@link #ROUNDS} of each
 * the fastest stays. On a device, whose work the host does not wait for, and on several ranks, which all have to do the
 * same, nothing is tried: loops that can run as one do.
 */
final class TrialPiece extends ChainPiece {
    /** Runs of each way, of which the first, in which code is compiled, does not count. */
    static final int ROUNDS = 5;

    private final ChainOptions options;
    private final Tiling tiling;
    private final List<LoopDeclaration> loops = new ArrayList<>();
    private final FusedSteps fusion;
    private final ChainPiece fused;
    private final List<Way> ways = new ArrayList<>();
    private Way chosen;
    private String decision = "not run so far";

    /** How loops are run. */
    private enum Kind {
        APART, FUSED, TILES
    }

    /** A way to run the loops. */
    private static final class Way {
        private final Kind kind;
        private final int tileSize;
        private PreparedChain prepared;
        private int runs;
        private long best = Long.MAX_VALUE;

        Way(Kind kind, int tileSize) {
            this.kind = kind;
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
            return switch (kind) {
                case APART -> "loop by loop";
                case FUSED -> "fused";
                case TILES -> "tiles of " + tileSize;
            };
        }
    }

    private TrialPiece(Mesh mesh, ChainOptions options, List<Step> steps, List<int[]> places, Tiling tiling,
            FusedSteps fusion) {
        super(mesh, steps, places);
        this.options = options;
        this.tiling = tiling;
        this.fusion = fusion;
        this.fused = fusion == null ? null : fusion.piece();
        for (Step step : steps) {
            if (step instanceof LoopStep loop) {
                loops.add(loop.loop().declaration());
            }
        }
        if (fusion != null) {
            mesh.running().addFused(fusion.made());
        }
    }

    /** Makes a piece that has a choice, if there are loops enough and they may run otherwise than one by one. */
    static ChainPiece of(Mesh mesh, ChainOptions options, List<Step> all, List<Integer> places, boolean tiled) {
        long loops = places.stream().filter(place -> all.get(place) instanceof LoopStep).count();
        boolean given = tiled && options.tileSize() > 0;
        FusedSteps fusion = loops < 2 || options.fusion() == Fusion.OFF || given
                ? null
                : new FusedSteps(mesh, all, places);
        boolean fuses = fusion != null && !fusion.isEmpty();
        return loops < 2 || !(tiled || fuses)
                ? ChainPiece.of(mesh, all, places)
                : new TrialPiece(mesh, options, places.stream().map(all::get).toList(),
                        places.stream().map(place -> new int[]{place}).toList(),
                        tiled ? options.tiling() : Tiling.NONE, fuses ? fusion : null);
    }

    @Override
    void run(List<NotedStep> noted) {
        countRun();
        if (ways.isEmpty()) {
            propose();
        }
        if (mesh().isWatched() || (tiling == Tiling.REDUNDANT && isExposed())) {
            // Who watches may look at the data before each step, and views do not follow dats to other memory.
            runApart(noted);
            return;
        }
        Way way = chosen == null ? next() : chosen;
        long start = System.nanoTime();
        switch (way.kind) {
            case APART -> runApart(noted);
            case FUSED -> fused.run(noted);
            case TILES -> runTiled(way, noted);
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
        if (tiling != Tiling.NONE && options.tileSize() > 0) {
            ways.add(new Way(Kind.TILES, options.tileSize()));
            choose(ways.getFirst(), "as the options say");
            return;
        }
        boolean measures = mesh().backend() instanceof HostBackend && !mesh().division().ranked();
        if (fused == null || (options.fusion() == Fusion.TUNED && measures)) {
            ways.add(new Way(Kind.APART, 0));
        }
        if (fused != null) {
            ways.add(new Way(Kind.FUSED, 0));
        }
        String reason = options.fusion() == Fusion.TUNED
                ? "runs are not timed one by one here"
                : "as the options say";
        if (tiling != Tiling.NONE) {
            TileProposal proposal = mesh().kernels().tiles(loops, tiling);
            proposal.sizes().forEach(size -> ways.add(new Way(Kind.TILES, size)));
            reason = proposal.reason();
        }
        if (ways.size() == 1) {
            choose(ways.getFirst(), reason);
        } else {
            decision = "being tried" + (tiling == Tiling.NONE ? "" : "; " + reason);
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
            attempt(noted, 0, size(), () -> way.prepared = mesh().kernels().chain(loops, tiling, way.tileSize));
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
            mesh().running().follow(copy.dat());
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
        Optional<TileStatistics> tiles = chosen == null || chosen.prepared == null
                ? Optional.empty()
                : Optional.of(chosen.prepared.statistics());
        boolean runsFused = chosen != null && chosen.kind == Kind.FUSED;
        List<String> names = runsFused
                ? fusion.made().stream().map(loop -> loop.declaration().name()).toList()
                : List.of();
        String how = runsFused && fused.isJoined() ? "; " + fused.how() : "";
        return new ChainReport(names(), dead, runs(), tiles, names, decision + how);
    }

    @Override
    void release() {
        super.release();
        for (Way way : ways) {
            if (way.prepared != null) {
                way.prepared.close();
            }
        }
        if (fused != null) {
            fused.release();
            mesh().running().releaseFused(fusion.made());
        }
        ways.clear();
        chosen = null;
    }
}
