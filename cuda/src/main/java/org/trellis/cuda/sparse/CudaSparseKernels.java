package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/**
 * Sparse products on a CUDA device. All formats are multiplied from compressed rows, laid out as the parameters ask:
 * <ul>
 * <li>{@code csr}: the thesis's cooperative kernel (figure 4.12); with {@code indexBits=16} columns are compressed;
 * <li>{@code csr-balanced}: tiles of equal numbers of non-zeros; {@code rowsPerGroup} is the non-zeros of a thread;
 * <li>{@code csr-hot}: the same tiles, the elements of the most frequent columns in shared memory: for large graphs
 * with hubs;
 * <li>{@code sell}: SELL-C-σ for warps; C is {@code 32 / cooperatingThreads × rowsPerGroup}, and with {@code
 * sortingWindow > 1} long rows are cut into pieces; with {@code indexBits=16} columns are compressed;
 * <li>{@code sell-runs}: the same, with diagonals and runs of consecutive columns stored without columns for each
 * entry; stencils with constant coefficients are stored without values for each entry.
 * </ul>
 * All of them give the same bits each time. A {@link CudaMatrix} is laid out on the device as {@code csr}, {@code sell}
 * or, if it is a stencil with constant coefficients, {@code sell-runs}; other layouts of it are made on the host.
 * Operators of one matrix share a layout that suits both; the last layout is kept until another one is made, so that a
 * search through parameters that share it does not make it again each time.
 */
public final class CudaSparseKernels implements SparseKernels {
    private final CudaContext context;
    private final CudaAlgebra algebra;
    private final ResidentLayouts resident;
    private final Precision floatSums;
    private final boolean alwaysWideOffsets;
    private final CudaElementKernels elements;
    private MatrixView view;
    /** Those that operators use; the last one is kept for the next operator too. */
    private final List<KeptLayout> shared = new ArrayList<>();
    private KeptLayout kept;

    /**
     * Creates the kernels of a context; float rows are summed in float.
     *
     * @param context the context, which outlives this object
     */
    public CudaSparseKernels(CudaContext context) {
        this(context, new CudaAlgebra(context));
    }

    /**
     * Creates the kernels of a context; float rows are summed in float.
     *
     * @param context the context, which outlives this object
     * @param algebra the algebra of the same context, for matrices that are on the device
     */
    public CudaSparseKernels(CudaContext context, CudaAlgebra algebra) {
        this(context, algebra, Precision.F32, false);
    }

    /**
     * Creates the kernels of a context.
     *
     * @param context           the context, which outlives this object
     * @param algebra           the algebra of the same context
     * @param floatSums         the type in which float rows are summed
     * @param alwaysWideOffsets whether the csr family uses 64-bit row offsets even where 32 bits would do
     */
    CudaSparseKernels(CudaContext context, CudaAlgebra algebra, Precision floatSums, boolean alwaysWideOffsets) {
        this.context = context;
        this.algebra = algebra;
        this.resident = new ResidentLayouts(algebra);
        this.elements = new CudaElementKernels(context);
        this.floatSums = floatSums;
        this.alwaysWideOffsets = alwaysWideOffsets;
    }

    /**
     * Returns kernels that sum the rows of float matrices in double and round once.
     *
     * @return other kernels of the same context
     */
    public CudaSparseKernels withDoubleSums() {
        return new CudaSparseKernels(context, algebra, Precision.F64, alwaysWideOffsets);
    }

    /**
     * Returns the element kernels of the context.
     *
     * @return updates and dot products
     */
    public CudaElementKernels elements() {
        return elements;
    }

    CudaContext context() {
        return context;
    }

    private NumberTypes types(Precision values) {
        return new NumberTypes(values, values == Precision.F64 ? Precision.F64 : floatSums);
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        if (matrix instanceof CudaMatrix onDevice) {
            return resident.rule(onDevice);
        }
        MatrixView shown = view(matrix);
        SpmvParameters proposed = CudaRule.parameters(shown.profile(), matrix.precision());
        if (proposed.family() == SpmvFamily.CSR_BALANCED && shown.profile().nonZeros() >= CudaRule.HOT_FROM
                && objection(shown, matrix, CudaRule.hot()).isEmpty()
                && shown.hotShare(HotProduct.columns(typesOf(matrix))) >= CudaRule.HOT_SHARE) {
            return CudaRule.hot();
        }
        if (CudaRule.isStencilFamily(proposed) && objection(shown, matrix, CudaRule.stencil()).isEmpty()
                && shown.isLikelyStencil(Chunked.shape(CudaRule.stencil()))) {
            return CudaRule.stencil();
        }
        return objection(shown, matrix, proposed).isEmpty() ? proposed : CudaRule.fallback(shown.profile());
    }

    @Override
    public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
        MatrixView shown = view(matrix);
        return CudaParameterSpace.candidates(shown.profile(), rule(matrix)).stream()
                .filter(parameters -> objection(shown, matrix, parameters).isEmpty())
                .toList();
    }

    @Override
    public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
        return objection(view(matrix), matrix, parameters);
    }

    private Optional<String> objection(MatrixView shown, SparseMatrix matrix, SpmvParameters parameters) {
        Optional<String> objection = CudaConstraints.objection(shown, parameters, types(matrix.precision()).sums());
        return objection.isPresent() || parameters.family() != SpmvFamily.CSR_HOT
                ? objection
                : HotProduct.objection(context, parameters, typesOf(matrix));
    }

    /** Kernels for hot columns depend on the layout and are not compiled ahead. */
    @Override
    public void expect(SparseMatrix matrix, List<SpmvParameters> likely) {
        context.compileAhead(() -> likely.stream().filter(parameters -> parameters.family() != SpmvFamily.CSR_HOT)
                .map(parameters -> ProductSource.of(parameters, typesOf(matrix), RowEpilogue.UPDATE,
                        parameters.sortingWindow() > 1, false))
                .toList());
    }

    @Override
    @MustBeClosed
    public CudaSpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
        if (matrix instanceof CudaMatrix onDevice && resident.takes(algebra.own(onDevice), parameters)) {
            return new CudaSpmvOperator(this, matrix, parameters,
                    resident.create(algebra.own(onDevice), parameters), false);
        }
        constraint(matrix, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException("the product", "cuda", reason);
        });
        CsrMatrix csr = view(matrix).csr();
        boolean wide = parameters.family() == SpmvFamily.CSR && parameters.indexBits() == Integer.SIZE
                && wideOffsets(csr);
        return new CudaSpmvOperator(this, matrix, parameters, layout(matrix, csr, parameters, wide), wide);
    }

    @Override
    @MustBeClosed
    public CudaSpmvOperator prepare(SparseMatrix matrix) {
        return prepare(matrix, rule(matrix));
    }

    /** Returns whether row offsets need 64 bits. */
    boolean wideOffsets(CsrMatrix matrix) {
        return alwaysWideOffsets || matrix.nonZeros() > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS;
    }

    /** Returns the types in which a matrix is multiplied. */
    NumberTypes typesOf(SparseMatrix matrix) {
        return types(matrix.precision());
    }

    private MatrixView view(SparseMatrix matrix) {
        if (view == null || !view.shows(matrix)) {
            view = new MatrixView(matrix);
        }
        return view;
    }

    private DeviceLayout layout(SparseMatrix matrix, CsrMatrix csr, SpmvParameters parameters, boolean wide) {
        SpmvParameters key = layoutKey(parameters);
        shared.removeIf(one -> one.layout.isFreed());
        KeptLayout found = shared.stream().filter(one -> one.fits(matrix, key)).findFirst().orElse(null);
        if (found == null) {
            dropLayout();
            found = new KeptLayout(matrix, key, new Layouts(context, typesOf(matrix)).create(csr, parameters, wide));
            shared.add(found);
            kept = found;
        } else if (kept != found) {
            found.layout.retain();
            dropLayout();
            kept = found;
        }
        return found.layout.retain();
    }

    /** Frees the layout that is kept for the next operator. Operators that use it keep it. */
    public void dropLayout() {
        if (kept != null) {
            kept.layout.release();
            kept = null;
        }
    }

    /** Returns a layout whose values one operator may replace: the one it has if that takes them, else another. */
    DeviceLayout ownLayout(DeviceLayout layout, CsrMatrix csr, SpmvParameters parameters, boolean wide) {
        shared.removeIf(one -> one.layout == layout);
        if (kept != null && kept.layout == layout) {
            dropLayout();
        }
        if (layout.takesValues()) {
            return layout;
        }
        DeviceLayout own = Layouts.forRefills(context, typesOf(csr)).create(csr, parameters, wide);
        layout.release();
        return own;
    }

    /** The parameters that a layout depends on. */
    private static SpmvParameters layoutKey(SpmvParameters parameters) {
        return switch (parameters.family()) {
            case CSR -> SpmvParameters.of(SpmvFamily.CSR).withIndexBits(parameters.indexBits());
            case CSR_BALANCED, CSR_HOT ->
                parameters.withRowsPerGroup(parameters.rowsPerGroup() * parameters.blockSize())
                        .withBlockSize(0);
            default -> parameters.withBlockSize(0);
        };
    }

    private record KeptLayout(SparseMatrix matrix, SpmvParameters key, DeviceLayout layout) {
        @SuppressWarnings("ReferenceEquality") // matrices do not change, and one object is what is asked about
        boolean fits(SparseMatrix other, SpmvParameters otherKey) {
            return matrix == other && key.equals(otherKey);
        }
    }
}
