package org.trellis.solve;

import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.SparseMatrix;

/** Refuses infinities and NaN in what a solver is given, and measures it on the way. */
final class FiniteInput {
    private FiniteInput() {}

    /**
     * Finds the largest magnitude of an entry. Costs a pass over the matrix on the host.
     *
     * @throws IllegalArgumentException if an entry is not finite; names the first
     */
    static double largestEntry(String operation, SparseMatrix matrix) {
        double[] largest = {0};
        matrix.forEachEntry((row, column, value) -> {
            double magnitude = Math.abs(value);
            if (!(magnitude < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(operation + " with " + matrix + ": the entry in row " + row
                        + ", column " + column + " is " + value + ", expected a finite number");
            }
            largest[0] = Math.max(largest[0], magnitude);
        });
        return largest[0];
    }

    /**
     * Computes {@code ‖v‖₂}.
     *
     * @throws IllegalArgumentException if an element is not finite; names the first
     */
    static double norm(String what, DenseVector v, VectorNorm norms) {
        double norm = norms.of(v);
        if (!Double.isFinite(norm)) {
            HostVector copy = HostVector.zeros(v.precision(), v.length());
            v.copyTo(copy);
            for (int row = 0; row < copy.length(); row++) {
                if (!Double.isFinite(copy.get(row))) {
                    throw new IllegalArgumentException(what + ": row " + row + " is " + copy.get(row)
                            + ", expected a finite number");
                }
            }
        }
        return norm;
    }
}
