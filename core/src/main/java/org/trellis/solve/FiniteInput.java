package org.trellis.solve;

import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SparseMatrix;

/** Refuses infinities and NaN in what a solver is given, and measures it on the way, for those who write methods. */
public final class FiniteInput {
    private FiniteInput() {}

    /**
     * Finds the largest magnitude of an entry. Costs a pass over the matrix on the host.
     *
     * @param operation what is to be done, for the message
     * @param matrix    the matrix
     * @return the magnitude, 0 without entries
     * @throws IllegalArgumentException if an entry is not finite; names the first
     */
    public static double largestEntry(String operation, SparseMatrix matrix) {
        if (matrix instanceof CsrMatrix csr) {
            double largest = largestMagnitude(csr);
            if (largest < Double.POSITIVE_INFINITY) {
                return largest;
            }
        }
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
     * Returns the greatest magnitude, infinite or NaN if one is not finite. Most values need two comparisons, since
     * this is among the first that a solver does, when the JVM has hardly compiled anything. On several threads such
     * code, which counts its branches, takes longer than on one.
     */
    private static double largestMagnitude(CsrMatrix matrix) {
        double largest = 0;
        for (CsrSegment segment : matrix.segments()) {
            HostVector values = segment.values();
            double[] doubles = values.precision() == Precision.F64 ? values.doubleStorage() : null;
            float[] floats = doubles == null ? values.floatStorage() : null;
            int end = values.offset() + segment.nonZeros();
            for (int k = values.offset(); k < end; k++) {
                double value = doubles != null ? doubles[k] : floats[k];
                if (!(value <= largest && value >= -largest)) {
                    largest = Math.max(largest, Math.abs(value));
                }
            }
        }
        return largest;
    }

    /**
     * Refuses what is not a number.
     *
     * @param what the vector, for the message
     * @param v    its elements
     * @throws IllegalArgumentException if an element is not finite; names the first
     */
    public static void require(String what, double... v) {
        for (int row = 0; row < v.length; row++) {
            if (!Double.isFinite(v[row])) {
                throw new IllegalArgumentException(what + ": row " + row + " is " + v[row]
                        + ", expected a finite number");
            }
        }
    }

    /**
     * Computes {@code ‖v‖₂}.
     *
     * @param what       the vector, for the message
     * @param v          the vector
     * @param arithmetic of its backend
     * @return the norm; infinite if it exceeds the largest number
     * @throws IllegalArgumentException if an element is not finite; names the first
     */
    public static double norm(String what, DenseVector v, VectorArithmetic arithmetic) {
        double norm = arithmetic.norm(v);
        if (!Double.isFinite(norm)) {
            HostVector copy = HostVector.zeros(v.precision(), v.length());
            v.copyTo(copy);
            require(what, copy.toDoubleArray());
        }
        return norm;
    }

    /**
     * Computes the norm of a right-hand side.
     *
     * @param b          the right-hand side
     * @param arithmetic of its backend
     * @return {@code ‖b‖₂}
     * @throws IllegalArgumentException if an element is not finite (names the first) or the norm exceeds the largest
     *                                  number
     */
    public static double rightHandSide(DenseVector b, VectorArithmetic arithmetic) {
        double norm = norm("right-hand side", b, arithmetic);
        if (norm == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("right-hand side: its norm is more than " + Double.MAX_VALUE
                    + ", expected a norm that is a number; scale the system");
        }
        return norm;
    }
}
