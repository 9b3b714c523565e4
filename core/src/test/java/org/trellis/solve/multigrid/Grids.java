package org.trellis.solve.multigrid;

import java.util.function.IntToDoubleFunction;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.KroneckerProduct;

/** Matrices of grids for tests: Laplacians, interpolation, elements made by hand. */
final class Grids {
    private Grids() {}

    /** The matrix (−1, 2, −1). */
    static CsrMatrix line(int n) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 3L * n);
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 2);
            if (i < n - 1) {
                builder.add(i + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** The five-point stencil on n × n points, unscaled. */
    static CsrMatrix square(int n) {
        CsrMatrix identity = CsrMatrix.identity(n, Precision.F64);
        return KroneckerProduct.of(identity, line(n)).plus(KroneckerProduct.of(line(n), identity));
    }

    /** The seven-point stencil on n × n × n points, unscaled. */
    static CsrMatrix cube(int n) {
        CsrMatrix identity = CsrMatrix.identity(n, Precision.F64);
        return KroneckerProduct.of(identity, square(n))
                .plus(KroneckerProduct.of(line(n), CsrMatrix.identity(n * n, Precision.F64)));
    }

    /** Linear interpolation from n to 2 n + 1 points of a line. */
    static CsrMatrix interpolation(int n) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 4L * n);
        for (int i = 0; i < 2 * n + 1; i++) {
            if (i % 2 == 1) {
                builder.add(i / 2, 1);
            } else {
                if (i > 0) {
                    builder.add(i / 2 - 1, 0.5);
                }
                if (i < 2 * n) {
                    builder.add(i / 2, 0.5);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** The matrix (−1, 2, −1) with free ends, whose null space are the constants. */
    static CsrMatrix freeLine(int n) {
        return line(n).mapValues((i, j, value) -> i == j && (i == 0 || i == n - 1) ? 1 : value);
    }

    static HostVector vector(Precision precision, int length, IntToDoubleFunction function) {
        return HostVector.of(precision, length, function);
    }
}
