package org.trellis.solve.multigrid;

import java.util.List;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;

/** How the bottom level of a cycle is solved. */
interface LowestSolution {
    /**
     * Binds the solution, or an improvement of an iterate.
     *
     * @param b        the right-hand side
     * @param x        overwritten
     * @param fromZero whether the old iterate is not read
     * @return steps that the caller closes
     */
    List<PreparedStep> bind(DenseVector b, DenseVector x, boolean fromZero);

    /** Says whether a second run would do the same again. */
    boolean solvesOnce();

    /** Says whether the operation is symmetric if the matrix is. */
    boolean symmetric();

    /** Returns the bytes of what is stored for it. */
    long bytes();

    /**
     * What is given, such as multigrid of other levels; not closed here.
     *
     * @param smoother approximates the solution
     */
    record Given(Smoother smoother) implements LowestSolution {
        @Override
        public List<PreparedStep> bind(DenseVector b, DenseVector x, boolean fromZero) {
            return fromZero
                    ? smoother.bindApplication(b, x)
                    : smoother.bindSweep(b, x, SweepDirection.SYMMETRIC);
        }

        @Override
        public boolean solvesOnce() {
            return false;
        }

        @Override
        public boolean symmetric() {
            return smoother.symmetric();
        }

        @Override
        public long bytes() {
            return smoother.storedBytes();
        }

        @Override
        public String toString() {
            return smoother.describe();
        }
    }
}
