package org.trellis.mesh;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trellis.common.UnsupportedKernelException;

/**
 * A kernel that runs on every element of a set. Checked when it is declared; prepared (plan, code) at the first run, or
 * when {@link #prepare} is called; afterwards {@link #run} allocates nothing. A change of layout or numbering makes the
 * next run prepare anew.
 *
 * <p>Where the mesh has a {@link LoopTuner} and nobody has set the loop's parameters, its runs are done in different
 * ways until the best is found ({@link #isTuned}). Each of them is a whole run with the right result; some take longer,
 * because a way is prepared within them or is slow.
 */
public final class ParallelLoop {
    private final Mesh mesh;
    private final LoopDeclaration declaration;
    private final AtomicBoolean running = new AtomicBoolean();
    private LoopParameters parameters;
    private boolean proposed;
    private PreparedLoop prepared;
    private int structure;
    private LoopTuner tuner;
    private LoopTrials trials;
    private long runs;
    private long nanoseconds;
    private long preparation;
    private long usefulBytes = -1;
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
        return parameters;
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
        parameters = checked(wanted);
        proposed = false;
        tuner = null;
        release();
        return this;
    }

    /**
     * Makes the plan and the code of the loop, unless they are there.
     *
     * @return this loop
     * @throws IllegalStateException if the mesh is closed
     */
    public ParallelLoop prepare() {
        mesh.requireOpen();
        if (prepared == null || structure != mesh.structure()) {
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
            mesh.loopTuned();
        }
    }

    /**
     * Runs the kernel on every element of the set, each once, in an order that nobody may rely on.
     *
     * @throws IllegalStateException if the mesh or its backend is closed, or another thread is running the loop
     */
    public void run() {
        if (!running.compareAndSet(false, true)) {
            throw new IllegalStateException(declaration
                    + " is being run by another thread, expected one thread at a time for each mesh");
        }
        try {
            runOnce();
        } finally {
            running.setRelease(false);
        }
    }

    private void runOnce() {
        if (prepared == null || structure != mesh.structure()) {
            prepare();
        }
        if (trials != null) {
            nanoseconds += trials.run();
            runs++;
            takeBest();
            return;
        }
        long start = System.nanoTime();
        prepared.run();
        nanoseconds += System.nanoTime() - start;
        runs++;
    }

    /** Returns the prepared loop, or null if the next run would prepare it, or perhaps another way of running. */
    PreparedLoop current() {
        return prepared != null && trials == null && structure == mesh.structure() ? prepared : null;
    }

    /** Counts a run that was part of something larger. */
    void countRun() {
        runs++;
    }

    /**
     * Returns the time of the runs since the last {@link #resetTimes}. Costs little, unlike {@link #report}.
     *
     * @return seconds: on the clock of a device that works asynchronously, which is waited for, or else wall time
     */
    public double seconds() {
        OptionalDouble device = prepared == null ? OptionalDouble.empty() : prepared.deviceSeconds();
        if (device.isEmpty()) {
            return nanoseconds * 1e-9;
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
        if (prepared == null) {
            return new LoopReport(declaration.name(), declaration.set().name(), parameters, runs, nanoseconds * 1e-9,
                    preparation * 1e-9, usefulBytes(), new LoopStatistics(0, 0, 0, 0, 1, 0),
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
        runs = 0;
        otherRuns = 0;
        otherSeconds = 0;
        if (trials != null) {
            trials.resetTimes();
        } else if (prepared != null) {
            prepared.resetTimes();
        }
        nanoseconds = 0;
    }

    void release() {
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
