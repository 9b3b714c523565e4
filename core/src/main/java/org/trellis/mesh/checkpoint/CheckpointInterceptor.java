package org.trellis.mesh.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshRanks;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepInterceptor;
import org.trellis.mesh.checkpoint.DatState.Decision;
import org.trellis.mesh.device.ScalarType;

/**
 * Takes checkpoints of a mesh, and starts from one (I. Z. Reguly, PhD thesis, 2014, section 6.1). A checkpoint is the
 * state before one step. When it begins, every dat that steps have changed is flagged; the steps that follow decide, as
 * they come, whether it is saved, because it is read first, or dropped, because it is overwritten first. A dat that is
 * saved has not changed since, so that this is the state before that one step all the same.
 */
final class CheckpointInterceptor implements StepInterceptor {
    private final Checkpoints options;
    private final Mesh mesh;
    private final StepLog log;
    private final CheckpointMoment moment;
    private Map<String, String> facts;
    private long run;
    private int generation;
    private Replay replay;
    private CheckpointWriter writer;
    private CheckpointLock lock;
    /** What solvers do within their steps. */
    private final InnerLoops inner;
    /** What follows is done by the runtime, not by the program. */
    private boolean inside;
    private boolean opened;
    private boolean closed;
    /** The checkpoint whose dats are being decided on, or null. */
    private CheckpointWriter.Job job;
    /** The last checkpoint, which may still be on its way. */
    private CheckpointWriter.Job last;
    private int flagged;
    /** Dats that are saved and have not been changed since. */
    private int saved;
    private long until;
    /** How many of the next steps only have to be noted, unless a checkpoint is asked for. */
    private long calm;
    /** Memory for copies is being made. */
    private boolean prepared;

    CheckpointInterceptor(Checkpoints options, Mesh mesh) {
        this.options = options;
        this.mesh = mesh;
        this.log = new StepLog(mesh);
        this.inner = new InnerLoops(log, this::decide);
        this.moment = new CheckpointMoment(options, mesh, log);
    }

    // The beginning.

    @Override
    public void opening() {
        if (opened) {
            return;
        }
        opened = true;
        quietly(() -> {
            facts = MeshFacts.of(mesh);
            if (rank() == 0) {
                options.file().ifPresent(this::lock);
            }
            options.restart().ifPresentOrElse(this::restart, this::start);
        });
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void lock(Path file) {
        lock = CheckpointLock.of(file);
    }

    private void start() {
        run = new SplittableRandom(System.nanoTime() ^ ProcessHandle.current().pid()).nextLong();
        // Files of ranks carry the number: those of another run stay until two of this one are there.
        generation = rank() == 0 ? options.file().map(SavedState::generation).orElse(0) : 0;
        long[] first = {rank() == 0 ? run : Long.MIN_VALUE, generation};
        mesh.ranks().ifPresent(ranks -> ranks.highest(first)); // the first has the lock then
        run = first[0];
        generation = (int) first[1];
        options.file().ifPresent(file -> openWriter(file, 0, true));
    }

    private void restart(Path file) {
        SavedState state = SavedState.find(file);
        MeshFacts.requireSame(state.toString(), state.head().facts(), facts);
        requireSameOnAll(state);
        run = state.head().run();
        generation = state.head().generation();
        replay = new Replay(mesh, state);
        options.file().ifPresent(target -> {
            boolean same = target.toAbsolutePath().equals(file.toAbsolutePath());
            if (rank() == 0 && state.head().logged() > 0) {
                mendLogs(state, CheckpointFiles.log(target, run), !same);
            }
            openWriter(target, state.head().logged(), !(same && state.older()));
        });
    }

    /** Ranks may have other files under one name, or see another state of them. */
    private void requireSameOnAll(SavedState state) {
        MeshRanks ranks = mesh.ranks().orElse(null);
        if (ranks == null) {
            return;
        }
        CheckpointHead head = state.head();
        long[] own = {head.run(), head.generation(), head.position()};
        long[] most = {own[0], own[1], own[2], ~own[0], ~own[1], ~own[2]};
        ranks.highest(most);
        for (int i = 0; i < own.length; i++) {
            if (most[i] != ~most[i + own.length]) {
                throw new CheckpointException("rank " + ranks.rank() + " starts from " + state + " of run "
                        + Long.toHexString(head.run()) + ", others from another checkpoint, "
                        + "expected the same file on all ranks");
            }
        }
    }

    /** Has the log, and its copy, whole where they are to be continued. */
    private static void mendLogs(SavedState state, Path log, boolean copies) {
        for (Path one : List.of(log, CheckpointFiles.copy(log))) {
            try {
                if (copies || !ReadLog.isWhole(one, state.head().logged())) {
                    Path fresh = CheckpointFiles.fresh(one);
                    Files.copy(state.log(), fresh, StandardCopyOption.REPLACE_EXISTING);
                    CheckpointFiles.move(fresh, one);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the log of " + state + " cannot be copied to " + one, e);
            }
        }
    }

    private void openWriter(Path file, long logged, boolean keep) {
        MeshRanks ranks = mesh.ranks().orElse(null);
        if (ranks != null) {
            removeStale(file);
        }
        writer = new CheckpointWriter(options, file,
                new LogFile(CheckpointFiles.log(file, run), logged, rank() == 0),
                new CheckpointWriter.InPlace(generation, keep),
                ranks == null ? Duration.ZERO : ranks.patience());
    }

    private void removeStale(Path file) {
        try {
            CheckpointFiles.removeStale(file, generation, rank());
        } catch (IOException e) {
            throw new UncheckedIOException("what rank " + rank() + " has written before cannot be removed from " + file,
                    e);
        }
    }

    private int rank() {
        return mesh.ranks().map(ranks -> ranks.rank()).orElse(0);
    }

    private void quietly(Runnable task) {
        boolean before = inside;
        inside = true;
        try {
            task.run();
        } finally {
            inside = before;
        }
    }

    // Steps.

    /** Says whether steps only have to be noted. Called once before each, or before several that run as one. */
    private boolean isIdle(int steps) {
        if (calm >= steps && moment.isUnasked()) {
            calm -= steps;
            return true;
        }
        boolean idle = replay == null && (writer == null || (prepared && job == null && saved == 0
                && !moment.isPending(writer.isBusy())));
        calm = idle && writer != null ? moment.calm() - steps : 0;
        return idle;
    }

    @Override
    public boolean enter(Step step) {
        if (inner.enters(step)) {
            return true;
        }
        if (!opened) {
            opening();
        }
        StepUse use = log.use(step);
        inner.requireOwn(use);
        if (isIdle(1)) {
            log.add(use);
            inside = true;
            inner.begin(step);
            return true;
        }
        boolean runs = enterSlowly(use);
        if (runs) {
            inner.begin(step);
        }
        return runs;
    }

    @Override
    public boolean passes(List<Step> steps) {
        return opened && inner.isQuiet() && isIdle(steps.size()) && log.add(steps);
    }

    private boolean enterSlowly(StepUse use) {
        if (replay != null && !isThere()) {
            replay.expect(use, log.steps());
            log.add(use);
            inside = !use.isPlace();
            return inside;
        }
        if (writer != null) {
            prepareRoom();
            if (job == null && moment.isPending(writer.isBusy()) && moment.isPlace(use, log.steps())) {
                begin(use);
            }
            decide(use);
        }
        log.add(use);
        inside = true;
        return true;
    }

    @Override
    public boolean skips() {
        opening();
        return replay != null && !isThere();
    }

    @Override
    public void leave() {
        if (!inner.leaves()) {
            inside = false;
        }
    }

    // Solvers.

    @Override
    public void admit(Mesh guest, String name) {
        opening();
        log.admit(guest, name);
    }

    @Override
    public void dismiss(Mesh guest) {
        for (DatState state : log.guests()) {
            if (state.decision() == Decision.FLAGGED) {
                flagged--;
                save(state); // the solver may have failed, and not be done at all
            }
            detach(state);
            state.dismissed();
        }
        log.dismiss();
        endIfDecided();
    }

    @Override
    public void overwriting(Dat dat) {
        inner.overwrites(dat);
    }

    @Override
    public void moving(Dat dat) {
        if (opened) {
            detach(log.state(dat));
        }
    }

    @Override
    public double number(String what, DoubleSupplier value, List<Dat> data) {
        data.forEach(dat -> decide(log.state(dat), false, false));
        double[] number = new double[1];
        quietly(() -> {
            LogRecord record = new LogRecord(log.steps(), LogRecord.Kind.SCALARS, what, 0, 0, ScalarType.F64, number);
            if (replay != null) {
                number[0] = replay.take(record)[0];
            } else {
                number[0] = value.getAsDouble();
                if (writer != null) {
                    writer.log(record);
                }
            }
        });
        return number[0];
    }

    @Override
    public boolean enterAll(List<Step> steps, boolean separable) {
        if (inner.enters(steps)) {
            return true;
        }
        opening();
        if (replay != null && !isThere()) {
            return false;
        }
        if (isIdle(steps.size())) {
            for (int s = 0; s < steps.size(); s++) {
                log.add(log.use(steps.get(s)));
            }
            inside = true;
            return true;
        }
        List<StepUse> uses = new ArrayList<>();
        for (Step step : steps) {
            uses.add(log.use(step));
        }
        if (writer != null) {
            prepareRoom();
            if (job == null && moment.isPending(writer.isBusy())) {
                if (separable) {
                    return false;
                }
                boolean begun = false; // not whether there is a job: one that has nothing to save is done at once
                for (int s = 0; s < uses.size() && !begun; s++) {
                    if (moment.isPlace(uses.get(s), log.steps() + s)) {
                        begin(uses.getFirst());
                        begun = true;
                    }
                }
            }
            uses.forEach(this::decide);
        }
        uses.forEach(log::add);
        inside = true;
        return true;
    }

    /** Says whether the program is where the checkpoint was, and brings everything there. */
    private boolean isThere() {
        if (log.steps() < replay.position()) {
            return false;
        }
        quietly(() -> replay.restore(log));
        options.restarted(replay.state() + (replay.state().older() ? ".previous" : "") + ", after " + replay.position()
                + " steps");
        replay.close();
        replay = null;
        moment.begun();
        return true;
    }

    // Checkpoints.

    /** Has memory made for what the first checkpoint will copy, as soon as it is known, and code run once. */
    private void prepareRoom() {
        if (!prepared && log.period() > 0) {
            prepared = true;
            moment.checkMark();
            writer.prepare(CheckpointStart::rehearse);
            writer.wake();
            for (DatState state : log.readFromBest()) {
                quietly(() -> writer.prepare(SavedDat.preparation(state.dat(), state.room())));
            }
        }
    }

    private void begin(StepUse use) {
        long start = System.nanoTime();
        MeshRanks ranks = mesh.ranks().orElse(null);
        writer.await();
        generation++;
        moment.begun();
        flagged = 0;
        saved = 0;
        Set<Dat> open = openDats();
        for (DatState state : log.states()) {
            boolean saves = state.dirty() && open.contains(state.dat());
            state.decide(saves ? Decision.FLAGGED : Decision.NONE);
            flagged += saves ? 1 : 0;
        }
        until = log.steps() + moment.window();
        CheckpointStart.Name name = new CheckpointStart.Name(run, generation, ranks == null ? 0 : ranks.rank(),
                ranks == null ? 1 : ranks.ranks(), writer.logName(), writer.logged(), facts);
        boolean before = inside;
        inside = true; // lambdas are linked when they are run first, for which the program would wait here
        try {
            job = CheckpointStart.of(name, log, MeshChains.settleTrials(mesh), use.name(), start);
        } finally {
            inside = before;
        }
        last = job;
        writer.begin(job);
        job.block(System.nanoTime() - start);
        saveExpected(use);
        endIfDecided();
    }

    private Set<Dat> openDats() {
        Set<Dat> open = new HashSet<>(mesh.dats());
        log.guests().forEach(state -> open.add(state.dat()));
        return open;
    }

    /**
     * Saves at once what the next period will read before it overwrites it, if it is like the last one: so there is
     * time to copy what is changed soon. Should the program do something else, a dat was saved that need not have been.
     */
    private void saveExpected(StepUse use) {
        int period = log.period();
        if (period == 0 || log.ago(period) != use.id()) {
            return;
        }
        for (DatState state : log.read(period, 0)) {
            if (state.decision() == Decision.FLAGGED) {
                flagged--;
                save(state);
                writer.copyAhead(state.saved());
            }
        }
    }

    /** Saves or drops what a step is about to touch, and copies what it is about to change. */
    private void decide(StepUse use) {
        for (int d = 0; d < use.size(); d++) {
            decide(use.dat(d), use.access(d) == Access.WRITE, use.access(d) != Access.READ);
        }
        if (job != null && log.steps() >= until) {
            saveRest();
        }
    }

    private void decide(DatState state, boolean drops, boolean changes) {
        if (job != null && state.decision() == Decision.FLAGGED) {
            flagged--;
            if (drops) {
                state.decide(Decision.DROPPED);
            } else {
                save(state);
                if (!changes) {
                    writer.copyAhead(state.saved());
                }
            }
            endIfDecided();
        }
        if (changes) {
            detach(state);
        }
    }

    /** Copies what has not been written of a dat that is about to change. */
    private void detach(DatState state) {
        if (state.decision() == Decision.SAVED) {
            long start = System.nanoTime();
            state.saved().detach();
            last.block(System.nanoTime() - start);
            state.decide(Decision.NONE);
            saved--;
        }
    }

    private void save(DatState state) {
        long start = System.nanoTime();
        quietly(() -> state.save(new SavedDat(state.dat(), state.name(), state.room())));
        saved++;
        job.add(state.saved());
        job.block(System.nanoTime() - start);
    }

    /** Saves the dats that no step has touched so far. */
    private void saveRest() {
        Set<Dat> open = openDats();
        for (DatState state : log.states()) {
            if (state.decision() == Decision.FLAGGED) {
                flagged--;
                if (open.contains(state.dat())) {
                    save(state);
                } else {
                    state.decide(Decision.DROPPED);
                }
            }
        }
        endIfDecided();
    }

    private void endIfDecided() {
        if (flagged == 0 && job != null) {
            job.end();
            job = null;
        }
    }

    // What the program reads and writes.

    @Override
    public void reading(Dat dat) {
        if (inside || !opened) {
            return;
        }
        DatState state = inner.own(log.state(dat));
        if (job != null) {
            decide(state, false, false);
        }
        if (state.dirty() && !state.known()) {
            int length = dat.set().size() * dat.components();
            quietly(() -> {
                if (replay != null) {
                    dat.setAll(replay.take(record(LogRecord.Kind.DAT, dat, 0, 0, new double[length])));
                } else if (writer != null) {
                    writer.log(record(LogRecord.Kind.DAT, dat, 0, 0, dat.toArray()));
                }
            });
            // On ranks, what they have of others' elements may differ in the last bits from what its owner has.
            state.becameKnown(mesh.ranks().isEmpty());
        }
    }

    private LogRecord record(LogRecord.Kind kind, Dat dat, int element, int component, double... values) {
        return new LogRecord(log.steps(), kind, dat.name(), element, component, dat.type(), values);
    }

    @Override
    public void reading(Dat dat, int element, int component) {
        if (inside || !opened) {
            return;
        }
        DatState state = inner.own(log.state(dat));
        if (job != null) {
            decide(state, false, false);
        }
        if (state.dirty() && !state.known()) {
            quietly(() -> {
                if (replay != null) {
                    double[] value = replay.take(record(LogRecord.Kind.VALUE, dat, element, component, 0));
                    dat.set(element, component, value[0]);
                } else if (writer != null) {
                    writer.log(record(LogRecord.Kind.VALUE, dat, element, component, dat.get(element, component)));
                }
            });
        }
    }

    @Override
    public void reading(Global global) {
        if (inside || !log.wasUnknown(global)) {
            return;
        }
        inside = true; // as quietly, but programs look often
        try {
            if (replay != null) {
                global.set(replay.take(new LogRecord(log.steps(), LogRecord.Kind.GLOBAL, global.name(), 0, 0,
                        ScalarType.F64, new double[global.components()])));
            } else if (writer != null) {
                writer.log(new LogRecord(log.steps(), LogRecord.Kind.GLOBAL, global.name(), 0, 0, ScalarType.F64,
                        CheckpointStart.values(global)));
            }
        } finally {
            inside = false;
        }
    }

    @Override
    public void reading(Scalars scalars) {
        if (inside || !log.wasUnknown(scalars)) {
            return;
        }
        quietly(() -> {
            if (replay != null) {
                double[] values = replay.take(new LogRecord(log.steps(), LogRecord.Kind.SCALARS, scalars.name(), 0, 0,
                        ScalarType.F64, new double[scalars.count()]));
                for (int i = 0; i < values.length; i++) {
                    scalars.set(i, values[i]);
                }
            } else if (writer != null) {
                writer.log(new LogRecord(log.steps(), LogRecord.Kind.SCALARS, scalars.name(), 0, 0, ScalarType.F64,
                        CheckpointStart.values(scalars)));
            }
        });
    }

    @Override
    public void writing(Dat dat, boolean whole, long hash) {
        if (inside || !opened) {
            return;
        }
        DatState state = log.state(dat);
        decide(state, whole, true);
        state.given(whole, hash);
    }

    @Override
    public void bypass(String what) {
        if (!inside) {
            throw DryRun.refused(what);
        }
    }

    @Override
    public void restructuring(String what) {
        if (opened) {
            throw DryRun.refused(what);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            closeWriter();
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
        if (replay != null) {
            replay.close();
            if (!replay.refused()) {
                throw replay.endedEarly(log.steps());
            }
        }
    }

    /** Ends the state that is being written, and the thread that writes it even if that fails. */
    private void closeWriter() {
        if (writer == null) {
            return;
        }
        try {
            if (job != null) {
                saveRest();
            }
        } finally {
            if (job != null) {
                job.abandon();
            }
            writer.close();
        }
    }
}
