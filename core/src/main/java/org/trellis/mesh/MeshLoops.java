package org.trellis.mesh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.mesh.loop.RanksReport;
import org.trellis.mesh.loop.SetExtent;

/** What runs on a mesh: loops, sequences, and who hears of their steps. */
final class MeshLoops {
    private final Mesh mesh;
    private final MeshState state;
    private final List<ParallelLoop> loops = new ArrayList<>();
    /** Loops that stand for several of a chain. */
    private final List<ParallelLoop> fused = new ArrayList<>();
    private final List<LoopSequence> sequences = new ArrayList<>();
    private final List<Repetition> repetitions = new ArrayList<>();
    /** What the mesh has. */
    private Passage passage = Passage.FREE;
    /** What steps pass now: that, or nothing while steps are run that have passed it together. */
    private Passage current = Passage.FREE;
    private boolean pastTrials;
    private final List<StepListener> listeners = new CopyOnWriteArrayList<>();

    private Submission submission = new Submission.AtOnce();

    MeshLoops(Mesh mesh, MeshState state) {
        this.mesh = mesh;
        this.state = state;
    }

    /** Says whether a loop is to run later, and notes it then. */
    boolean defers(ParallelLoop loop, SetExtent part) {
        return submission.note(loop, part);
    }

    /** Says whether a step that waits uses a global. */
    boolean awaits(Global global) {
        return submission.awaits(global);
    }

    /** Says whether a global is to be set later, and notes it then. */
    boolean defers(Global global, double... values) {
        return submission.note(global, values);
    }

    /** Says whether the steps of a sequence are run, or noted, as a chain. */
    boolean takes(LoopSequence sequence) {
        return submission.take(sequence);
    }

    /** Runs what has been noted. */
    void settle() {
        submission.settle();
    }

    /** Runs what has been noted if some of it writes a global. */
    void settle(Global global) {
        submission.settle(global);
    }

    /** Returns the loops of chains that are going to run in tiles, as far as they are known. */
    List<List<LoopDeclaration>> tiledChains() {
        return submission.tiledChains(sequences);
    }

    List<ChainReport> chainReports() {
        return submission.reports();
    }

    /** Ends all trials, and says how chains run from now on. */
    Map<String, double[]> settleTrials() {
        pastTrials = true;
        Map<String, double[]> settled = new LinkedHashMap<>();
        submission.trials()
                .forEach((name, piece) -> piece.settled().ifPresent(how -> settled.put(name, how)));
        return settled;
    }

    /** Lets chains run as another run of the program has said. */
    void repeatTrials(Map<String, double[]> settled) {
        pastTrials = true;
        Map<String, TunedChainSegment> known = submission.trials();
        settled.forEach((name, how) -> {
            TunedChainSegment piece = known.get(name);
            if (piece == null) {
                throw new IllegalArgumentException(
                        "chain '" + name + "' has not been run so far, expected one of " + known.keySet());
            }
            piece.repeat(how);
        });
    }

    /** Says whether chains that are new are not tried in several variants. */
    boolean isPastTrials() {
        return pastTrials;
    }

    /** Begins what the options of the mesh say: steps run together, and pass what checkpoints have. */
    @SuppressWarnings("MustBeClosed") // closed by finish, or release
    void begin() {
        submission = Submission.of(mesh, mesh.options().chains());
        pass(mesh.options().checkpoints().map(checkpoints -> Passage.guarded(checkpoints.begin(mesh)))
                .orElse(Passage.FREE));
    }

    private void pass(Passage next) {
        passage = next;
        current = next;
    }

    /** Returns what steps, reading and writing pass now. */
    Passage passage() {
        return current;
    }

    /** Lets sequences pass the gate of a mesh on whose data they work. */
    void admit(Passage host) {
        if (!passage.isFree()) {
            throw new IllegalStateException("a solver's mesh with checkpoints of its own, expected one without");
        }
        pass(Passage.guest(host));
    }

    /** Ends {@link #admit}. */
    void dismiss() {
        pass(Passage.FREE);
    }

    /** Runs steps that have passed the gate together. */
    void passed(Runnable steps) {
        Passage before = current;
        current = Passage.FREE;
        try {
            steps.run();
        } finally {
            current = before;
        }
    }

    /** Refuses what the gate would miss. */
    void requireSeen(String what) {
        passage.requireSeen(what);
    }

    /** Refuses another structure of the mesh once the gate has seen steps. */
    void requireUnseen(String what) {
        passage.requireUnseen(what);
    }

    /** Ends what the gate has begun, while data are still there, and then the rest. */
    void finish(Runnable rest) {
        try {
            if (!state.isClosed()) {
                passage.close();
            }
        } finally {
            rest.run();
        }
    }

    List<ParallelLoop> loops() {
        return loops;
    }

    List<LoopSequence> sequences() {
        return sequences;
    }

    void add(ParallelLoop loop) {
        loops.add(loop);
    }

    void add(LoopSequence sequence) {
        state.requireSettled();
        sequences.add(sequence);
    }

    void addFused(List<ParallelLoop> made) {
        fused.addAll(made);
    }

    /** Lets loops go that stood for several. */
    void releaseFused(List<ParallelLoop> made) {
        made.forEach(ParallelLoop::release);
        fused.removeAll(made);
    }

    /** Lets all loops take over the memory that a dat has now. */
    void follow(Dat dat) {
        loops.forEach(loop -> loop.follow(dat));
        fused.forEach(loop -> loop.follow(dat));
    }

    /** A loop is run in another way from now on: chains that it is part of are examined again. */
    void changed(ParallelLoop loop) {
        submission.forget(loop);
    }

    /** Forgets all chains. */
    void forgetChains() {
        submission.forgetChains();
    }

    void add(Repetition repetition) {
        repetitions.add(repetition);
    }

    void requireUnused(Dat dat) {
        settle();
        for (ParallelLoop loop : loops) {
            if (loop.declaration().uses(dat)) {
                throw new IllegalStateException(
                        dat + " is used by " + loop.declaration() + ", expected the loop to be closed before");
            }
        }
        requireUnbound(dat);
    }

    /** Refuses to let go of memory that a step of a sequence is bound to. */
    void requireUnbound(Dat dat) {
        for (LoopSequence sequence : sequences) {
            sequence.workOn(dat).ifPresent(step -> {
                throw new IllegalStateException("the memory of " + dat + " is bound to step '" + step.name() + "' of "
                        + sequence + ", expected the sequence to be closed before");
            });
        }
    }

    void forget(ParallelLoop loop) {
        if (state.isClosed()) {
            return;
        }
        state.requireSettled();
        for (LoopSequence sequence : sequences) {
            if (sequence.runs(loop)) {
                throw new IllegalStateException(loop.declaration() + " is part of " + sequence
                        + ", expected the sequence to be closed before");
            }
        }
        loops.remove(loop);
        changed(loop);
    }

    void forget(LoopSequence sequence) {
        if (!state.isClosed()) {
            state.requireSettled();
            sequences.remove(sequence);
        }
    }

    /** Tuning leaves the plans of all that it tried; once no loop is being tuned, nothing needs most of them. */
    void loopTuned() {
        if (loops.stream().noneMatch(ParallelLoop::isBeingTuned)) {
            state.forgetDerived();
        }
    }

    void addListener(StepListener listener) {
        listeners.add(Objects.requireNonNull(listener));
    }

    void removeListener(StepListener listener) {
        listeners.remove(listener);
    }

    boolean isWatched() {
        return !listeners.isEmpty();
    }

    void submitting(Step step) {
        if (!listeners.isEmpty()) {
            for (StepListener listener : listeners) {
                listener.submitting(step);
            }
        }
    }

    MeshReport report(String backend, Optional<RanksReport> ranks) {
        settle();
        return new MeshReport(backend, Stream.concat(loops.stream(), fused.stream()).map(ParallelLoop::report).toList(),
                sequences.stream().map(LoopSequence::report).toList(), ranks);
    }

    void resetTimes() {
        settle();
        loops.forEach(ParallelLoop::resetTimes);
        fused.forEach(ParallelLoop::resetTimes);
        sequences.forEach(LoopSequence::resetTimes);
    }

    void release() {
        submission.release();
        repetitions.forEach(Repetition::release);
        sequences.forEach(LoopSequence::release);
        loops.forEach(ParallelLoop::release);
    }
}
