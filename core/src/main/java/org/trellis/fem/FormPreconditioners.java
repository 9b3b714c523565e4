package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.memory.HostVector;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** Preconditioners that need no more of a matrix than its product and its diagonal. */
public final class FormPreconditioners {
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
     * Makes a Chebyshev smoother of an operator without a matrix.
     *
     * @param operator a symmetric operator that knows its diagonal; not closed with the smoother
     * @param options  those of {@code chebyshev}
     * @param backend  where it is applied
     * @return the smoother, which the caller closes
     * @throws IllegalArgumentException if the operator does not know its diagonal, or an option is unknown
     */
    public static Smoother chebyshev(LinearOperator operator, Map<String, String> options, Backend backend) {
        return Preconditioners.smoother("chebyshev", diagonal(operator), operator, backend, options);
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
