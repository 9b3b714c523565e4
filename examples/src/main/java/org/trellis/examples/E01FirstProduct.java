package org.trellis.examples;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Multiplies a matrix of two rows with a vector, on the threads of this machine. */
public final class E01FirstProduct {
    private E01FirstProduct() {}

    /**
     * Runs the example.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        // | 1 0 2 |
        // | 0 3 4 |
        CsrMatrix matrix = CsrMatrix.of(2, 3, new int[]{0, 2, 4}, new int[]{0, 2, 1, 2}, new double[]{1, 2, 3, 4});
        HostVector x = HostVector.of(1.0, 10, 100);
        HostVector y = HostVector.of(new double[2]);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
            product.multiply(x, y);
            System.out.println("y = (" + y.get(0) + ", " + y.get(1) + ")");
        }
    }
}
