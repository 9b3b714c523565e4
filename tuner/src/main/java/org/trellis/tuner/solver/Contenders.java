package org.trellis.tuner.solver;

import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.solve.LinearSolver;
import org.trellis.sparse.LinearOperator;

/** Prepares the solvers that contend for a system. */
interface Contenders extends AutoCloseable {
    /** Where vectors are. */
    Backend backend();

    /** The number of rows, and of columns. */
    default int rows() {
        return operator().rows();
    }

    /** The precision of vectors. */
    default Precision precision() {
        return operator().precision();
    }

    /** Says whether vectors are whole ones in the memory of this process. */
    default boolean isAlone() {
        return false;
    }

    /** Says whether they are whole vectors in the memory of a device, so that each look at one waits for it. */
    default boolean isOnDevice() {
        return false;
    }

    /** What a product may take, before one was measured; 0 where nothing is known. */
    default double productSeconds() {
        return 0;
    }

    /** What has run in this process; decisions of several ranks must not depend on it. */
    default ColdCode code() {
        return ColdCode.none();
    }

    /** Says whether a choice iterates on one thread and plain arrays. */
    default boolean isPlain(SolverChoice choice) {
        return false;
    }

    /** The operator with the values of now. */
    LinearOperator operator();

    /** Computes {@code y = y - A x}. */
    default void subtractProduct(DenseVector x, DenseVector y) {
        operator().apply(-1, x, 1, y);
    }

    /** The choices that suit the system. */
    SolverSpace space();

    /**
     * Prepares a choice for the values of now. What cannot be prepared is thrown on all ranks alike.
     *
     * @param seconds what a factorisation may take
     */
    LinearSolver prepare(SolverChoice choice, double seconds);

    /** Gives a solver the values of now for less than a new one costs; false if nothing was done. */
    boolean refresh(SolverChoice choice, LinearSolver solver);

    /** Says whether a solver that was prepared for other values solves with those of now. */
    boolean canKeep(SolverChoice choice);

    @Override
    void close();
}
