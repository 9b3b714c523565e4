package org.trellis.mesh.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.Step;
import org.trellis.mesh.WorkStep;

/**
 * The steps of a run so far: what they are, in which order they came, whether they repeat themselves, and which data
 * they have changed.
 */
final class StepLog {
    /** How far back a period is looked for. */
    private static final int RECENT = 1 << 12;
    /** Runs of a period that have to be seen before it is one. */
    private static final int RUNS = 2;
    private static final int FIRST_LOOK = 8;
    /** Steps after the last period that {@link #analysis()} looks behind. */
    private static final int MOST_AFTER = 32;
    private static final long FACTOR = 31;

    private final IdentityHashMap<Step, StepUse> uses = new IdentityHashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<StepUse> byNumber = new ArrayList<>();
    private final Map<Dat, DatState> dats = new LinkedHashMap<>();
    /** Globals and scalars that steps have changed; one element each, true if the program does not have the value. */
    private final Map<Object, boolean[]> values = new LinkedHashMap<>();
    /** What loops within steps of solvers do. */
    private final IdentityHashMap<Step, StepUse> inner = new IdentityHashMap<>();
    private final Mesh host;
    /** The mesh of the solver that is at work, or null, and its name with a colon. */
    private Mesh guest;
    private Mesh lastGuest;
    private String solver = "";
    private final StepSequence sequence = new StepSequence();
    private final int[] recent = new int[RECENT];
    private StepUse latest;
    private final IdentityHashMap<List<Step>, StepBatch> batches = new IdentityHashMap<>();
    private StepBatch lastBatch;
    private int period;
    /** The loop that ran first, and how often it has run. */
    private int first = -1;
    private long returns;
    private long look = FIRST_LOOK;
    /** Last steps that are not examined. */
    private int skipped;

    /**
     * Begins.
     *
     * @param host the mesh whose steps these are; null for none
     */
    StepLog(Mesh host) {
        this.host = host;
    }

    /** Returns what a step does. Mostly it is the one that followed last time. */
    StepUse use(Step step) {
        StepUse use = latest == null ? null : latest.follower();
        if (use != null && use.isOf(step)) {
            return use;
        }
        use = uses.get(step);
        return use != null && use.isOf(step) ? use : made(step);
    }

    private StepUse made(Step step) {
        StepUse use = StepUse.of(step, this::state, solver);
        Integer number = numbers.putIfAbsent(use.description(), byNumber.size());
        if (number != null && step instanceof WorkStep && byNumber.get(number).isOf(step)) {
            return byNumber.get(number); // what a solver asks for has no object of its own
        }
        if (number == null) {
            number = byNumber.size();
            byNumber.add(use);
        } else {
            byNumber.set(number, use);
        }
        use.number(number);
        use.follow(values);
        uses.put(step, use);
        return use;
    }

    DatState state(Dat dat) {
        DatState known = dats.get(dat);
        if (known == null) {
            known = new DatState(dat, (dat.set().mesh() == guest ? solver : "") + dat.name());
            dats.put(dat, known);
        }
        return known;
    }

    /** Returns what a loop within a step of a solver does, which is no step itself. */
    StepUse within(Step step) {
        StepUse use = inner.get(step);
        if (use == null || !use.isOf(step)) {
            use = StepUse.of(step, this::state, solver);
            inner.put(step, use);
        }
        return use;
    }

    /** A solver begins: data of its mesh have its name before theirs, and those of earlier ones that are closed go. */
    void admit(Mesh own, String name) {
        if (guest != null) {
            throw new IllegalStateException("solver " + name + " begins within the steps of " + solver
                    + " expected one after the other on a mesh with checkpoints");
        }
        guest = own;
        solver = name + ": ";
        if (lastGuest != own) {
            lastGuest = own;
            uses.values().removeIf(StepUse::isClosed);
            inner.values().removeIf(StepUse::isClosed);
            dats.keySet().removeIf(dat -> dat.set().mesh().isClosed());
            values.keySet().removeIf(value -> value instanceof Scalars scalars && scalars.mesh().isClosed());
        }
    }

    /** The solver is done. */
    void dismiss() {
        guest = null;
        solver = "";
    }

    /** Returns what is known of the data of the solver that is at work. */
    List<DatState> guests() {
        return dats.values().stream().filter(state -> state.dat().set().mesh() == guest).toList();
    }

    /** Returns the name of scalars in files. */
    String name(Scalars scalars) {
        return (scalars.mesh() == guest ? solver : "") + scalars.name();
    }

    List<DatState> states() {
        return dats.values().stream().toList();
    }

    /** Says what the program has given to each dat that it has given anything to, in one number. */
    Map<String, Long> given() {
        Map<String, Long> given = new LinkedHashMap<>();
        dats.values().stream().filter(state -> state.given() != 0)
                .forEach(state -> given.merge(state.name(), state.given(), (one, other) -> FACTOR * one + other));
        return given;
    }

    /** Notes that a step is run, or has been run by the run before. */
    void add(StepUse use) {
        if (latest != null) {
            latest.followedBy(use);
        }
        latest = use;
        recent[(int) (sequence.steps() & (RECENT - 1))] = use.id();
        sequence.add(use.id());
        if (use.isPlace()) {
            first = first < 0 ? use.id() : first;
            returns += use.id() == first || (guest != null && use.comesAgain()) ? 1 : 0;
        }
        use.change();
    }

    /** Notes steps that are run one after the other, always the same of a list, unless they are too many for that. */
    boolean add(List<Step> steps) {
        if (steps.size() > RECENT) {
            return false;
        }
        StepBatch batch = lastBatch != null && lastBatch.isOf(steps) ? lastBatch : batches.get(steps);
        if (batch == null || !batch.isCurrent()) {
            batch = new StepBatch(steps, this::use);
            batches.put(steps, batch);
        }
        if (first < 0) {
            first = batch.firstPlace();
        }
        lastBatch = batch;
        if (latest != null) {
            latest.followedBy(batch.use(0));
        }
        latest = batch.use(batch.size() - 1);
        int place = (int) (sequence.steps() & (RECENT - 1));
        int fits = Math.min(batch.size(), RECENT - place);
        System.arraycopy(batch.ids(), 0, recent, place, fits);
        System.arraycopy(batch.ids(), fits, recent, 0, batch.size() - fits);
        sequence.add(batch.ids());
        returns += batch.count(first);
        batch.change();
        return true;
    }

    /** Returns the globals that steps have changed. */
    List<Global> globals() {
        return values.keySet().stream().filter(Global.class::isInstance).map(Global.class::cast).toList();
    }

    /** Returns the scalars that steps have changed, of solvers those of the one that is at work. */
    @SuppressWarnings("ReferenceEquality") // a mesh is what it is
    List<Scalars> scalars() {
        return values.keySet().stream().filter(Scalars.class::isInstance).map(Scalars.class::cast)
                .filter(scalars -> scalars.mesh() == host || scalars.mesh() == guest).toList();
    }

    /**
     * Says whether a loop has changed a global or scalars since the program looked or gave a value. The program looks
     * now.
     */
    boolean wasUnknown(Object value) {
        boolean[] unknown = values.get(value);
        if (unknown == null || !unknown[0]) {
            return false;
        }
        unknown[0] = false;
        return true;
    }

    long steps() {
        return sequence.steps();
    }

    StepSequence sequence() {
        return sequence;
    }

    /** Returns the descriptions of all steps by their numbers. */
    List<String> descriptions() {
        return byNumber.stream().map(StepUse::description).toList();
    }

    // Periods.

    private int back(int distance) {
        return recent[(int) ((sequence.steps() - 1 - skipped - distance) % RECENT)];
    }

    /** Says which step was run some steps ago; 1 for the last. */
    int ago(long distance) {
        return back((int) distance - 1);
    }

    /** Says whether a checkpoint may begin before a step. */
    boolean isPlace(int number) {
        return byNumber.get(number).isPlace();
    }

    /** Returns the period of the last steps; 0 if they have none. Looks at most steps only. */
    int period() {
        if (period == 0 && steps() >= look) {
            look = 2 * steps();
            findPeriod();
        }
        return period;
    }

    /** Returns how often the loop has run that ran first, and steps of solvers have come again. */
    long returns() {
        return returns;
    }

    /**
     * Looks for the period that explains most of the steps before now, the shortest of those: comparing the steps with
     * themselves, shifted, backwards from the last.
     *
     * @return steps of a period; 0 if there is none
     */
    int findPeriod() {
        int known = (int) Math.min(steps(), RECENT) - skipped;
        int[] same = new int[known];
        int left = 0;
        int right = 0;
        int best = 0;
        int explained = 0;
        for (int shift = 1; shift < known; shift++) {
            int length = shift < right ? Math.min(right - shift, same[shift - left]) : 0;
            while (shift + length < known && back(length) == back(shift + length)) {
                length++;
            }
            same[shift] = length;
            if (shift + length > right) {
                left = shift;
                right = shift + length;
            }
            if (length >= (RUNS - 1) * shift && length + shift > explained) {
                best = shift;
                explained = length + shift;
            }
        }
        period = best;
        return best;
    }

    /**
     * Says what a checkpoint before the next step will save, if the steps that come are those of the last period.
     *
     * @param steps of a period
     * @param first which step of the period comes next
     * @return the dats that are read before they are overwritten; first, in this order, those that are changed then
     */
    List<DatState> read(int steps, int first) {
        Set<DatState> seen = new HashSet<>();
        Set<DatState> read = new LinkedHashSet<>();
        Set<DatState> changed = new LinkedHashSet<>();
        for (int s = 0; s < steps; s++) {
            StepUse use = byNumber.get(ago(steps - (first + s) % steps));
            for (int d = 0; d < use.size(); d++) {
                if (seen.add(use.dat(d)) && use.access(d) != Access.WRITE) {
                    read.add(use.dat(d));
                }
                if (use.access(d) != Access.READ && read.contains(use.dat(d))) {
                    changed.add(use.dat(d));
                }
            }
        }
        changed.addAll(read);
        return List.copyOf(changed);
    }

    /** Returns the dats that a checkpoint will copy if it begins where a period has least to save. */
    List<DatState> readFromBest() {
        List<CheckpointAnalysis.Row> rows = analysis(period).rows();
        int best = -1;
        for (int r = 0; r < rows.size(); r++) {
            if (isPlace(ago(period - r)) && (best < 0 || rows.get(r).bytes() < rows.get(best).bytes())) {
                best = r;
            }
        }
        return best < 0 ? List.of() : read(period, best).stream().filter(DatState::dirty).toList();
    }

    // Analysis.

    private static CheckpointAnalysis.Use described(StepUse use) {
        List<CheckpointAnalysis.Touch> touches = new ArrayList<>();
        for (int d = 0; d < use.size(); d++) {
            touches.add(touch(use.dat(d), use.access(d)));
        }
        return new CheckpointAnalysis.Use(use.name(), touches);
    }

    private static CheckpointAnalysis.Touch touch(DatState state, Access access) {
        return new CheckpointAnalysis.Touch(state.name(), state.dat().components(), state.bytes(), access);
    }

    /** Finds out what would be saved before each of the last steps; row 0 is that before the first of them. */
    CheckpointAnalysis analysis(int steps) {
        List<CheckpointAnalysis.Use> last = new ArrayList<>();
        for (int distance = steps; distance > 0; distance--) {
            last.add(described(byNumber.get(ago(distance))));
        }
        return CheckpointAnalysis.ofPeriod(last, dats.values().stream().filter(DatState::dirty)
                .map(state -> touch(state, Access.READ_WRITE)).toList());
    }

    /**
     * Finds out what would be saved, in a period of the steps if there is one, otherwise in all that are known. A few
     * steps may follow the last period, such as those with which a solver ends.
     */
    CheckpointAnalysis analysis() {
        try {
            for (skipped = 0; skipped < Math.min(steps(), MOST_AFTER); skipped++) {
                int found = findPeriod();
                if (found > 0) {
                    return analysis(found);
                }
            }
        } finally {
            skipped = 0;
        }
        List<CheckpointAnalysis.Use> all = new ArrayList<>();
        for (int distance = (int) Math.min(steps(), RECENT); distance > 0; distance--) {
            all.add(described(byNumber.get(ago(distance))));
        }
        return CheckpointAnalysis.ofRun(all);
    }
}
