package org.trellis.solve.eigen;

import java.util.function.UnaryOperator;
import org.trellis.backend.Backend;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.Operators;

/** Solutions on the host as an operator on a backend's vectors, which are copied there and back. */
final class HostSolve {
    private HostSolve() {}

    /**
     * Makes the operator.
     *
     * @param space   of right-hand sides and solutions
     * @param backend of the vectors
     * @param solve   overwrites an array with the solution, and returns it
     * @return an operator that owns nothing
     */
    static LinearOperator of(VectorSpace space, Backend backend, UnaryOperator<double[]> solve) {
        HostVector copy = HostVector.zeros(space.precision(), space.length());
        return Operators.on(backend).of(space, space, (alpha, x, beta, y) -> {
            x.copyTo(copy);
            double[] b = copy.toDoubleArray();
            double[] found = solve.apply(b);
            if (beta != 0) {
                y.copyTo(copy);
            }
            for (int i = 0; i < found.length; i++) {
                copy.set(i, alpha * found[i] + (beta == 0 ? 0 : beta * copy.get(i)));
            }
            y.copyFrom(copy);
        });
    }
}
