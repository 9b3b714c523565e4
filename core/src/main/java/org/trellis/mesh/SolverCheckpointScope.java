package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;

/**
 * What a solver with a mesh of its own does with vectors of a mesh with checkpoints. As long as this is open, each run
 * of a sequence of the solver's mesh is a step of that mesh, and so is what {@link #run} is given: a program that
 * starts again leaves them out, and gets what the solver asks for from the log, as with loops. For other vectors this
 * does what it is asked, and nothing else.
 */
public final class SolverCheckpointScope implements AutoCloseable {
    private final Mesh own;
    private final Passage passage;
    private final Dat right;
    private final Dat solution;
    private final DenseVector b;
    private final DenseVector x;

    private SolverCheckpointScope(Mesh own, Passage passage, DenseVector b, DenseVector x) {
        this.own = own;
        this.passage = passage;
        this.right = b instanceof CheckpointedVector seen ? seen.dat() : null;
        this.solution = x instanceof CheckpointedVector seen ? seen.dat() : null;
        this.b = b instanceof CheckpointedVector seen ? seen.values() : b;
        this.x = x instanceof CheckpointedVector seen ? seen.values() : x;
    }

    /**
     * Begins to solve a system.
     *
     * @param method  the method, for messages
     * @param follows whether all that the method does is sequences of its mesh, looks at its scalars, and what it
     *                reports here
     * @param own     the mesh of the solver
     * @param b       the right-hand side
     * @param x       the solution
     * @return the steps, which the caller closes when the system has been solved
     * @throws IllegalStateException if checkpoints cannot follow: only one of the vectors is a dat's of their mesh,
     *                               both are of different meshes, or the method does what they do not see
     */
    @MustBeClosed
    public static SolverCheckpointScope of(String method, boolean follows, Mesh own, DenseVector b, DenseVector x) {
        if (!(b instanceof CheckpointedVector) && !(x instanceof CheckpointedVector)) {
            return new SolverCheckpointScope(own, Passage.FREE, b, x);
        }
        Mesh host = (b instanceof CheckpointedVector seen ? seen : (CheckpointedVector) x).dat().set().mesh();
        if (!(b instanceof CheckpointedVector right) || !(x instanceof CheckpointedVector solution)
                || right.dat().set().mesh() != host || solution.dat().set().mesh() != host) {
            throw new IllegalStateException(method + " with b, " + b + ", and x, " + x + ", of which one belongs to a "
                    + "mesh with checkpoints, expected two vectors of dats of that mesh");
        }
        if (!follows) {
            throw new IllegalStateException(method + " with vectors of a mesh with checkpoints, which cannot follow "
                    + "it; expected cg, fcg, minres, bicgstab, chebyshev or richardson");
        }
        Passage passage = host.running().passage();
        passage.admit(own, method);
        own.running().admit(passage);
        return new SolverCheckpointScope(own, passage, b, x);
    }

    /**
     * Says whether a mesh with checkpoints sees what the solver does.
     *
     * @return false for vectors of other origin
     */
    public boolean isSeen() {
        return !passage.isFree();
    }

    /**
     * Returns the right-hand side.
     *
     * @return the vector to compute with
     */
    public DenseVector b() {
        return b;
    }

    /**
     * Returns the solution.
     *
     * @return the vector to compute with
     */
    public DenseVector x() {
        return x;
    }

    /**
     * Does something with vectors, unless the program has started again and is not yet where it was.
     *
     * @param what the same for the same work
     * @param work computes
     * @param data what it touches of the solver's mesh; with {@link #ofRight} and {@link #ofSolution} what of b and x
     */
    public void run(String what, Runnable work, StepData... data) {
        if (passage.isFree()) {
            work.run();
        } else if (passage.enter(new WorkStep(what, work::run, List.of(data)))) {
            try {
                work.run();
            } finally {
                passage.leave();
            }
        }
    }

    /**
     * Does what is to be done last, also after a failure, which then is what is to be thrown.
     *
     * @param failure of what was done before, or null
     * @param work    what is to be done
     */
    public void lastly(RuntimeException failure, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
    }

    /**
     * Says what a step does with the right-hand side.
     *
     * @param access what
     * @return for {@link #run}; of no meaning for vectors of other origin
     */
    public StepData ofRight(Access access) {
        return new StepData(right == null ? b : right, access);
    }

    /**
     * Says what a step does with the solution.
     *
     * @param access what
     * @return for {@link #run}; of no meaning for vectors of other origin
     */
    public StepData ofSolution(Access access) {
        return new StepData(solution == null ? x : solution, access);
    }

    /**
     * Asks for a number that has to be computed from vectors.
     *
     * @param what  the same for the same number
     * @param value computes it
     * @param data  what it is computed from, as for {@link #run}
     * @return the number, or that of the run before as long as a program that has started again is not where it was
     */
    public double number(String what, DoubleSupplier value, StepData... data) {
        return passage.isFree()
                ? value.getAsDouble()
                : passage.number(what, value, Arrays.stream(data).map(each -> (Dat) each.data()).toList());
    }

    /**
     * Names a preconditioner, so that another one is noticed when a program starts again.
     *
     * @param preconditioner the preconditioner, or null
     * @return what it says of itself, without what another run would say otherwise
     */
    public static String name(Object preconditioner) {
        return preconditioner == null
                ? "none"
                : preconditioner.toString().equals(Objects.toIdentityString(preconditioner))
                        ? "of one's own"
                        : preconditioner.toString();
    }

    /** Ends the steps: what the solver's mesh has is of no use any more. */
    @Override
    public void close() {
        if (!passage.isFree()) {
            own.running().dismiss();
            passage.dismiss(own);
        }
    }

    @Override
    public String toString() {
        return "steps of a solver with " + Arrays.asList(b, x);
    }
}
