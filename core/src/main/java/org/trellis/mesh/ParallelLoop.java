package org.trellis.mesh;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.trellis.common.UnsupportedKernelException;

/**
 * A kernel that runs on every element of a set. Checked when it is declared; prepared (plan, code) at the first run, or
 * when {@link #prepare} is called; afterwards {@link #run} allocates nothing. A change of layout or numbering makes the
 * next run prepare anew.
 */
public final class ParallelLoop {
    private final Mesh mesh;
    private final LoopDeclaration declaration;
    private LoopParameters parameters;
    private boolean proposed;
    private PreparedLoop prepared;
    private int structure;
    private long runs;
    private long nanoseconds;
    private long preparation;
    private long usefulBytes = -1;

    ParallelLoop(Mesh mesh, LoopDeclaration declaration, LoopParameters parameters) {
        this.mesh = mesh;
        this.declaration = declaration;
        this.parameters = checked(parameters);
        this.proposed = parameters.equals(mesh.kernels().rule(declaration));
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
     * @return the parameters
     */
    public LoopParameters parameters() {
        return parameters;
    }

    /**
     * Changes how the loop is run. The next run prepares it anew.
     *
     * @param wanted the parameters
     * @return this loop
     * @throws UnsupportedKernelException if the backend cannot run it so; says why
     */
    public ParallelLoop parameters(LoopParameters wanted) {
        parameters = checked(wanted);
        proposed = false;
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
            long start = System.nanoTime();
            release();
            structure = mesh.structure();
            if (proposed) {
                parameters = mesh.kernels().refine(declaration, mesh.kernels().rule(declaration));
            }
            prepared = mesh.kernels().prepare(declaration, parameters);
            preparation += System.nanoTime() - start;
        }
        return this;
    }

    /**
     * Runs the kernel on every element of the set, each once, in an order that nobody may rely on.
     *
     * @throws IllegalStateException if the mesh is closed
     */
    public void run() {
        if (prepared == null || structure != mesh.structure()) {
            prepare();
        }
        long start = System.nanoTime();
        prepared.run();
        nanoseconds += System.nanoTime() - start;
        runs++;
    }

    /** Returns the prepared loop, or null if the next run would prepare it. */
    PreparedLoop current() {
        return prepared != null && structure == mesh.structure() ? prepared : null;
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
        return device.isPresent() ? device.getAsDouble() * runs : nanoseconds * 1e-9;
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
        if (prepared != null) {
            prepared.resetTimes();
        }
        nanoseconds = 0;
    }

    void release() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    @Override
    public String toString() {
        return declaration + " as " + parameters;
    }
}
