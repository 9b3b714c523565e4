package org.trellis.examples;

import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/** Runs one product in every way that every backend offers, and marks the way that the rule would take. */
public final class E03ChooseParameters {
    private static final int REPETITIONS = 20;

    private E03ChooseParameters() {}

    /**
     * Runs the example.
     *
     * @param arguments a specification of a generated matrix; poisson2d:nx=300,ny=300 if there is none
     */
    public static void main(String[] arguments) {
        String spec = arguments.length > 0 ? arguments[0] : "poisson2d:nx=300,ny=300";
        CsrMatrix matrix = MatrixSpec.parse(spec).generate(Precision.F64, ProgressListener.NONE);
        System.out.println(matrix);
        for (BackendProvider provider : Backends.providers()) {
            if (!provider.probe().available()) {
                System.out.println(provider.name() + ": not available, " + provider.probe().reason());
                continue;
            }
            try (Backend backend = provider.open(Configuration.load())) {
                tryEverything(backend, matrix);
            }
        }
    }

    private static void tryEverything(Backend backend, CsrMatrix matrix) {
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        SpmvParameters rule = kernels.rule(matrix);
        for (SpmvParameters parameters : kernels.parameterSpace(matrix)) {
            try (SpmvOperator product = kernels.prepare(matrix, parameters)) {
                System.out.printf(Locale.ROOT, "%-10s %8.3f ms %8.1f MB  %s%s%n", backend.name(),
                        fastest(backend, product) * 1e3, product.preparedBytes() / 1e6, parameters,
                        parameters.equals(rule) ? "  <- rule" : "");
            }
        }
    }

    private static double fastest(Backend backend, SpmvOperator product) {
        try (DenseVector x = backend.vector(Precision.F64, product.matrix().columns());
                DenseVector y = backend.vector(Precision.F64, product.matrix().rows())) {
            x.copyFrom(HostVector.zeros(Precision.F64, x.length()).fill(1));
            double seconds = Double.POSITIVE_INFINITY;
            HostVector result = HostVector.zeros(Precision.F64, y.length());
            for (int i = 0; i < REPETITIONS; i++) {
                long start = System.nanoTime();
                product.multiply(x, y);
                y.copyTo(result); // waits for devices that work asynchronously; the harness times them properly
                seconds = Math.min(seconds, (System.nanoTime() - start) * 1e-9);
            }
            return seconds;
        }
    }
}
