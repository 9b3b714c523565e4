package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.RankedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.RankTimes;

/**
 * A loop on a rank. A run looks at what the loop reads of other ranks' elements and is out of date, sends one message
 * to each neighbour that wants some of it, runs interior elements while messages travel, and then the rest.
 */
final class RankLoop implements RankedLoop {
    private final RankMesh share;
    private final ParallelLoop whole;
    private final LocalSet set;
    private final LoopNeeds access;
    private final int leastRing;
    private final RankReduction[] values;
    private final ParallelLoop own;
    /** The rank that has everything, or null. */
    private final SingleOwnerRank sole;
    private final StaleNeeds[] needs;
    private final RankTimeline timeline;
    private final int activity;
    /** Runs of all elements, of interior ones and of the rest while ranks took turns. */
    private final RunTimes wholeTurns = new RunTimes();
    private final RunTimes interiorTurns = new RunTimes();
    private final RunTimes restTurns = new RunTimes();
    private long runs;
    private long core;
    private long boundary;
    private long exchange;
    private long waiting;
    private long exchanges;
    private long messages;
    private long bytes;
    private long redundant;
    private long elements;
    private long after;

    /**
     * Declares the loop in the rank's mesh.
     *
     * @param share what the rank has
     * @param whole the loop of the whole mesh
     */
    RankLoop(RankMesh share, ParallelLoop whole) {
        this.share = share;
        this.whole = whole;
        LoopDeclaration loop = whole.declaration();
        this.sole = share.sole().orElse(null);
        this.set = share.set(loop.set());
        this.access = new LoopNeeds(loop);
        this.leastRing = LoopNeeds.leastRing(loop);
        this.values = new RankReduction[loop.arity()];
        requireRunnable(loop);
        for (int a = 0; a < values.length; a++) {
            if (loop.dat(a) == null && !(loop.argument(a) instanceof MeshConstant)
                    && !(loop.argument(a) instanceof MeshRaster)) {
                values[a] = new RankReduction(share, loop, a, share.nextName(loop.name()));
            }
        }
        this.own = share.mesh().loop(loop.kernel(), set.set(), arguments());
        if (whole.hasOwnParameters()) {
            own.parameters(whole.parameters());
        }
        this.needs = new StaleNeeds[share.rings() + 1];
        this.timeline = share.communicator().timeline();
        this.activity = timeline.activity(loop.name());
        share.add(this);
    }

    private static void requireRunnable(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            if (LoopNeeds.writes(loop, a) && loop.map(a) != null && loop.map(a).to().isReplicated()
                    && !loop.set().isReplicated()) {
                throw new IllegalArgumentException(loop.where(a) + " writes " + loop.dat(a)
                        + ", of which every rank has all, from a set that is divided over ranks; expected a reduction");
            }
        }
    }

    private LoopArgument[] arguments() {
        LoopDeclaration loop = whole.declaration();
        LoopArgument[] arguments = new LoopArgument[loop.arity()];
        for (int a = 0; a < arguments.length; a++) {
            if (values[a] != null) {
                arguments[a] = values[a].own();
            } else if (loop.argument(a) instanceof MeshConstant constant) {
                arguments[a] = share.constant(constant);
            } else if (loop.argument(a) instanceof MeshRaster raster) {
                arguments[a] = share.raster(raster);
            } else if (loop.argument(a) instanceof IndirectArgument indirect) {
                LocalDat dat = share.dat(indirect.dat());
                arguments[a] = indirect.entry() == IndirectArgument.ALL
                        ? dat.dat().at(share.map(indirect.map()))
                        : dat.dat().at(share.map(indirect.map()), indirect.entry());
            } else {
                arguments[a] = share.dat(loop.dat(a)).dat();
            }
        }
        return arguments;
    }

    ParallelLoop whole() {
        return whole;
    }

    LoopNeeds access() {
        return access;
    }

    int leastRing() {
        return leastRing;
    }

    @Override
    public void prepare() {
        if (sole == null || sole.isHere()) {
            own.prepare();
        }
    }

    @Override
    public void run() {
        if (sole == null) {
            share.left();
            run(leastRing);
        } else {
            runSole();
        }
    }

    /** Runs the loop on the rank that has everything, as if there were no others. */
    private void runSole() {
        for (RankReduction value : values) {
            if (value != null) {
                value.beginSole(sole, share.communicator());
            }
        }
        if (sole.isHere()) {
            own.run();
        }
        counted();
        for (RankReduction value : values) {
            if (value != null) {
                value.finishSole(share);
            }
        }
    }

    /** Counts a run of the rank that has everything, whose own loop takes the time. */
    void counted() {
        runs++;
        elements += set.parts().owned();
    }

    /** Returns the loop of the rank's mesh. */
    ParallelLoop own() {
        return own;
    }

    /** Says whether it has scalars, whose values all ranks have in memory of their own. */
    boolean usesScalars() {
        return Arrays.stream(values).anyMatch(value -> value != null && !value.isGlobal());
    }

    /** Returns the globals that it reads or reduces into. */
    List<RankReduction> globals() {
        return Arrays.stream(values).filter(value -> value != null && value.isGlobal()).toList();
    }

    /** Runs the loop for a ring. */
    void run(int ring) {
        if (needs[ring] == null) {
            needs[ring] = new StaleNeeds(share.messages(), needs(ring));
        }
        run(ring, needs[ring].message());
    }

    /** Lists what a run for a ring needs, by dat. */
    List<HaloNeed> needs(int ring) {
        LoopDeclaration loop = whole.declaration();
        List<HaloKey> keys = access.all(ring);
        List<HaloNeed> list = new ArrayList<>();
        for (int a = 0; a < keys.size(); a++) {
            if (keys.get(a) != null) {
                list.add(new HaloNeed(share.dat(loop.dat(a)), keys.get(a)));
            }
        }
        return list;
    }

    /** Runs the loop for a ring while a message travels, if there is one. */
    void run(int ring, HaloMessage message) {
        for (RankReduction value : values) {
            if (value != null) {
                value.begin(share.communicator());
            }
        }
        int end = set.parts().executed(ring);
        timeline.enter(activity);
        long start = System.nanoTime();
        if (message == null) {
            long phase = timeline.begin();
            core += compute(0, end, wholeTurns);
            timeline.end(RankPhase.INTERIOR, phase);
        } else {
            exchangeAndRun(message, end, start);
        }
        noteWritten(ring);
        runs++;
        elements += end;
        redundant += end - set.parts().owned();
        start = System.nanoTime();
        for (RankReduction value : values) {
            if (value != null) {
                value.finish(share);
            }
        }
        waiting += System.nanoTime() - start;
    }

    /** Returns the loop of this rank's mesh over the elements that it runs for a ring. */
    ChainLoop placed(int ring) {
        return new ChainLoop(own.declaration(), set.parts().executed(ring));
    }

    /** Says whether the loop reduces into what devices of several ranks combine. */
    boolean reducesOnDevices() {
        return Arrays.stream(values).anyMatch(value -> value != null && value.isOnDevices());
    }

    /** Exchanges what has to be up to date before several loops, of which this is the first. */
    void exchange(HaloMessage message) {
        if (message != null) {
            long start = System.nanoTime();
            message.start();
            long waited = message.finish();
            exchange += System.nanoTime() - start - waited;
            count(message, waited);
        }
    }

    private void count(HaloMessage message, long waited) {
        waiting += waited;
        exchanges += message.isEmpty() ? 0 : 1;
        messages += message.messages();
        bytes += message.bytes();
    }

    /** Gives this rank's loop the values of what it reads and does not reduce into. */
    void readValues() {
        for (RankReduction value : values) {
            if (value != null && !value.reduces()) {
                value.begin(share.communicator());
            }
        }
    }

    /** Notes that this rank's loop has been run for a ring together with others, of whose time this was its share. */
    void ran(int ring, long nanoseconds) {
        int end = set.parts().executed(ring);
        core += nanoseconds;
        noteWritten(ring);
        runs++;
        elements += end;
        redundant += end - set.parts().owned();
    }

    /** Combines over all ranks what the loop has reduced in tiles. */
    void reduce(PreparedChain tiles, int place) {
        long start = System.nanoTime();
        for (RankReduction value : values) {
            if (value != null && value.reduces()) {
                value.begin(share.communicator());
            }
        }
        tiles.reduce(place);
        for (RankReduction value : values) {
            if (value != null) {
                value.finish(share);
            }
        }
        waiting += System.nanoTime() - start;
    }

    private void exchangeAndRun(HaloMessage message, int end, long start) {
        message.start();
        long sent = System.nanoTime();
        exchange += sent - start;
        int interior = set.parts().interior();
        long phase = timeline.begin();
        core += compute(0, interior, interiorTurns);
        if (interior > 0) {
            timeline.end(RankPhase.INTERIOR, phase);
        }
        long ran = System.nanoTime();
        long waited = message.finish();
        exchange += System.nanoTime() - ran - waited;
        phase = timeline.begin();
        boundary += compute(interior, end, restTurns);
        after += end - interior;
        timeline.end(RankPhase.BOUNDARY, phase);
        count(message, waited);
    }

    /** Runs elements, if there are any; returns the nanoseconds. */
    private long compute(int from, int to, RunTimes turns) {
        if (share.takesTurns()) {
            return inTurn(from, to, turns);
        }
        long start = System.nanoTime();
        if (to > from) {
            own.run(from, to);
        }
        return System.nanoTime() - start;
    }

    /**
     * Runs elements while the other ranks wait: asleep for as long as the run took last time, since waiting busily
     * would take a processor.
     */
    private long inTurn(int from, int to, RunTimes turns) {
        Communicator communicator = share.communicator();
        long[] took = new long[communicator.size()];
        for (int rank = 0; rank < took.length; rank++) {
            communicator.barrier();
            if (rank != communicator.rank()) {
                LockSupport.parkNanos(turns.lastOf(rank));
            } else if (to > from) {
                long start = System.nanoTime();
                own.run(from, to);
                took[rank] = System.nanoTime() - start;
                turns.add(took[rank]);
            }
        }
        long here = took[communicator.rank()];
        communicator.allReduce(Reduction.MAX, took);
        turns.last(took);
        return here;
    }

    /** Lets runs be timed as they have to be when ranks take turns. */
    void takeTurns(boolean wanted) {
        if (sole == null) {
            own.timeParts(wanted);
            resetTimes();
        }
    }

    /** Returns seconds of runs of elements: in turns what is usual, by the device's clock if it has one. */
    private double seconds(long measured, int from, int to, RunTimes turns) {
        return turns.runs() == 0
                ? 1e-9 * measured
                : turns.runs() * own.partSeconds(from, to).orElseGet(turns::usual);
    }

    /** Lists the dats that the loop touches, perhaps with repetitions. */
    List<LocalDat> dats() {
        LoopDeclaration loop = whole.declaration();
        return IntStream.range(0, loop.arity()).filter(a -> loop.dat(a) != null)
                .mapToObj(a -> share.dat(loop.dat(a))).toList();
    }

    /** Returns how far dats are right after a run for a ring. */
    Map<LocalDat, Integer> levels(int ring) {
        LoopDeclaration loop = whole.declaration();
        Map<LocalDat, Integer> levels = new HashMap<>();
        for (int a = 0; a < values.length; a++) {
            if (LoopNeeds.writes(loop, a)) {
                levels.put(share.dat(loop.dat(a)), level(loop, a, ring));
            }
        }
        return levels;
    }

    /** Lists what the loop writes, perhaps with repetitions. */
    List<LocalDat> writes() {
        LoopDeclaration loop = whole.declaration();
        List<LocalDat> written = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (LoopNeeds.writes(loop, a)) {
                written.add(share.dat(loop.dat(a)));
            }
        }
        return written;
    }

    private void noteWritten(int ring) {
        LoopDeclaration loop = whole.declaration();
        for (int a = 0; a < values.length; a++) {
            if (LoopNeeds.writes(loop, a)) {
                share.dat(loop.dat(a)).written(level(loop, a, ring));
            }
        }
    }

    /** How far a dat is right after a run: as far as everything is that the loop writes into it. */
    private int level(LoopDeclaration loop, int argument, int ring) {
        int level = Integer.MAX_VALUE;
        for (int a = 0; a < values.length; a++) {
            if (LoopNeeds.writes(loop, a) && loop.dat(a).equals(loop.dat(argument))) {
                level = Math.min(level, access.level(a, ring));
            }
        }
        return level;
    }

    @Override
    public void rebind() {
        own.bind(arguments());
        Arrays.fill(needs, null);
        if (sole == null) {
            share.rebound();
        }
    }

    @Override
    public LoopParameters parameters() {
        return own.parameters();
    }

    @Override
    public void parameters(LoopParameters wanted) {
        own.parameters(wanted);
    }

    @Override
    public double seconds() {
        return sole != null && sole.isHere() ? own.seconds() : 1e-9 * (core + boundary + exchange + waiting);
    }

    @Override
    public LoopReport report() {
        LoopReport local = own.report();
        return new LoopReport(local.name(), local.set(), local.parameters(), runs, seconds(),
                local.preparationSeconds(), local.usefulBytes(), local.statistics(), local.device());
    }

    /** Returns this rank's figures. */
    RankTimes times(int rank) {
        LoopDeclaration loop = whole.declaration();
        int inside = set.parts().interior();
        double interior = sole != null
                ? seconds()
                : wholeTurns.runs() > 0
                        ? seconds(core, 0, set.parts().executed(leastRing), wholeTurns)
                                + (interiorTurns.runs() == 0 ? 0 : seconds(core, 0, inside, interiorTurns))
                        : seconds(core, 0, inside, interiorTurns);
        return new RankTimes(loop.name(), loop.set().name(), rank, runs, interior,
                seconds(boundary, inside, set.parts().executed(leastRing), restTurns),
                1e-9 * exchange, 1e-9 * waiting, exchanges, messages, bytes, redundant, elements, after);
    }

    @Override
    public void resetTimes() {
        runs = 0;
        core = 0;
        boundary = 0;
        exchange = 0;
        waiting = 0;
        exchanges = 0;
        messages = 0;
        bytes = 0;
        redundant = 0;
        elements = 0;
        after = 0;
        wholeTurns.reset();
        interiorTurns.reset();
        restTurns.reset();
        if (share.takesTurns()) {
            own.resetTimes();
        }
    }

    @Override
    public void close() {
        share.remove(this);
        own.close();
    }
}
