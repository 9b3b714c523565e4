package org.trellis.cuda.sparse;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * A matrix on a CUDA device. Products are queued on the context's stream and return at once.
 *
 * <p>Beyond the products of every backend there are two that are fused with what solvers do next. The transposed
 * product and the product with several vectors lay out the matrix once more at their first use (the transpose by the
 * rule for it; plain compressed rows for several vectors), so each costs its memory again; all products give the same
 * bits each time.
 */
public final class CudaSpmvOperator extends SpmvOperator {
    private final CudaSparseKernels kernels;
    private final DeviceLayout layout;
    private final boolean wideOffsets;
    private final NumberTypes types;
    private final Map<Finish, KernelLaunch> launches = new EnumMap<>(Finish.class);
    private final Map<Integer, KernelLaunch> multiples = new HashMap<>();
    private DeviceLayout plainLayout;
    private CudaSpmvOperator transposed;
    private DotResult dotResult;
    private boolean released;

    CudaSpmvOperator(CudaSparseKernels kernels, SparseMatrix matrix, SpmvParameters parameters, DeviceLayout layout,
            boolean wideOffsets) {
        super(matrix, parameters, kernels.context().space());
        this.kernels = kernels;
        this.layout = layout;
        this.wideOffsets = wideOffsets;
        this.types = kernels.typesOf(matrix);
    }

    @Override
    public long preparedBytes() {
        return layout.bytes();
    }

    /**
     * Compiles the kernel of the plain product now, rather than at the first product. Costs some 100 ms for a kernel
     * that is in no cache.
     */
    @Override
    public void makeReady() {
        launch(Finish.UPDATE);
    }

    @Override
    protected void apply(double alpha, DenseVector x, double beta, DenseVector y) {
        if (matrix().rows() > 0) {
            launch(Finish.UPDATE).setDouble(0, alpha).setDouble(1, beta)
                    .set(2, (CudaVector) x).set(3, (CudaVector) y).run();
        }
    }

    @Override
    protected void applyTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (transposed == null) {
            transposed = kernels.prepare(matrix().toCsr().transpose());
        }
        transposed.apply(alpha, x, beta, y);
    }

    @Override
    protected void applyMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
        if (matrix().rows() > 0) {
            multiples.computeIfAbsent(x.count(), this::prepareMultiple)
                    .setDouble(0, alpha).setDouble(1, beta)
                    .set(2, (CudaVector) x.storage()).set(3, (CudaVector) y.storage()).run();
        }
    }

    /**
     * Computes {@code y = α A x + β y} and the dot product of the new {@code y} with another vector, which is what
     * conjugate gradients do with {@code A p}: {@code y} is not read again for it. Waits for the result. The dot
     * product has the same bits each time.
     *
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code rows} elements, overwritten
     * @param w     {@code rows} elements; may be {@code x}
     * @return {@code w · y}
     * @throws IllegalArgumentException if a length, precision or memory space does not fit or {@code y} is another
     *         operand
     * @throws IllegalStateException    if this operator is closed
     */
    public double multiplyAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w) {
        Operands.check("y = A x and w . y", matrix(), x, y);
        Operands.checkLike("y = A x and w . y", "w", w, y);
        requireOpen();
        if (matrix().rows() == 0) {
            return 0;
        }
        KernelLaunch launch = launch(Finish.UPDATE_AND_DOT);
        launch.setDouble(0, alpha).setDouble(1, beta)
                .set(2, (CudaVector) x).set(3, (CudaVector) y).set(4, (CudaVector) w).run();
        return dotResult.read();
    }

    /**
     * Does one step of Jacobi's method: {@code y = x + ω D⁻¹ (b - A x)}.
     *
     * @param omega           ω
     * @param x               the old iterate, {@code rows} elements
     * @param inverseDiagonal D⁻¹, {@code rows} elements
     * @param b               the right-hand side, {@code rows} elements
     * @param y               the new iterate, {@code rows} elements, overwritten
     * @throws IllegalArgumentException if the matrix is not square, a length, precision or memory space does not fit or
     *         {@code y} is another operand
     * @throws IllegalStateException    if this operator is closed
     */
    public void jacobiStep(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y) {
        String operation = "Jacobi step";
        if (matrix().rows() != matrix().columns()) {
            throw new IllegalArgumentException(operation + " with " + matrix() + ", expected a square matrix");
        }
        Operands.check(operation, matrix(), x, y);
        Operands.checkLike(operation, "the inverse diagonal", inverseDiagonal, y);
        Operands.checkLike(operation, "b", b, y);
        requireOpen();
        if (matrix().rows() > 0) {
            launch(Finish.JACOBI).setDouble(0, omega).set(2, (CudaVector) x).set(3, (CudaVector) y)
                    .set(4, (CudaVector) inverseDiagonal).set(5, (CudaVector) b).run();
        }
    }

    private KernelLaunch launch(Finish finish) {
        KernelLaunch known = launches.get(finish);
        return known != null ? known : prepare(finish);
    }

    private KernelLaunch prepare(Finish finish) {
        CudaContext context = kernels.context();
        boolean sorted = layout.splitRows() > 0 || parameters().sortingWindow() > 1;
        KernelSource source = ProductSource.of(parameters(), types, finish, sorted, wideOffsets);
        int arguments = ProductSource.COMMON_ARGUMENTS + layout.argumentCount();
        KernelLaunch launch = parameters().family() == SpmvFamily.CSR_HOT
                ? HotProduct.launch(context, source, parameters(), types, layout, arguments)
                : context.kernel(source, ProductSource.FUNCTION)
                        .launch(ProductSource.shape(parameters(), layout), arguments);
        launch.setDouble(1, 0).setAddress(4, 0).setAddress(5, 0).setAddress(6, 0);
        if (finish == Finish.UPDATE_AND_DOT) {
            int partials = ProductSource.shape(parameters(), layout).blocks() + layout.splitRows();
            dotResult = new DotResult(context, types, partials);
            launch.set(6, dotResult.partials());
        }
        layout.bind(launch, ProductSource.COMMON_ARGUMENTS);
        launches.put(finish, launch);
        return launch;
    }

    private KernelLaunch prepareMultiple(int count) {
        CsrMatrix csr = matrix().toCsr();
        if (plainLayout == null) {
            plainLayout = new Layouts(kernels.context(), types)
                    .create(csr, MultipleProduct.LAYOUT, kernels.wideOffsets(csr));
        }
        return MultipleProduct.launch(kernels.context(), types, plainLayout, count, kernels.wideOffsets(csr));
    }

    private void requireOpen() {
        if (released) {
            throw new IllegalStateException("the operator of " + matrix() + " is closed");
        }
    }

    @Override
    protected void release() {
        released = true;
        launches.values().forEach(KernelLaunch::close);
        multiples.values().forEach(KernelLaunch::close);
        if (dotResult != null) {
            dotResult.close();
        }
        if (transposed != null) {
            transposed.close();
        }
        if (plainLayout != null) {
            plainLayout.release();
        }
        layout.release();
    }
}
