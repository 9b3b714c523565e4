package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.eigen.Lanczos;
import org.trellis.solve.krylov.EigenvalueBounds;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** Preconditioners that need no more of a matrix than its product and its diagonal. */
public final class FormPreconditioners {
    private static final String LARGEST = "lambda-max";
    private static final int STEPS = 12;
    private static final double LOOSE = 0.01;
    /** Few steps find a little less than the largest eigenvalue. */
    private static final double SAFETY = 1.1;
    /** The same of conjugate gradients, whose bound is a twentieth larger already. */
    private static final double FURTHER = 1.05;

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
     * steps of conjugate gradients unless the options give it.
     *
     * @param operator a symmetric operator that knows its diagonal; not closed with the smoother
     * @param options  those of {@code chebyshev}
     * @param backend  where it is applied
     * @return the smoother, which the caller closes
     * @throws IllegalArgumentException if the operator does not know its diagonal, or an option is unknown
     */
    public static Smoother chebyshev(LinearOperator operator, Map<String, String> options, Backend backend) {
        if (operator instanceof DeviceOperator there) {
            return chebyshevThere(there, options, backend);
        }
        CsrMatrix diagonal = diagonal(operator);
        Map<String, String> all = new HashMap<>(options);
        if (!options.containsKey(LARGEST)) {
            try (JacobiPreconditioner jacobi = JacobiPreconditioner.of(diagonal, backend)) {
                EigenvalueBounds bounds = EigenvalueBounds.of(operator, jacobi, backend, STEPS);
                all.put(LARGEST, Double.toString(FURTHER * bounds.upper()));
            }
        }
        return Preconditioners.smoother("chebyshev", diagonal, operator, backend, all);
    }

    /** The same of an operator whose diagonal need not come to the host. */
    private static Smoother chebyshevThere(DeviceOperator operator, Map<String, String> options, Backend backend) {
        Map<String, String> all = new HashMap<>(options);
        try (DenseVector elements = backend.vector(operator.precision(), operator.rows())) {
            operator.diagonal(elements);
            try (BackendMatrix diagonal = backend.kernels(MatrixAlgebra.class).diagonalMatrix(elements)) {
                if (!options.containsKey(LARGEST)) {
                    try (Smoother jacobi =
                            Preconditioners.smoother("jacobi", diagonal, operator, backend, Map.of(), true)) {
                        EigenvalueBounds bounds = EigenvalueBounds.of(operator, jacobi, backend, STEPS);
                        all.put(LARGEST, Double.toString(FURTHER * bounds.upper()));
                    }
                }
                return Preconditioners.smoother("chebyshev", diagonal, operator, backend, all, true);
            }
        }
    }

    /**
     * Takes the blocks of the fields of each node on the diagonal, of any storage.
     *
     * @param system  a system; not closed with the smoother
     * @param options {@code omega} and {@code sweeps} of {@code block-jacobi}
     * @param backend where it is applied
     * @return the smoother, which the caller closes
     * @throws IllegalArgumentException if an option is unknown, or a block has no inverse
     */
    public static Smoother blockJacobi(FormSystem system, Map<String, String> options, Backend backend) {
        return blockJacobi(system.diagonalBlocks(), system.blockSizes(), system.operator(), options, backend);
    }

    /**
     * Takes blocks of nodes on a diagonal.
     *
     * @param blocks   a matrix that has them
     * @param sizes    of the blocks, one after the other
     * @param operator whose blocks they are, not closed with the smoother; or null where only applications are needed
     * @param options  {@code omega} and {@code sweeps} of {@code block-jacobi}
     * @param backend  where it is applied
     * @return the smoother, which the caller closes
     * @throws IllegalArgumentException if an option is unknown, or a block has no inverse
     */
    public static Smoother blockJacobi(CsrMatrix blocks, int[] sizes, LinearOperator operator,
            Map<String, String> options, Backend backend) {
        Map<String, String> all = new HashMap<>(options);
        if (Arrays.stream(sizes).allMatch(size -> size == sizes[0])) {
            all.put("block-size", Integer.toString(sizes[0]));
        } else {
            all.put("block-sizes", Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        }
        return Preconditioners.smoother("block-jacobi", blocks, operator, backend, all);
    }

    /**
     * Estimates the largest eigenvalue of D⁻¹A for a Chebyshev polynomial: by some steps of Lanczos' method, and a
     * little more.
     *
     * @param scaled multiplies by D^(−1/2) A D^(−1/2)
     * @param rows   the length of vectors
     * @return what {@code lambda-max} is to be
     */
    public static double largestEigenvalue(Lanczos.Operator scaled, int rows) {
        return SAFETY * Lanczos.largest(scaled, rows, 1, new Lanczos.Settings(STEPS, LOOSE, STEPS)).values()[0];
    }

    /**
     * Says what algebraic coarsening is to keep: the rigid body motions of a form that they cost nothing, else
     * constants of each field.
     *
     * @param form        the form
     * @param constraints which of its unknowns are free
     * @return vectors over the free unknowns; empty for scalar forms, and where some fields of a node are free and
     *         others fixed, since coarsening then knows no nodes
     */
    public static Optional<NearNullSpace> nearNullSpace(BilinearForm form, Constraints constraints) {
        FunctionSpace space = constraints.space();
        int fields = form.fields();
        int dimension = space.mesh().dimension();
        if (fields == 1) {
            return Optional.empty();
        }
        double[] free = new double[space.nodes() * dimension];
        int count = 0;
        for (int node = 0; node < space.nodes(); node++) {
            int fixed = 0;
            for (int a = 0; a < fields; a++) {
                fixed += constraints.isFixed(node * fields + a) ? 1 : 0;
            }
            if (fixed > 0 && fixed < fields) {
                return Optional.empty();
            }
            if (fixed == 0) {
                System.arraycopy(space.coordinates(), node * dimension, free, count++ * dimension, dimension);
            }
        }
        if (count == 0) {
            return Optional.empty();
        }
        return Optional.of(form.hasRigidMotions(dimension)
                ? NearNullSpace.rigidBody(Arrays.copyOf(free, count * dimension), dimension)
                : NearNullSpace.constants(count * fields, fields));
    }

    /** Returns the diagonal of an operator as a matrix. */
    static CsrMatrix diagonal(LinearOperator operator) {
        HostVector values = operator.diagonal().orElseThrow(() -> new IllegalArgumentException(
                operator + " does not know its diagonal, expected one that does"));
        int n = values.length();
        int[] offsets = new int[n + 1];
        Arrays.parallelSetAll(offsets, IntUnaryOperator.identity());
        int[] columns = Arrays.copyOf(offsets, n);
        return CsrMatrix.of(n, n, offsets, columns, values);
    }
}
