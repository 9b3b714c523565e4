package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.eigen.Lanczos;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** Preconditioners that need no more of a matrix than its product and its diagonal. */
public final class FormPreconditioners {
    private static final String LARGEST = "lambda-max";
    private static final int STEPS = 12;
    private static final double LOOSE = 0.01;
    /** Few steps find a little less than the largest eigenvalue. */
    private static final double SAFETY = 1.1;

    private FormPreconditioners() {}

    /**
     * Takes the diagonal of an operator.
     *
     * @param operator an operator that knows its diagonal
     * @param backend  where it is applied
     * @return Jacobi's preconditioner, which the caller closes
     * @throws IllegalArgumentException if the operator does not know its diagonal, or an element has no inverse
     */
    @MustBeClosed
    public static JacobiPreconditioner jacobi(LinearOperator operator, Backend backend) {
        return JacobiPreconditioner.of(diagonal(operator), backend);
    }

    /**
     * Makes a Chebyshev smoother of an operator without a matrix. The largest eigenvalue of D⁻¹A is estimated by some
     * products unless the options give it.
     *
     * @param operator a symmetric operator that knows its diagonal; not closed with the smoother
     * @param options  those of {@code chebyshev}
     * @param backend  where it is applied
     * @return the smoother, which the caller closes
     * @throws IllegalArgumentException if the operator does not know its diagonal, or an option is unknown
     */
    public static Smoother chebyshev(LinearOperator operator, Map<String, String> options, Backend backend) {
        CsrMatrix diagonal = diagonal(operator);
        Map<String, String> all = new HashMap<>(options);
        if (!options.containsKey(LARGEST)) {
            all.put(LARGEST, Double.toString(SAFETY * largest(operator, diagonal.diagonal(), backend)));
        }
        return Preconditioners.smoother("chebyshev", diagonal, operator, backend, all);
    }

    private static double largest(LinearOperator operator, HostVector diagonal, Backend backend) {
        int n = operator.rows();
        double[] roots = new double[n];
        Arrays.setAll(roots, row -> 1 / Math.sqrt(diagonal.get(row)));
        try (DenseVector in = backend.vector(operator.precision(), n);
                DenseVector out = backend.vector(operator.precision(), n)) {
            HostVector copy = HostVector.zeros(operator.precision(), n);
            Lanczos.Operator scaled = x -> {
                for (int row = 0; row < n; row++) {
                    copy.set(row, roots[row] * x[row]);
                }
                in.copyFrom(copy);
                operator.apply(in, out);
                out.copyTo(copy);
                double[] y = new double[n];
                Arrays.setAll(y, row -> roots[row] * copy.get(row));
                return y;
            };
            return Lanczos.largest(scaled, n, 1, new Lanczos.Settings(STEPS, LOOSE, STEPS)).values()[0];
        }
    }

    /** Returns the diagonal of an operator as a matrix. */
    static CsrMatrix diagonal(LinearOperator operator) {
        HostVector values = operator.diagonal().orElseThrow(() -> new IllegalArgumentException(
                operator + " does not know its diagonal, expected one that does"));
        int n = values.length();
        int[] offsets = IntStream.rangeClosed(0, n).toArray();
        int[] columns = IntStream.range(0, n).map(IntUnaryOperator.identity()).toArray();
        return CsrMatrix.of(n, n, offsets, columns, values);
    }
}
