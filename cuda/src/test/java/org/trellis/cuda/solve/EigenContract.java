package org.trellis.cuda.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.eigen.EigenPairs;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;

/** Eigenvalues of the Laplacian of a rectangle, which are known, on a device. */
abstract class EigenContract {
    private static final int WIDTH = 11;
    private static final int HEIGHT = 9;
    private static final int COUNT = 4;

    /** Opens the device, or skips the test. */
    @MustBeClosed
    protected abstract Backend open();

    private static CsrMatrix line(int n, Precision precision) {
        CsrBuilder builder = new CsrBuilder(n, precision, 3L * n);
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 2);
            if (i + 1 < n) {
                builder.add(i + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static CsrMatrix rectangle(Precision precision) {
        return KroneckerProduct.of(line(WIDTH, precision), CsrMatrix.identity(HEIGHT, precision))
                .plus(KroneckerProduct.of(CsrMatrix.identity(WIDTH, precision), line(HEIGHT, precision)));
    }

    private static double[] known() {
        double[] all = new double[WIDTH * HEIGHT];
        for (int i = 0; i < WIDTH; i++) {
            for (int j = 0; j < HEIGHT; j++) {
                all[i * HEIGHT + j] = 4 - 2 * Math.cos((i + 1) * Math.PI / (WIDTH + 1))
                        - 2 * Math.cos((j + 1) * Math.PI / (HEIGHT + 1));
            }
        }
        Arrays.sort(all);
        return all;
    }

    private static void require(Eigenvalues search, Precision precision, Backend backend) {
        EigenPairs found = search.find();
        assertEquals(COUNT, found.converged(), () -> backend.name() + ", " + precision + ": " + found);
        assertArrayEquals(Arrays.copyOf(known(), COUNT), found.values(), precision == Precision.F32 ? 1e-4 : 1e-9,
                () -> backend.name() + ", " + precision + ": " + found);
    }

    /** Searches by Lanczos, in double precision. */
    final void requireLanczos() {
        try (Backend backend = open();
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(rectangle(Precision.F64))) {
            require(Eigenvalues.of(product, backend).count(COUNT).smallest(), Precision.F64, backend);
        }
    }

    /** Searches by Lanczos, with a factorisation and without, and by LOBPCG with a preconditioner and without. */
    final void requireKnown(String preconditioner) {
        try (Backend backend = open()) {
            for (Precision precision : Precision.values()) {
                CsrMatrix a = rectangle(precision);
                try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                        Preconditioner approximate = NamedPreconditioners.of(preconditioner, a, product, backend,
                                Map.of()).orElseThrow()) {
                    require(Eigenvalues.of(product, backend).count(COUNT).smallest(), precision, backend);
                    require(Eigenvalues.of(product, backend).count(COUNT).nearest(0), precision, backend);
                    require(Eigenvalues.of(product, backend).count(COUNT).smallest().lobpcg(), precision, backend);
                    require(Eigenvalues.of(product, backend).count(COUNT).smallest().preconditioner(approximate),
                            precision, backend);
                }
            }
        }
    }
}
