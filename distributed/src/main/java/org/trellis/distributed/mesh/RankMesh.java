package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.device.DeviceReduction;
import org.trellis.distributed.powers.RingContest;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LocalMesh;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.RankedChain;
import org.trellis.mesh.RankedDat;
import org.trellis.mesh.RankedLoop;
import org.trellis.mesh.RankedPattern;
import org.trellis.mesh.StepListener;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.RankTimes;
import org.trellis.mesh.loop.RanksReport;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/** What a rank has of a mesh: a mesh of its own, whose sets have rings, and the messages that keep it up to date. */
final class RankMesh implements LocalMesh {
    private final Communicator communicator;
    private final Mesh mesh;
    private final int rings;
    private final LocalParts local;
    /** Where values are found that ranks have brought. */
    private final Directory homes;
    private final HaloMessages messages;
    private final Optional<DeviceReduction> reduction;
    private final Optional<SingleOwnerRank> sole;
    private final DivisionReport division;
    private final Map<Dat, LocalDat> dats = new HashMap<>();
    /** Those of whose owned values the program has vectors, which may change them whenever no loop runs. */
    private final List<LocalDat> watched = new ArrayList<>();
    private final Map<MeshConstant, MeshConstant> constants = new HashMap<>();
    private final Map<MeshRaster, MeshRaster> rasters = new HashMap<>();
    private final Map<Global, RankGlobal> globals = new HashMap<>();
    private final Map<ParallelLoop, RankLoop> loops = new LinkedHashMap<>();
    private final Map<LoopSequence, SequencePlan> plans = new HashMap<>();
    private final Map<LoopSequence, SequenceTrial> trials = new HashMap<>();
    /** Choices that outlive changes of loops. */
    private final Map<LoopSequence, RingContest> contests = new HashMap<>();
    private final Map<LoopSequence, SingleOwnerPlan> solePlans = new HashMap<>();
    private int names;
    private boolean turns;

    /**
     * Divides a mesh.
     *
     * @param whole   the whole mesh
     * @param parent  the ranks
     * @param options how
     * @return this rank's share
     */
    @MustBeClosed
    @SuppressWarnings({"MustBeClosed", "checkstyle:IllegalCatch"}) // closed with the share, or after any failure
    static RankMesh of(Mesh whole, Communicator parent, RankOptions options) {
        Communicator communicator = parent.split(0, parent.rank());
        Mesh mesh = null;
        try {
            // The whole mesh defers and saves.
            mesh = Mesh.on(whole.backend(), whole.options().withChains(ChainOptions.EAGER).withoutCheckpoints());
            return new RankMesh(whole, mesh, communicator, options);
        } catch (RuntimeException | Error e) {
            if (mesh != null) {
                mesh.close();
            }
            communicator.close();
            throw e;
        }
    }

    private RankMesh(Mesh whole, Mesh own, Communicator communicator, RankOptions options) {
        long start = System.nanoTime();
        communicator.requireSame(DeclaredFacts.of(whole));
        this.communicator = communicator;
        this.mesh = own;
        int wanted = Math.max(options.rings(),
                whole.sequences().stream().mapToInt(LoopSequence::rings).max().orElse(1));
        rings = Math.max(wanted, RankChain.depth(MeshChains.tiled(whole)));
        if (rings > LocalSets.MOST_RINGS) {
            throw new IllegalArgumentException("a sequence wants " + rings + " rings, expected at most "
                    + LocalSets.MOST_RINGS);
        }
        boolean spread = isBrought(whole) || options.division().isCollective();
        if (spread) {
            requireUserOrder(whole);
        }
        homes = spread ? Directory.spread(communicator) : Directory.whole(communicator);
        local = LocalSets.of(whole, mesh, homes, options.division(), rings);
        messages = new HaloMessages(communicator, own.backend(), local.sets(), local.maps());
        reduction = messages.reduction(own.backend());
        sole = homes.isWhole() ? SingleOwnerRank.of(whole, options.division(), communicator) : Optional.empty();
        sole.filter(alone -> !alone.isHere()).ifPresent(alone -> requireNothing(alone.rank()));
        division = report(options.division().toString(), local.firsts(), local.edgeCut(), start);
    }

    private void requireNothing(int alone) {
        for (LocalSet set : local.sets().values()) {
            if (set.parts().total() > 0) {
                throw new IllegalStateException("rank " + communicator.rank() + " has " + set.parts().total()
                        + " elements of " + set.whole() + " where rank " + alone + " has everything, expected none");
            }
        }
    }

    private static void requireUserOrder(Mesh whole) {
        for (MeshSet set : whole.sets()) {
            if (!set.inUserOrder()) {
                throw new IllegalArgumentException(set + " has been renumbered before it is divided by all ranks "
                        + "together, expected it in the user's order");
            }
        }
    }

    private static boolean isBrought(Mesh whole) {
        return whole.maps().stream().anyMatch(map -> map.brought().isPresent())
                || whole.dats().stream().anyMatch(dat -> dat.brought().isPresent());
    }

    Communicator communicator() {
        return communicator;
    }

    Mesh mesh() {
        return mesh;
    }

    int rings() {
        return rings;
    }

    /** Returns what gives the device sequences. */
    RankBatches batches() {
        return messages.batches();
    }

    HaloMessages messages() {
        return messages;
    }

    DivisionReport division() {
        return division;
    }

    LocalSet set(MeshSet whole) {
        return local.sets().get(whole);
    }

    MeshMap map(MeshMap whole) {
        return local.maps().get(whole);
    }

    LocalDat dat(Dat whole) {
        return dats.get(whole);
    }

    MeshConstant constant(MeshConstant whole) {
        return constants.computeIfAbsent(whole, w -> w.real()
                ? mesh.constant(w.name(), (double[]) w.toArray())
                : mesh.intConstant(w.name(), (int[]) w.toArray()));
    }

    MeshRaster raster(MeshRaster whole) {
        return rasters.computeIfAbsent(whole, w -> MeshRaster.of(mesh, w.name(), w.raster(), w.filtered()));
    }

    /** Something else than a loop of the mesh may have been run since the last one: vectors may have been written. */
    void left() {
        for (int i = 0; i < watched.size(); i++) {
            watched.get(i).overwritten();
        }
    }

    /** Returns what this rank has of a global of the whole mesh. */
    RankGlobal global(Global whole) {
        return globals.computeIfAbsent(whole, w -> new RankGlobal(mesh, w, nextName(w.name()), sole.orElse(null)));
    }

    /** Returns what combines globals on devices, if all ranks have some. */
    Optional<DeviceReduction> reduction() {
        return reduction;
    }

    /** Returns the rank that has everything and runs it alone. */
    Optional<SingleOwnerRank> sole() {
        return sole;
    }

    /** Lets ranks compute one after the other, so that each is timed undisturbed, or together. Called by all ranks. */
    void takeTurns(boolean wanted) {
        turns = wanted;
        loops.values().forEach(loop -> loop.takeTurns(wanted));
    }

    boolean takesTurns() {
        return turns;
    }

    /** Informs who owns each element. Called by all ranks. */
    int[] owners(LocalSet set) {
        long[] owners = new long[set.whole().size()];
        for (int user : set.owned()) {
            owners[user] = set.replicated() ? 0 : communicator.rank();
        }
        communicator.allReduce(Reduction.MAX, owners);
        return Arrays.stream(owners).mapToInt(Math::toIntExact).toArray();
    }

    /** Returns a name for a global of a loop. */
    String nextName(String loop) {
        return loop + " #" + names++;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed by its dat
    public RankedDat dat(Dat dat, double[] values) {
        LocalSet set = set(dat.set());
        Dat own = dat.type() == ScalarType.INT
                ? mesh.intDat(dat.name(), set.set(), dat.components())
                : mesh.dat(dat.name(), set.set(), dat.components(), dat.precision());
        own.layout(dat.layout());
        LocalDat made = new LocalDat(set, own, communicator, watched);
        if (dat.brought().isPresent()) {
            made.setHeld(DirectoryValues.of(dat, homes).of(set.users()));
        } else if (values != null) {
            made.setAll(values);
        }
        dats.put(dat, made);
        return made;
    }

    @Override
    public RankedPattern pattern(String name, List<AssemblyPattern.Coupling> couplings) {
        return new LocalPattern(this, name, couplings);
    }

    /** Takes up the entries of a pattern. */
    void add(LocalSet entries) {
        local.sets().put(entries.whole(), entries);
    }

    /** Takes up a map to entries of a pattern. */
    void add(MeshMap whole, MeshMap own) {
        local.maps().put(whole, own);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed by its loop
    public RankedLoop loop(ParallelLoop loop) {
        return new RankLoop(this, loop);
    }

    /** Returns a loop of the whole mesh on this rank, which is declared if it has not been. */
    RankLoop ranked(ParallelLoop loop) {
        loop.prepare();
        return loops.get(loop);
    }

    /** Says whether a loop of the whole mesh is still this one on this rank. */
    @SuppressWarnings("ReferenceEquality") // a loop that was declared anew is another
    boolean has(ParallelLoop loop, RankLoop ranked) {
        return loops.get(loop) == ranked;
    }

    @Override
    @MustBeClosed
    public RankedChain chain(List<ParallelLoop> chained, Tiling tiling, int tileSize) {
        return new RankChain(this, chained, tiling, tileSize);
    }

    @Override
    public TileProposal tiles(List<ParallelLoop> chained, Tiling tiling) {
        return RankChain.propose(this, chained, tiling);
    }

    void add(RankLoop loop) {
        loops.put(loop.whole(), loop);
    }

    void remove(RankLoop loop) {
        loops.remove(loop.whole(), loop);
        forgetPlans();
        solePlans.values().forEach(SingleOwnerPlan::close);
        solePlans.clear();
    }

    @Override
    public boolean together(LoopSequence sequence, Runnable steps) {
        return batches().run(sequence, steps);
    }

    /** Other data are bound to a loop: what sequences exchange may be something else. */
    void rebound() {
        forgetPlans();
    }

    /** Choices that are not made yet begin anew. */
    private void forgetPlans() {
        plans.clear();
        trials.clear();
    }

    @Override
    public boolean runsSequences() {
        return sole.isPresent();
    }

    @Override
    public void run(LoopSequence sequence, StepListener listener) {
        if (sole.isPresent()) {
            SingleOwnerPlan alone = solePlans.get(sequence);
            if (alone == null) {
                alone = new SingleOwnerPlan(this, sole.get(), sequence);
                solePlans.put(sequence, alone);
            }
            alone.run(listener);
            return;
        }
        if (sequence.rings() > rings) {
            throw new IllegalArgumentException(sequence + " wants " + sequence.rings() + " rings of a mesh that has "
                    + "been divided with " + rings + ", expected it to be declared before or RankOptions.rings("
                    + sequence.rings() + ")");
        }
        RingContest contest = contests.get(sequence);
        if (sequence.tunesRings() && (contest == null || !contest.isFinished())) {
            trial(sequence).run(listener);
            return;
        }
        SequencePlan plan = plans.get(sequence);
        if (plan == null) {
            plan = new SequencePlan(this, sequence, contest == null ? sequence.rings() : contest.rings());
            plans.put(sequence, plan);
        }
        plan.run(listener);
    }

    private SequenceTrial trial(LoopSequence sequence) {
        SequenceTrial trial = trials.get(sequence);
        if (trial == null) {
            trial = new SequenceTrial(this, mesh.backend(), sequence);
            trials.put(sequence, trial);
            contests.put(sequence, trial.contest());
        }
        return trial;
    }

    /** Returns how the rings of a sequence are chosen; empty unless it tunes them and has been run. */
    Optional<RingContest> contest(LoopSequence sequence) {
        return Optional.ofNullable(contests.get(sequence));
    }

    // Reports.

    private DivisionReport report(String method, List<String> firsts, OptionalLong edgeCut, long start) {
        List<LocalSet> sets = local.sets().values().stream().filter(set -> !set.replicated()).toList();
        long[] sums = new long[3 * sets.size()];
        long[] most = new long[2 * sets.size() + 1];
        for (int s = 0; s < sets.size(); s++) {
            LocalSet set = sets.get(s);
            long owned = set.parts().owned();
            sums[3 * s] = owned - set.parts().interior();
            sums[3 * s + 1] = set.parts().executed(rings) - owned;
            sums[3 * s + 2] = set.parts().total() - owned;
            most[2 * s] = owned;
            most[2 * s + 1] = -owned;
        }
        most[2 * sets.size()] = sets.stream().flatMapToInt(set -> IntStream.of(set.haloRanks())).distinct().count();
        communicator.allReduce(Reduction.SUM, sums);
        communicator.allReduce(Reduction.MAX, most);
        List<DivisionReport.Share> shares = new ArrayList<>();
        for (int s = 0; s < sets.size(); s++) {
            shares.add(new DivisionReport.Share(sets.get(s).set().name(), sets.get(s).whole().size(), -most[2 * s + 1],
                    most[2 * s], sums[3 * s], sums[3 * s + 1], sums[3 * s + 2]));
        }
        double[] seconds = {communicator.rank() == 0 ? 1e-9 * (System.nanoTime() - start) : 0};
        communicator.allReduce(Reduction.SUM, seconds);
        return new DivisionReport(communicator.size(), rings, method, firsts, edgeCut,
                (int) most[2 * sets.size()], seconds[0], shares);
    }

    @Override
    public RanksReport report() {
        Packet packet = new Packet();
        for (RankLoop loop : loops.values()) {
            RankTimes own = loop.times(communicator.rank());
            packet.put(own.runs()).put(bits(own.core())).put(bits(own.boundary())).put(bits(own.exchange()))
                    .put(bits(own.waiting())).put(own.exchanges()).put(own.messages()).put(own.bytes())
                    .put(own.redundant()).put(own.elements()).put(own.after());
        }
        byte[][] messagesOfAll = new byte[communicator.size()][];
        Arrays.fill(messagesOfAll, packet.toBytes());
        Packet[] packets = Arrays.stream(communicator.exchange(messagesOfAll)).map(Packet::of)
                .toArray(Packet[]::new);
        List<RankTimes> times = new ArrayList<>();
        for (RankLoop loop : loops.values()) {
            for (int rank = 0; rank < packets.length; rank++) {
                Packet from = packets[rank];
                times.add(new RankTimes(loop.whole().declaration().name(), loop.whole().declaration().set().name(),
                        rank, from.getLong(), seconds(from), seconds(from), seconds(from), seconds(from),
                        from.getLong(), from.getLong(), from.getLong(), from.getLong(), from.getLong(),
                        from.getLong()));
            }
        }
        return new RanksReport(communicator.size(), times, division.toString());
    }

    private static long bits(double seconds) {
        return Double.doubleToRawLongBits(seconds);
    }

    private static double seconds(Packet packet) {
        return Double.longBitsToDouble(packet.getLong());
    }

    @Override
    public void resetTimes() {
        loops.values().forEach(RankLoop::resetTimes);
        if (sole.isPresent() && sole.get().isHere()) {
            mesh.resetTimes();
        }
    }

    @Override
    public void close() {
        sole.ifPresent(SingleOwnerRank::close);
        messages.close();
        reduction.ifPresent(DeviceReduction::close);
        mesh.close();
        communicator.close();
    }
}
