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
import org.trellis.mesh.loop.SetExtent;

/**
 * A kernel that runs on every element of a set. Checked when it is declared; prepared (plan, code) at the first run, or
 * when {@link #prepare} is called; afterwards {@link #run} allocates nothing. A change of layout, numbering or
 * sets makes the next run prepare anew.
 *
 * <p>Where the mesh has a {@link LoopTuner} and the program has not set the loop's parameters, its runs are done in
 * different variants until the best is found ({@link #isTuned}). Each of them is a whole run with the right result;
 * some take longer, because a way is prepared within them or is slow.
 */
public final class ParallelLoop implements AutoCloseable {
    private final Mesh mesh;
    private final LoopStep step = new LoopStep(this, SetExtent.EXECUTED);
    /** Made when they are asked for first. */
    private final Map<SetExtent, LoopStep> onParts = new EnumMap<>(SetExtent.class);
    private final AtomicBoolean running = new AtomicBoolean();
    private final LoopTimes times = new LoopTimes();
    private LoopDeclaration declaration;
    private LoopChoice choice;
    private LoopHandle handle;
    private long usefulBytes = -1;
    private boolean closed;

    ParallelLoop(Mesh mesh, LoopDeclaration declaration, LoopParameters parameters, Optional<LoopTuner> tuner) {
        this.mesh = mesh;
        this.declaration = declaration;
        this.handle = new UnpreparedLoop(this, checked(parameters));
        this.choice = LoopChoice.of(parameters, mesh.kernels().rule(declaration), tuner);
        mesh.kernels().expect(declaration, parameters);
    }

    /**
     * A loop of a mesh that has been divided: rule and checks are those of the rank's own loop, whose maps are there.
     */
    ParallelLoop(Mesh mesh, LoopDeclaration declaration) {
        this.mesh = mesh;
        this.declaration = declaration;
        this.choice = new LoopChoice.Proposed();
        this.handle = LoopOnRanks.of(this);
    }

    Mesh mesh() {
        return mesh;
    }

    LoopChoice choice() {
        return choice;
    }

    LoopTimes times() {
        return times;
    }

    LoopParameters checked(LoopParameters wanted) {
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
        return handle.parameters();
    }

    /**
     * Says whether the program has set the parameters.
     *
     * @return false while they are what the options of the mesh say and the backend's rule proposes
     */
    public boolean hasOwnParameters() {
        return choice instanceof LoopChoice.Given given && given.own();
    }

    /**
     * Says whether the loop is run the same way from now on.
     *
     * @return false from the beginning until tuning has ended, if the loop is tuned; a change of layout or numbering
     *         begins it anew
     */
    public boolean isTuned() {
        return !(choice instanceof LoopChoice.Tuned) || handle.current() != null;
    }

    boolean isBeingTuned() {
        return handle.isTuning();
    }

    /**
     * Changes how the loop is run. The next run prepares it anew. The loop is not tuned any more.
     *
     * @param wanted the parameters
     * @return this loop
     * @throws UnsupportedKernelException if the backend cannot run it so; says why
     */
    public ParallelLoop parameters(LoopParameters wanted) {
        become(handle.parameters(wanted));
        choice = new LoopChoice.Given(true);
        mesh.running().changed(this);
        return this;
    }

    /**
     * Makes the plan and the code of the loop, unless they are there.
     *
     * @return this loop
     * @throws IllegalStateException if the mesh or the loop is closed
     */
    public ParallelLoop prepare() {
        requireUsable();
        mesh.running().settle();
        mesh.running().passage().opening();
        become(handle.prepared());
        return this;
    }

    private void become(LoopHandle next) {
        if (!next.equals(handle)) {
            handle = next;
            if (choice instanceof LoopChoice.Tuned && handle.current() != null) {
                mesh.running().loopTuned();
            }
        }
    }

    /** Releases what has been prepared, and returns the loop as it was before. */
    LoopHandle anew() {
        LoopParameters kept = handle.parameters();
        handle.release();
        handle = new UnpreparedLoop(this, kept);
        return handle;
    }

    void requireUsable() {
        mesh.requireOpen();
        if (closed) {
            throw new IllegalStateException(declaration + " is closed");
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
            mesh.kernels().constraint(other, parameters()).ifPresent(reason -> {
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
                rebind(a);
            }
        }
        if (other) {
            handle.rebound();
        }
        return this;
    }

    private void rebind(int argument) {
        if (!handle.rebind(argument)) {
            release();
        }
    }

    /**
     * Returns the loop as a step.
     *
     * @return a step that runs it on {@link SetExtent#EXECUTED}
     */
    public LoopStep step() {
        return step;
    }

    /** Returns the loop on a part as a step, the same object each time, so that callers may compare it. */
    private LoopStep onPart(SetExtent part) {
        LoopStep known = onParts.get(part);
        if (known == null) {
            known = new LoopStep(this, part);
            onParts.put(part, known);
        }
        return known;
    }

    /**
     * Runs the kernel on every element of the set, each once, in an order on which no program may rely; on those that
     * are {@link SetExtent#EXECUTED} if the set is in parts.
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
        if (!mesh.running().defers(this, part)) {
            runNow(part);
        }
    }

    /** Runs the kernel at once. */
    void runNow(SetExtent part) {
        if (!running.compareAndSet(false, true)) {
            throw new IllegalStateException(declaration
                    + " is being run by another thread, expected one thread at a time for each mesh");
        }
        try {
            Passage passage = mesh.running().passage();
            LoopStep now = part == SetExtent.EXECUTED ? step : onPart(part);
            if (passage.enter(now)) {
                try {
                    runOnce(now);
                } finally {
                    passage.leave();
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
     * @throws UnsupportedKernelException if the backend cannot run from elsewhere than the beginning, or the mesh is
     *                                    divided over ranks
     */
    public void run(int from, int to) {
        mesh.running().settle();
        if (to > declaration.set().withRows()) {
            throw new IllegalArgumentException(declaration + " was to be run up to element " + (to - 1)
                    + ", expected at most " + (declaration.set().withRows() - 1) + ", the last with rows in maps");
        }
        if (!mesh.running().passage().isFree()) {
            mesh.running().requireSeen("a run of some elements of " + declaration);
        }
        if (!handle.isCurrent()) {
            prepare();
        }
        handle.run(from, to);
    }

    /**
     * Lets {@link #run(int, int)} be timed on a device that has a clock. Prepares the loop.
     *
     * @param wanted false for no times, as in the beginning
     */
    public void timeParts(boolean wanted) {
        prepare();
        handle.timeParts(wanted);
    }

    /**
     * Returns how long runs of some elements take on a device that works asynchronously.
     *
     * @param from the first element of {@link #run(int, int)}
     * @param to   the element after the last
     * @return the mean of runs since {@link #resetTimes} while they were timed, in seconds; empty without a clock
     */
    public OptionalDouble partSeconds(int from, int to) {
        return handle.partSeconds(from, to);
    }

    private void runOnce(LoopStep now) {
        if (!handle.isCurrent()) {
            prepare();
        }
        mesh.submitting(now);
        become(handle.run(now.part()));
    }

    /** Returns the prepared loop, or null if the next run would prepare it, or perhaps another one. */
    PreparedLoop current() {
        return handle.current();
    }

    /** Counts a run that was part of something larger. */
    void countRun() {
        times.count();
    }

    /** Counts a run that was part of something larger, of which this was its share. */
    void countRun(long share) {
        times.count(share);
    }

    /** Takes over the memory that a dat has now. */
    void follow(Dat dat) {
        for (int a = 0; a < declaration.arity(); a++) {
            if (dat.equals(declaration.dat(a))) {
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
        return handle.seconds();
    }

    /**
     * Reports how often and how fast the loop has run since the last {@link #resetTimes}. Costs a pass over its maps.
     *
     * @return its line of {@link Mesh#report()}; without figures of a plan if the loop has not been prepared
     */
    public LoopReport report() {
        mesh.running().settle();
        return handle.report();
    }

    /** Reports runs of what is prepared. */
    LoopReport report(PreparedLoop prepared) {
        return new LoopReport(declaration.name(), declaration.set().name(), parameters(), times.runs(),
                handle.seconds(), times.preparationSeconds(), usefulBytes(), prepared.statistics(),
                prepared.deviceFigures());
    }

    /** Neither renumbering nor layout changes them. */
    long usefulBytes() {
        if (usefulBytes < 0) {
            usefulBytes = LoopTraffic.usefulBytes(declaration);
        }
        return usefulBytes;
    }

    /** Forgets the times of past runs. */
    public void resetTimes() {
        handle.resetTimes();
        times.reset();
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
        anew();
    }

    @Override
    public String toString() {
        return declaration + " as " + parameters();
    }
}
