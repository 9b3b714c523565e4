package org.trellis.mesh;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/**
 * A kernel that runs on every element of a set. Checked when it is declared; prepared (plan, code) at the first run, or
 * when {@link #prepare} is called; afterwards {@link #run} allocates nothing. A change of layout, numbering or
 * sets makes the next run prepare anew.
 *
 * <p>Where the mesh has a {@link LoopTuner} and nobody has set the loop's parameters, its runs are done in different
 * ways until the best is found ({@link #isTuned}). Each of them is a whole run with the right result; some take longer,
 * because a way is prepared within them or is slow.
 */
public final class ParallelLoop implements AutoCloseable {
    /** Loops over so few elements take hardly longer than asking for the time, twice. */
    private static final int SMALL_SET = 4096;
    /** Runs of such a loop that are all timed; afterwards one in sixteen is. */
    private static final int ALL_TIMED = 64;
    private static final int BETWEEN = 15;

    private final Mesh mesh;
    private final LoopStep step = new LoopStep(this, SetExtent.EXECUTED);
    /** Made when they are asked for first. */
    private final Map<SetExtent, LoopStep> onParts = new EnumMap<>(SetExtent.class);
    private LoopDeclaration declaration;
    private final AtomicBoolean running = new AtomicBoolean();
    private LoopParameters parameters;
    private boolean proposed;
    private boolean chosen;
    private PreparedLoop prepared;
    private int structure;
    private LoopTuner tuner;
    private LoopTrials trials;
    /** What runs once the mesh has been divided over ranks, else null. */
    private RankedLoop ranked;
    private long runs;
    private long nanoseconds;
    /** Runs whose time is in {@link #nanoseconds}. */
    private long timed;
    private long preparation;
    private long usefulBytes = -1;
    private boolean closed;
    /** Runs since the last reset of ways that tuning has left, and their time on the device. */
    private long otherRuns;
    private double otherSeconds;

    ParallelLoop(Mesh mesh, LoopDeclaration declaration, LoopParameters parameters, Optional<LoopTuner> tuner) {
        this.mesh = mesh;
        this.declaration = declaration;
        this.parameters = checked(parameters);
        this.proposed = parameters.equals(mesh.kernels().rule(declaration));
        this.tuner = tuner.orElse(null);
    }

    /**
     * A loop of a mesh that has been divided: rule and checks are those of the rank's own loop, whose maps are there.
     */
    @SuppressWarnings("MustBeClosed") // released with this loop, or with the mesh
    ParallelLoop(Mesh mesh, LoopDeclaration declaration) {
        this.mesh = mesh;
        this.declaration = declaration;
        this.ranked = mesh.division().share().loop(this);
        this.parameters = ranked.parameters();
    }

    private LoopParameters checked(LoopParameters wanted) {
        mesh.kernels().constraint(declaration, Objects.requireNonNull(wanted)).ifPresent(reason -> {
            throw new UnsupportedKernelException(declaration.toString(), mesh.backend().name(), reason);
        });
        return wanted;
    }

    /**
     * Returns what the loop consists of.
     *
     * @return kernel, set and arguments
     */
    public LoopDeclaration declaration() {
        return declaration;
    }

    /**
     * Returns how the loop is run. What the backend's rule proposes may change when the loop is prepared and its code
     * is known, and when layouts or numberings change.
     *
     * @return the parameters; while the loop is tuned, the best so far
     */
    public LoopParameters parameters() {
        return ranked == null ? parameters : ranked.parameters();
    }

    /**
     * Says whether somebody has set the parameters.
     *
     * @return false while they are what the options of the mesh say and the backend's rule proposes
     */
    public boolean hasOwnParameters() {
        return chosen;
    }

    /**
     * Tells whether the loop is run the same way from now on.
     *
     * @return false from the beginning until tuning has ended, if the loop is tuned; a change of layout or numbering
     *         begins it anew
     */
    public boolean isTuned() {
        return tuner == null || (trials == null && prepared != null && structure == mesh.structure());
    }

    boolean isBeingTuned() {
        return trials != null;
    }

    /**
     * Changes how the loop is run. The next run prepares it anew. The loop is not tuned any more.
     *
     * @param wanted the parameters
     * @return this loop
     * @throws UnsupportedKernelException if the backend cannot run it so; says why
     */
    public ParallelLoop parameters(LoopParameters wanted) {
        if (ranked != null) {
            ranked.parameters(wanted);
        }
        parameters = ranked == null ? checked(wanted) : wanted;
        proposed = false;
        chosen = true;
        tuner = null;
        mesh.running().changed(this);
        if (ranked == null) {
            release();
        }
        return this;
    }

    /**
     * Makes the plan and the code of the loop, unless they are there.
     *
     * @return this loop
     * @throws IllegalStateException if the mesh or the loop is closed
     */
    @SuppressWarnings("MustBeClosed") // released with this loop, or with the mesh
    public ParallelLoop prepare() {
        requireUsable();
        mesh.running().settle();
        if (mesh.running().gate() != null) {
            mesh.running().gate().opening();
        }
        if (mesh.division().ranked()) {
            if (ranked == null) {
                ranked = mesh.division().share().loop(this);
            }
            ranked.prepare();
        } else if (prepared == null || structure != mesh.structure()) {
            release();
            structure = mesh.structure();
            if (tuner == null) {
                long start = System.nanoTime();
                if (proposed) {
                    parameters = mesh.kernels().refine(declaration, mesh.kernels().rule(declaration));
                }
                prepared = mesh.kernels().prepare(declaration, parameters);
                preparation += System.nanoTime() - start;
            } else {
                trials = new LoopTrials(mesh.kernels(), declaration, tuner);
                takeBest();
            }
        }
        return this;
    }

    private void requireUsable() {
        mesh.requireOpen();
        if (closed) {
            throw new IllegalStateException(declaration + " is closed");
        }
    }

    /** Takes over what tuning has found so far, and lets it go when it has ended. */
    private void takeBest() {
        parameters = trials.parameters();
        prepared = trials.prepared();
        preparation += trials.takePreparation();
        if (trials.isFinished()) {
            trials.finish();
            otherRuns = runs - trials.bestRuns();
            otherSeconds += trials.otherSeconds();
            trials = null;
            mesh.running().loopTuned();
        }
    }

    /**
     * Binds other data, for all runs that follow, also as part of sequences. If they have the shape of those before
     * (kind, set, map, components, type, layout) and share with each other what those shared, code and plan stay and
     * this costs little more than comparing them; otherwise they are checked as those of a new loop, and the next run
     * prepares anew. So one loop serves all vectors of a basis. Allocates nothing but what the caller does for the
     * arguments.
     *
     * <p>An argument that does not change is given again. Sets, kernel and precision stay; so do globals and constants,
     * since their values can be changed instead. What a loop has been tuned to stays, too.
     *
     * @param arguments one for each parameter of the kernel, in order
     * @return this loop
     * @throws IllegalArgumentException if an argument does not fit; names loop, argument and values
     */
    public ParallelLoop bind(LoopArgument... arguments) {
        mesh.running().settle();
        if (!declaration.fits(arguments)) {
            LoopDeclaration other = new LoopDeclaration(declaration.kernel(), declaration.set(), List.of(arguments));
            mesh.kernels().constraint(other, parameters).ifPresent(reason -> {
                throw new UnsupportedKernelException(other.toString(), mesh.backend().name(), reason);
            });
            declaration = other;
            release();
            return this;
        }
        boolean other = false;
        for (int a = 0; a < arguments.length; a++) {
            if (!arguments[a].equals(declaration.argument(a))) {
                declaration.bind(a, arguments[a]);
                other = true;
                if (ranked == null) {
                    rebind(a);
                }
            }
        }
        if (other && ranked != null) {
            ranked.rebind();
        }
        return this;
    }

    private void rebind(int argument) {
        if (structure == mesh.structure() && (trials == null || trials.rebind(argument))
                && (trials != null || prepared == null || prepared.rebind(argument))) {
            return;
        }
        release();
    }

    /**
     * Returns the loop as a step.
     *
     * @return a step that runs it on {@link SetExtent#EXECUTED}
     */
    public LoopStep step() {
        return step;
    }

    /** Returns the loop on a part as a step, the same object each time: whoever remembers steps knows it again. */
    private LoopStep onPart(SetExtent part) {
        LoopStep known = onParts.get(part);
        if (known == null) {
            known = new LoopStep(this, part);
            onParts.put(part, known);
        }
        return known;
    }

    /**
     * Runs the kernel on every element of the set, each once, in an order that nobody may rely on; on those that are
     * {@link SetExtent#EXECUTED} if the set is in parts.
     *
     * @throws IllegalStateException if the mesh, the loop or the backend is closed, or another thread is running the
     *         loop
     */
    public void run() {
        run(SetExtent.EXECUTED);
    }

    /**
     * Runs the kernel on every element of a part of the set, each once. Reductions run over owned elements.
     *
     * @param part the part
     * @throws IllegalStateException      if the mesh is closed
     * @throws UnsupportedKernelException if the backend cannot run on a part
     */
    public void run(SetExtent part) {
        if (mesh.options().chains().lazy()) {
            requireUsable();
            if (mesh.running().defers(this, part)) {
                return;
            }
        }
        runNow(part);
    }

    /** Runs the kernel at once. */
    void runNow(SetExtent part) {
        if (!running.compareAndSet(false, true)) {
            throw new IllegalStateException(declaration
                    + " is being run by another thread, expected one thread at a time for each mesh");
        }
        try {
            StepInterceptor gate = mesh.running().gate();
            if (gate == null) {
                runOnce(part);
            } else if (gate.enter(part == SetExtent.EXECUTED ? step : onPart(part))) {
                try {
                    runOnce(part);
                } finally {
                    gate.leave();
                }
            }
        } finally {
            running.setRelease(false);
        }
    }

    /**
     * Runs the kernel on the elements between two ends of parts of the set, each once. Reductions run over owned
     * elements, and combine those with what a global has. Takes no time for the report.
     *
     * @param from the first element: 0 or one of {@link MeshSet#ends}
     * @param to   the element after the last, one of them too
     * @throws IllegalArgumentException   if elements have no rows in maps
     * @throws IllegalStateException      if the mesh is closed
     * @throws UnsupportedKernelException if the backend cannot run from elsewhere than the beginning
     */
    public void run(int from, int to) {
        mesh.running().settle();
        if (to > declaration.set().withRows()) {
            throw new IllegalArgumentException(declaration + " was to be run up to element " + (to - 1)
                    + ", expected at most " + (declaration.set().withRows() - 1) + ", the last with rows in maps");
        }
        if (mesh.running().gate() != null) {
            mesh.running().requireSeen("a run of some elements of " + declaration);
        }
        if (prepared == null || structure != mesh.structure()) {
            prepare();
        }
        prepared.run(from, to);
    }

    /**
     * Lets {@link #run(int, int)} be timed on a device that has a clock. Prepares the loop.
     *
     * @param wanted false for no times, as in the beginning
     */
    public void timeParts(boolean wanted) {
        prepare();
        if (prepared != null) {
            prepared.timeParts(wanted);
        }
    }

    /**
     * Returns how long runs of some elements take on a device that works asynchronously.
     *
     * @param from the first element of {@link #run(int, int)}
     * @param to   the element after the last
     * @return the mean of runs since {@link #resetTimes} while they were timed, in seconds; empty without a clock
     */
    public OptionalDouble partSeconds(int from, int to) {
        return prepared == null ? OptionalDouble.empty() : prepared.deviceSeconds(from, to);
    }

    private void runOnce(SetExtent part) {
        if (mesh.division().ranked()) {
            prepare();
            if (mesh.isWatched()) {
                mesh.submitting(step);
            }
            ranked.run();
            runs++;
            return;
        }
        if (prepared == null || structure != mesh.structure()) {
            prepare();
        }
        if (mesh.isWatched()) {
            mesh.submitting(part == SetExtent.EXECUTED ? step : new LoopStep(this, part));
        }
        if (trials != null && declaration.set().extent(part) == declaration.set().extent(SetExtent.EXECUTED)) {
            nanoseconds += trials.run();
            timed++;
            runs++;
            takeBest();
            return;
        }
        if (timed >= ALL_TIMED && (runs & BETWEEN) != 0 && declaration.set().size() <= SMALL_SET) {
            prepared.run(part);
        } else {
            long start = System.nanoTime();
            prepared.run(part);
            nanoseconds += System.nanoTime() - start;
            timed++;
        }
        runs++;
    }

    /** Returns the wall time of all runs, of which some of those over few elements have not been timed. */
    private double wallSeconds() {
        return timed == 0 ? nanoseconds * 1e-9 : nanoseconds * 1e-9 * ((double) runs / timed);
    }

    /** Returns the prepared loop, or null if the next run would prepare it, or perhaps another way of running. */
    PreparedLoop current() {
        return prepared != null && trials == null && structure == mesh.structure() ? prepared : null;
    }

    /** Counts a run that was part of something larger. */
    void countRun() {
        runs++;
    }

    /** Counts a run that was part of something larger, of which this was its share. */
    void countRun(long share) {
        runs++;
        timed++;
        nanoseconds += share;
    }

    /** Takes over the memory that a dat has now. */
    void follow(Dat dat) {
        for (int a = 0; a < declaration.arity(); a++) {
            if (dat.equals(declaration.dat(a)) && (prepared != null || trials != null)) {
                rebind(a);
            }
        }
    }

    /**
     * Returns the time of the runs since the last {@link #resetTimes}. Costs little, unlike {@link #report}.
     *
     * @return seconds: on the clock of a device that works asynchronously, which is waited for, or else wall time
     */
    public double seconds() {
        mesh.running().settle();
        if (ranked != null) {
            return ranked.seconds();
        }
        OptionalDouble device = prepared == null ? OptionalDouble.empty() : prepared.deviceSeconds();
        if (device.isEmpty()) {
            return wallSeconds();
        }
        return trials == null
                ? device.getAsDouble() * (runs - otherRuns) + otherSeconds
                : device.getAsDouble() * trials.bestRuns() + otherSeconds + trials.otherSeconds();
    }

    /**
     * Reports how often and how fast the loop has run since the last {@link #resetTimes}. Costs a pass over its maps.
     *
     * @return its line of {@link Mesh#report()}; without figures of a plan if the loop has not been prepared
     */
    public LoopReport report() {
        mesh.running().settle();
        if (ranked != null) {
            return ranked.report();
        }
        if (prepared == null) {
            // Once a mesh has been divided, ranks have only their share of maps, and this loop none so far.
            long bytes = mesh.division().divided() ? 0 : usefulBytes();
            return new LoopReport(declaration.name(), declaration.set().name(), parameters, runs, wallSeconds(),
                    preparation * 1e-9, bytes, new LoopStatistics(0, 0, 0, 0, 1, 0),
                    Map.of());
        }
        return new LoopReport(declaration.name(), declaration.set().name(), parameters, runs, seconds(),
                preparation * 1e-9, usefulBytes(), prepared.statistics(),
                prepared.deviceFigures());
    }

    /** Neither renumbering nor layout changes them. */
    private long usefulBytes() {
        if (usefulBytes < 0) {
            usefulBytes = LoopTraffic.usefulBytes(declaration);
        }
        return usefulBytes;
    }

    /** Forgets the times of past runs. */
    public void resetTimes() {
        if (ranked != null) {
            ranked.resetTimes();
        }
        runs = 0;
        timed = 0;
        otherRuns = 0;
        otherSeconds = 0;
        if (trials != null) {
            trials.resetTimes();
        } else if (prepared != null) {
            prepared.resetTimes();
        }
        nanoseconds = 0;
    }

    /** Notes that what the loop moves has changed: bytes and times of before say nothing about it any more. */
    void changed() {
        usefulBytes = -1;
        resetTimes();
    }

    /**
     * Releases what has been prepared; the mesh and its reports forget the loop. Idempotent. Without it, the loop is
     * closed with its mesh.
     *
     * @throws IllegalStateException if the loop is part of a sequence that is open; names it
     */
    @Override
    public void close() {
        if (!closed) {
            mesh.running().settle();
            mesh.running().forget(this);
            closed = true;
            release();
        }
    }

    void release() {
        if (ranked != null) {
            ranked.close();
            ranked = null;
        }
        if (trials != null) {
            trials.close();
            trials = null;
        } else if (prepared != null) {
            prepared.close();
        }
        prepared = null;
    }

    @Override
    public String toString() {
        return declaration + " as " + parameters;
    }
}
