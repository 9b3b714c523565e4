package org.trellis.cuda.sparse;

import org.trellis.memory.DenseVector;
import org.trellis.sparse.SparseMatrix;

/** Checks of the operands of fused products. */
final class Operands {
    private Operands() {}

    static void check(String operation, SparseMatrix matrix, DenseVector x, DenseVector y) {
        requireLength(operation, "x", x, matrix.columns());
        requireLength(operation, "y", y, matrix.rows());
        if (y.precision() != matrix.precision()) {
            throw new IllegalArgumentException(operation + ": y has precision " + y.precision().label()
                    + ", expected that of the matrix, " + matrix.precision().label());
        }
        requireLikeness(operation, "x", x, y);
    }

    static void checkLike(String operation, String name, DenseVector other, DenseVector y) {
        requireLength(operation, name, other, y.length());
        requireLikeness(operation, name, other, y);
    }

    private static void requireLength(String operation, String name, DenseVector vector, int expected) {
        if (vector.length() != expected) {
            throw new IllegalArgumentException(
                    operation + ": " + name + " has " + vector.length() + " elements, expected " + expected);
        }
    }

    @SuppressWarnings("ReferenceEquality") // one object is what is asked about
    private static void requireLikeness(String operation, String name, DenseVector other, DenseVector y) {
        if (other == y) {
            throw new IllegalArgumentException(operation + ": y and " + name + " are one vector, expected two");
        }
        if (other.precision() != y.precision() || other.space() != y.space()) {
            throw new IllegalArgumentException(
                    operation + ": " + name + " is " + other + ", expected the precision and "
                            + "memory space of " + y);
        }
    }
}
