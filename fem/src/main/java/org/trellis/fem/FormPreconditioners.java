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
import org.trellis.solve.Preconditioner;
import org.trellis.solve.krylov.EigenvalueBounds;
import org.trellis.solve.multigrid.BackendProducts;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * Preconditioners of forms, most of which need no more of a matrix than its product and its diagonal. Over ranks they
 * are those of one rank where they do not depend on how unknowns are divided.
 */
public final class FormPreconditioners {
    private static final String LARGEST = "lambda-max";
    private static final int STEPS = 12;
    private static final String OF_ANY = "none, jacobi, block-jacobi, chebyshev";
    /** Few steps find a little less than the largest eigenvalue, and their bound is a twentieth larger already. */
    private static final double FURTHER = 1.05;

    private FormPreconditioners() {}

    /**
     * Makes a preconditioner by name: {@code none}; {@code jacobi}, {@code chebyshev} and {@code block-jacobi}, whose
     * blocks are the free fields of a node, of any storage; {@code ssor} by colours of storages without rows; and of
     * systems in compressed rows what {@link NamedPreconditioners} has, {@code amg} with the near null space of the
     * system. Over ranks, storages without rows have no {@code ssor}, and matrices what ranks have for matrices.
     *
     * @param name    the name
     * @param options options and their values
     * @param system  an assembled system, not closed with the preconditioner
     * @return the preconditioner of the values of now, which the caller closes before the system; empty for
     *         {@code none}
     * @throws IllegalArgumentException if the system does not have it; says what there is
     */
    public static Optional<Preconditioner> of(String name, Map<String, String> options, FormSystem system) {
        Backend backend = system.backend();
        boolean rows = system.hasRows();
        return switch (name) {
            case "none" -> Optional.empty();
            case "jacobi" -> options.isEmpty() || !rows
                    ? Optional.of(jacobi(system, options))
                    : named(name, options, system);
            case "chebyshev" -> Optional.of(chebyshev(system, options));
            case "block-jacobi" -> Optional.of(blockJacobi(system, options, backend));
            case "ssor" -> rows ? named(name, options, system) : Optional.of(ssor(system, options));
            default -> named(name, options, system);
        };
    }

    private static Optional<Preconditioner> named(String name, Map<String, String> options, FormSystem system) {
        if (!system.hasRows()) {
            throw new IllegalArgumentException("preconditioner " + name + " of " + system.operator()
                    + ", which has no compressed rows; expected storage csr or csr-search, or one of " + OF_ANY);
        }
        NearNullSpace space = system.nearNullSpace().orElse(null);
        if (system.share() != null) {
            return Optional.ofNullable(system.rows().orElseThrow().preconditioner(name, options, space));
        }
        CsrMatrix matrix = system.matrix().orElseThrow();
        Backend backend = system.backend();
        return name.equals(NamedPreconditioners.AMG)
                ? Optional.of(NamedPreconditioners.multigrid(matrix, options, space, backend,
                        new BackendProducts(backend)))
                : NamedPreconditioners.of(name, matrix, system.operator(), backend, options);
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it
    private static Preconditioner ssor(FormSystem system, Map<String, String> options) {
        requireNone("ssor", options);
        if (system.share() != null) {
            throw new IllegalArgumentException("ssor over ranks of " + system.operator() + ", whose colours no rank "
                    + "has as a whole; expected storage csr or csr-search, or one of " + OF_ANY);
        }
        return ColouredSsor.of(system, system.backend());
    }

    private static void requireNone(String name, Map<String, String> options) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("options " + options + " of preconditioner " + name
                    + " of a form, expected none");
        }
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it
    private static Preconditioner jacobi(FormSystem system, Map<String, String> options) {
        requireNone("jacobi", options);
        return jacobi(system.operator(), system.backend());
    }

    /**
     * Takes the diagonal of an operator. Collective where the backend is that of a rank.
     *
     * @param operator an operator that knows its diagonal
     * @param backend  where it is applied
     * @return Jacobi's preconditioner, which the caller closes
     * @throws IllegalArgumentException if the operator does not know its diagonal, or an element has no inverse
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static Preconditioner jacobi(LinearOperator operator, Backend backend) {
        JacobiPreconditioner own = JacobiPreconditioner.of(diagonal(operator), backend);
        return backend.optionalKernels(FormRanks.class).map(ranks -> ranks.diagonal(own)).orElse(own);
    }

    /**
     * Makes a Chebyshev smoother of a system. Over ranks it is that of one rank but for rounding.
     *
     * @param system  a symmetric system; not closed with the smoother
     * @param options those of {@code chebyshev}
     * @return the smoother, which the caller closes
     * @throws IllegalArgumentException if an option is unknown
     */
    public static Smoother chebyshev(FormSystem system, Map<String, String> options) {
        if (system.share() == null) {
            return chebyshev(system.operator(), options, system.backend());
        }
        FormRanks.Numbers numbers = system.share().numbers();
        HostVector whole = EigenvalueBounds.start(system.operator().precision(), numbers.total());
        HostVector start =
                HostVector.of(whole.precision(), numbers.owned(), k -> whole.get(numbers.numbers()[k]));
        return chebyshev(system.operator(), options, system.backend(), system.share().ranks().own(), start,
                numbers.total());
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
        return chebyshev(operator, options, backend, backend,
                EigenvalueBounds.start(operator.precision(), operator.rows()), operator.rows());
    }

    /** The same with a backend for sums and one for a rank's own, and what the search for eigenvalues begins with. */
    @SuppressWarnings("TooManyParameters")
    private static Smoother chebyshev(LinearOperator operator, Map<String, String> options, Backend backend,
            Backend own, HostVector start, int rows) {
        CsrMatrix diagonal = diagonal(operator);
        Map<String, String> all = new HashMap<>(options);
        if (!options.containsKey(LARGEST)) {
            try (JacobiPreconditioner jacobi = JacobiPreconditioner.of(diagonal, backend)) {
                EigenvalueBounds bounds = EigenvalueBounds.of(operator, jacobi, backend,
                        Math.min(STEPS, rows), start);
                all.put(LARGEST, Double.toString(FURTHER * bounds.upper()));
            }
        }
        return Preconditioners.smoother("chebyshev", diagonal, operator, own, all);
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
        int[] sizes = system.blockSizes();
        Map<String, String> all = new HashMap<>(options);
        if (Arrays.stream(sizes).allMatch(size -> size == sizes[0])) {
            all.put("block-size", Integer.toString(sizes.length == 0 ? 1 : sizes[0]));
        } else {
            all.put("block-sizes", Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        }
        return Preconditioners.smoother("block-jacobi", system.diagonalBlocks(), system.operator(),
                system.share() == null ? backend : system.share().ranks().own(), all);
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
