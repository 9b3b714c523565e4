package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
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
 * <p>Where the options leave a choice the first runs are done in different variants in turn, each a whole run with the
 * right result: loop by loop, fused, and in tiles of the sizes that the model proposes. After {@link #ROUNDS} of each
 * the fastest stays. A device, whose work the host does not wait for, shows by its own clock what is fastest. Several
 * ranks all do the same: with tiles they agree on what is fastest for the slowest of them, where each has sizes of its
 * own; without, nothing is tried.
 *
 * <p>Tiles add up in another order than loops do, so that a program which starts again from a checkpoint has to run in
 * the same variant. Trials end when the first checkpoint begins ({@link #settled}), which keeps what was chosen; chains
 * that come later are not tried.
 */
final class TunedChainSegment extends ChainSegment {
    /** Runs of each variant, of which the first, in which code is compiled, does not count. */
    static final int ROUNDS = 5;

    private final ChainOptions options;
    private final Tiling tiling;
    private final List<LoopDeclaration> loops = new ArrayList<>();
    private final FusedSteps fusion;
    private final ChainSegment fused;
    private final List<Variant> variants = new ArrayList<>();
    private Variant chosen;
    private String decision = "not run so far";

    /** How loops are run. */
    private enum Kind {
        APART(0), FUSED(1), TILES(2);

        /** What checkpoints keep of it. */
        private final int code;

        Kind(int code) {
            this.code = code;
        }

        static Kind of(double code) {
            return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("variant of running loops is " + code
                            + " in the checkpoint, expected 0, 1 or 2"));
        }
    }

    /** A variant to run the loops. */
    private static final class Variant {
        private final Kind kind;
        private final int tileSize;
        private PreparedChain prepared;
        private RankedChain onRanks;
        private int runs;
        private long best = Long.MAX_VALUE;

        Variant(Kind kind, int tileSize) {
            this.kind = kind;
            this.tileSize = tileSize;
        }

        void took(long nanoseconds) {
            runs++;
            if (runs > 1) {
                best = Math.min(best, nanoseconds);
            }
        }

        void release() {
            if (prepared != null) {
                prepared.close();
                prepared = null;
            }
            if (onRanks != null) {
                onRanks.close();
                onRanks = null;
            }
        }

        @Override
        public String toString() {
            return switch (kind) {
                case APART -> "loop by loop";
                case FUSED -> "fused";
                case TILES -> tileSize == 0 ? "one exchange for all" : "tiles of " + tileSize;
            };
        }
    }

    private TunedChainSegment(Mesh mesh, ChainOptions options, List<Step> steps, List<int[]> places, Tiling tiling,
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
    static ChainSegment of(Mesh mesh, ChainOptions options, List<Step> all, List<Integer> places, boolean tiled) {
        long loops = places.stream().filter(place -> all.get(place) instanceof LoopStep).count();
        boolean given = tiled && options.tileSize() > 0;
        FusedSteps fusion = loops < 2 || options.fusion() == Fusion.OFF || given
                ? null
                : new FusedSteps(mesh, all, places);
        boolean fuses = fusion != null && !fusion.isEmpty();
        return loops < 2 || !(tiled || fuses)
                ? ChainSegment.of(mesh, all, places)
                : new TunedChainSegment(mesh, options, places.stream().map(all::get).toList(),
                        places.stream().map(place -> new int[]{place}).toList(),
                        tiled ? options.tiling() : Tiling.NONE, fuses ? fusion : null);
    }

    @Override
    void run(List<QueuedStep> noted) {
        countRun();
        Passage passage = mesh().running().passage();
        if (passage.skips()) {
            runApart(noted); // nothing is computed: there is nothing to compare
            return;
        }
        if (variants.isEmpty()) {
            propose();
        }
        if (mesh().isWatched() || (tiling == Tiling.REDUNDANT && isExposed())) {
            // Who watches may look at the data before each step, and views do not follow dats to other memory.
            runApart(noted);
            return;
        }
        if (passage.isFree() || isApart()) {
            run(variant(), noted);
        } else if (passage.enterAll(steps(), false)) {
            // The order of additions depends on where a chain is cut: a checkpoint begins before all of it, and ends
            // the trials.
            try {
                mesh().running().passed(() -> run(variant(), noted));
            } finally {
                passage.leave();
            }
        } else {
            runApart(noted);
        }
    }

    /** Says whether the loops run one by one, and will: then a checkpoint may begin between them. */
    private boolean isApart() {
        return chosen != null && chosen.kind == Kind.APART;
    }

    private Variant variant() {
        return chosen == null ? next() : chosen;
    }

    private void run(Variant variant, List<QueuedStep> noted) {
        long start = System.nanoTime();
        switch (variant.kind) {
            case APART -> {
                if (mesh().backend() instanceof HostBackend) {
                    runApart(noted);
                } else {
                    runInOrder(noted);
                }
            }
            case FUSED -> fused.run(noted);
            case TILES -> {
                if (mesh().division().ranked()) {
                    runOnRanks(variant, noted);
                } else {
                    runTiled(variant, noted);
                }
            }
        }
        variant.took(System.nanoTime() - start);
        if (chosen == null && variants.stream().allMatch(each -> each.runs >= rounds())) {
            decide();
        }
    }

    /**
     * Runs of each variant: a device is given steps at once from the third run on, and its clock measures those only.
     */
    private int rounds() {
        return mesh().backend() instanceof HostBackend ? ROUNDS : ROUNDS + 2;
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
            variants.add(new Variant(Kind.TILES, options.tileSize()));
            choose(variants.getFirst(), "as the options say");
            return;
        }
        if (tiling != Tiling.NONE && mesh().division().ranked()) {
            proposeOnRanks();
            return;
        }
        boolean measures = !mesh().division().ranked();
        if (fused == null || (options.fusion() == Fusion.TUNED && measures)) {
            variants.add(new Variant(Kind.APART, 0));
        }
        if (fused != null) {
            variants.add(new Variant(Kind.FUSED, 0));
        }
        String reason = options.fusion() == Fusion.TUNED
                ? "runs are not timed one by one here"
                : "as the options say";
        if (tiling != Tiling.NONE) {
            TileProposal proposal = mesh().kernels().tiles(loops.stream().map(ChainLoop::whole).toList(), tiling);
            proposal.sizes().forEach(size -> variants.add(new Variant(Kind.TILES, size)));
            reason = proposal.reason();
        }
        if (variants.size() == 1) {
            choose(variants.getFirst(), reason);
        } else {
            tryAll(tiling == Tiling.NONE ? "" : "; " + reason);
        }
    }

    private void tryAll(String reason) {
        if (tiling != Tiling.NONE && mesh().running().isPastTrials()) {
            choose(variants.getFirst(), "not tried, as there was a checkpoint before" + reason);
        } else {
            decision = "being tried" + reason;
        }
    }

    /**
     * Ends the trials.
     *
     * @return how the loops run from now on, for {@link #repeat}; empty if they have not been run, or give the same
     *         bits in any case
     */
    Optional<double[]> settled() {
        if (tiling == Tiling.NONE || variants.isEmpty()) {
            return Optional.empty();
        }
        if (chosen == null) {
            decide();
        }
        return Optional.of(new double[]{chosen.kind.code, chosen.tileSize});
    }

    /** Runs the loops from now on as {@link #settled} has said in another run of the program. */
    void repeat(double... settled) {
        variants.forEach(Variant::release);
        variants.clear();
        variants.add(new Variant(Kind.of(settled[0]), (int) settled[1]));
        choose(variants.getFirst(), "as before the checkpoint");
    }

    /** Proposes as many variants on each rank; what a tile is may differ. */
    private void proposeOnRanks() {
        TileProposal proposal = mesh().division().local().tiles(parallelLoops(), tiling);
        List<Integer> sizes = proposal.sizes();
        long[] most = {sizes.size(), mesh().backend() instanceof HostBackend ? 0 : 1};
        mesh().division().ranks().orElseThrow().highest(most);
        if (most[1] > 0) {
            variants.add(new Variant(Kind.TILES, sizes.isEmpty() ? 0 : sizes.getFirst()));
            choose(variants.getFirst(), "runs are not timed one by one here; " + proposal.reason());
            return;
        }
        variants.add(new Variant(fused == null ? Kind.APART : Kind.FUSED, 0));
        variants.add(new Variant(Kind.TILES, 0));
        for (int i = 0; i < most[0]; i++) {
            variants.add(new Variant(Kind.TILES, sizes.isEmpty() ? 0 : sizes.get(Math.min(i, sizes.size() - 1))));
        }
        tryAll("; " + proposal.reason());
    }

    private List<ParallelLoop> parallelLoops() {
        List<ParallelLoop> found = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            if (step(i) instanceof LoopStep loop) {
                found.add(loop.loop());
            }
        }
        return found;
    }

    private void choose(Variant variant, String reason) {
        chosen = variant;
        decision = variant + ": " + reason;
    }

    private Variant next() {
        Variant least = variants.getFirst();
        for (Variant variant : variants) {
            least = variant.runs < least.runs ? variant : least;
        }
        return least;
    }

    private void decide() {
        if (mesh().division().ranked()) {
            long[] slowest = variants.stream().mapToLong(variant -> variant.best).toArray();
            mesh().division().ranks().orElseThrow().highest(slowest);
            for (int w = 0; w < slowest.length; w++) {
                variants.get(w).best = slowest[w];
            }
        }
        for (Variant variant : variants) {
            OptionalDouble device = switch (variant.kind) {
                case APART -> deviceSeconds();
                case FUSED -> fused.deviceSeconds();
                case TILES -> variant.prepared == null ? OptionalDouble.empty() : variant.prepared.deviceSeconds();
            };
            variant.best = device.isPresent() ? (long) (1e9 * device.getAsDouble()) : variant.best;
        }
        Variant fastest = variants.getFirst();
        StringBuilder times = new StringBuilder();
        for (Variant variant : variants) {
            fastest = variant.best < fastest.best ? variant : fastest;
            times.append(times.isEmpty() ? "" : ", ").append(variant)
                    .append(variant.best == Long.MAX_VALUE ? " not timed" : " " + variant.best / 1000 + " µs");
        }
        for (Variant variant : variants) {
            if (!variant.equals(fastest)) {
                variant.release();
            }
        }
        choose(fastest, times.toString());
    }

    @SuppressWarnings("MustBeClosed") // closed with the piece
    private void runTiled(Variant variant, List<QueuedStep> noted) {
        if (variant.prepared == null) {
            attempt(noted, 0, size(), () -> variant.prepared = mesh().kernels().chain(
                    loops.stream().map(ChainLoop::whole).toList(), tiling, variant.tileSize));
        }
        PreparedChain chain = variant.prepared;
        Set<Object> touched = new HashSet<>();
        boolean[] done = new boolean[size()];
        for (int i = 0; i < size(); i++) {
            if (step(i) instanceof LoopStep loop) {
                loop.loop().prepare();
                for (int a = 0; a < loop.loop().declaration().arity(); a++) {
                    touched.add(loop.loop().declaration().argument(a));
                }
            } else if (touched.add(((SetStep) step(i)).global())) {
                // No loop before it uses the global: what a device has left there need not be waited for.
                runSet(noted, i);
                done[i] = true;
            }
        }
        long start = System.nanoTime();
        attempt(noted, 0, size(), chain::run);
        long wall = System.nanoTime() - start;
        for (DatCopy copy : chain.copies()) {
            MeshChains.exchange(copy);
        }
        finish(chain, wall, noted, done);
    }

    @SuppressWarnings("MustBeClosed") // closed with the piece
    private void runOnRanks(Variant variant, List<QueuedStep> noted) {
        if (variant.onRanks == null || !variant.onRanks.isCurrent()) {
            variant.release();
            attempt(noted, 0, size(), () -> variant.onRanks =
                    mesh().division().local().chain(parallelLoops(), tiling, variant.tileSize));
        }
        int number = 0;
        for (int i = 0; i < size(); i++) {
            if (step(i) instanceof LoopStep loop) {
                int place = number++;
                attempt(noted, i, i + 1, () -> variant.onRanks.run(place));
                loop.loop().countRun();
            } else {
                runSet(noted, i);
            }
        }
    }

    /** Combines what has been reduced, and shares the time out among the loops. */
    private void finish(PreparedChain chain, long wall, List<QueuedStep> noted, boolean... done) {
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
            } else if (!done[i]) {
                runSet(noted, i);
            }
        }
    }

    @Override
    ChainReport report(int dead) {
        Optional<RankedChain> onRanks = Optional.ofNullable(chosen).map(variant -> variant.onRanks);
        Optional<TileStatistics> tiles = chosen == null || chosen.prepared == null
                ? onRanks.flatMap(RankedChain::tiles)
                : Optional.of(chosen.prepared.statistics());
        boolean runsFused = chosen != null && chosen.kind == Kind.FUSED;
        List<String> names = runsFused
                ? fusion.made().stream().map(loop -> loop.declaration().name()).toList()
                : List.of();
        String how = runsFused && fused.isJoined() ? "; " + fused.how() : "";
        return new ChainReport(names(), dead, runs(), tiles, onRanks.map(RankedChain::exchanges), names,
                decision + how);
    }

    @Override
    void release() {
        super.release();
        variants.forEach(Variant::release);
        if (fused != null) {
            fused.release();
            mesh().running().releaseFused(fusion.made());
        }
        variants.clear();
        chosen = null;
    }
}
