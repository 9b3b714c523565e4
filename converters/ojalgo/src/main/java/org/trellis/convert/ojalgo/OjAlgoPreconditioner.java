package org.trellis.convert.ojalgo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ojalgo.equation.Equation;
import org.ojalgo.matrix.store.PhysicalStore;
import org.ojalgo.matrix.task.iterative.Preconditioner;
import org.ojalgo.structure.Access1D;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * A preconditioner of Trellis for ojAlgo's iterative solvers: {@code
 * solver.configurator().preconditioner(new OjAlgoPreconditioner("amg", Map.of()))}.
 */
public final class OjAlgoPreconditioner implements Preconditioner, AutoCloseable {
    private final String name;
    private final Map<String, String> options;
    private final Backend backend;
    private SpmvOperator product;
    private org.trellis.solve.Preconditioner made;

    /**
     * Chooses a preconditioner.
     *
     * @param name    one of {@link NamedPreconditioners#names} but {@code none}
     * @param options its options, perhaps none
     * @throws IllegalArgumentException if a name is unknown, or it is {@code none}; lists what there is
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    public OjAlgoPreconditioner(String name, Map<String, String> options) {
        NamedPreconditioners.check(name, options);
        if (name.equals("none") || !NamedPreconditioners.names().contains(name)) {
            throw new IllegalArgumentException(
                    "preconditioner " + name + ", expected one of " + NamedPreconditioners.names()
                            + " but none; ojAlgo's is newIdentity()");
        }
        this.name = name;
        this.options = Map.copyOf(options);
        this.backend = Backends.open("cpu", Configuration.load());
    }

    /**
     * Makes the preconditioner of a system.
     *
     * @param equations a row of the matrix each, in any order
     * @param size      the number of unknowns
     * @throws IllegalArgumentException if the matrix does not suit the preconditioner; says why
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     */
    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void prepare(List<Equation> equations, int size) {
        release();
        CsrMatrix matrix = matrix(equations, size);
        product = backend.kernels(SparseKernels.class).prepare(matrix);
        made = NamedPreconditioners.of(name, matrix, product, backend, options).orElseThrow();
    }

    private static CsrMatrix matrix(List<Equation> equations, int size) {
        List<int[]> places = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Equation equation : equations) {
            equation.nonzeros().forEach(element -> {
                places.add(new int[]{equation.index, (int) element.index()});
                values.add(element.doubleValue());
            });
        }
        int[] rows = places.stream().mapToInt(place -> place[0]).toArray();
        int[] columns = places.stream().mapToInt(place -> place[1]).toArray();
        HostVector elements = HostVector.of(Precision.F64, rows.length, values::get);
        return CooMatrix.of(size, size, rows, columns, elements).toCsr();
    }

    @Override
    public void apply(Access1D<Double> source, PhysicalStore<Double> destination) {
        if (made == null) {
            throw new IllegalStateException("preconditioner " + name + " is applied without a matrix, expected "
                    + "prepare() before");
        }
        double[] result = ArrayOperator.multiply(made, source.toRawCopy1D());
        for (int i = 0; i < result.length; i++) {
            destination.set(i, result[i]);
        }
    }

    /**
     * Applies the transpose, where the preconditioner is symmetric.
     *
     * @throws UnsupportedOperationException if it is not
     */
    @Override
    public void applyTranspose(Access1D<Double> source, PhysicalStore<Double> destination) {
        if (made != null && !made.symmetric()) {
            throw new UnsupportedOperationException(made + " is applied transposed, expected a symmetric one");
        }
        apply(source, destination);
    }

    private void release() {
        if (made != null) {
            made.close();
            made = null;
        }
        if (product != null) {
            product.close();
            product = null;
        }
    }

    /** Releases the preconditioner and its backend. Idempotent. */
    @Override
    public void close() {
        release();
        backend.close();
    }
}
