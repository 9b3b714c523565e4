package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * A matrix on a CUDA device. Products are queued on the context's stream and return at once.
 *
 * <p>Products with a dot product, residuals with their norms and Jacobi's steps are one kernel each. The transposed
 * product and the product with several vectors lay out the matrix once more at their first use (the transpose by the
 * rule for it; plain compressed rows for several vectors), so each costs its memory again; all products give the same
 * bits each time.
 *
 * <p>A refill moves values within the device: in layouts that keep the order of compressed rows by a copy, in others
 * through a list of where each value goes, which the first refill makes by laying out the structure once more on the
 * host, and which takes four bytes an entry. A layout in which equal values of a stencil are stored once is replaced by
 * one with all values, in which rows that lack a diagonal may be summed in another order. The transpose is laid out
 * anew when it is next used.
 */
public final class CudaSpmvOperator extends SpmvOperator {
    private static final int RESULT = 8;
    private static final int SPLIT_ROWS = 9;

    private final CudaSparseKernels kernels;
    private final boolean wideOffsets;
    private final NumberTypes types;
    private final Map<RowEpilogue, KernelLaunch> launches = new EnumMap<>(RowEpilogue.class);
    private final Map<Integer, KernelLaunch> multiples = new HashMap<>();
    private DeviceLayout layout;
    private int layoutNumber;
    private DeviceLayout plainLayout;
    private CudaSpmvOperator transposed;
    private DotSpace dots;

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
        launch(RowEpilogue.UPDATE);
    }

    @Override
    protected ElementKernels elements() {
        return kernels.elements();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        if (rows() > 0) {
            product(launch(RowEpilogue.UPDATE), alpha, x, beta, y).run();
        }
    }

    private static KernelLaunch product(KernelLaunch launch, double alpha, DenseVector x, double beta, DenseVector y) {
        return launch.setDouble(0, alpha).setDouble(1, beta).set(2, (CudaVector) x).set(3, (CudaVector) y);
    }

    private static KernelLaunch result(KernelLaunch launch, DenseVector result, int at) {
        return launch.setAddress(RESULT, ((CudaVector) result).address() + (long) at * Double.BYTES);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        ofTranspose().run(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        return ofTranspose().step(alpha, x, beta, y);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaSpmvOperator ofTranspose() {
        if (transposed == null) {
            transposed = kernels.prepare(matrix().toCsr().transpose());
        }
        return transposed;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    protected void runMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
        if (rows() > 0) {
            KernelLaunch launch = multiples.get(x.count());
            if (launch == null) {
                launch = prepareMultiple(x.count());
                multiples.put(x.count(), launch);
            }
            product(launch, alpha, x.storage(), beta, y.storage()).run();
        }
    }

    /** With w = y the kernel takes the result that it has at hand, since it must not read y through another pointer. */
    private static RowEpilogue dotFinish(DenseVector y, DenseVector w) {
        return y.overlaps(w) ? RowEpilogue.UPDATE_AND_NORM : RowEpilogue.UPDATE_AND_DOT;
    }

    private static KernelLaunch withDot(KernelLaunch launch, DenseVector w, DenseVector result, int at) {
        return result(launch.set(4, (CudaVector) w), result, at);
    }

    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        if (rows() == 0) {
            elements().dot(w, y, result, at);
        } else {
            withDot(product(launch(dotFinish(y, w)), alpha, x, beta, y), w, result, at).run();
        }
    }

    @Override
    protected void runResidual(DenseVector b, DenseVector x, DenseVector r) {
        if (rows() > 0) {
            residual(launch(RowEpilogue.RESIDUAL), b, x, r).run();
        }
    }

    private static KernelLaunch residual(KernelLaunch launch, DenseVector b, DenseVector x, DenseVector r) {
        return product(launch, -1, x, 0, r).set(5, (CudaVector) b);
    }

    @Override
    protected void runJacobi(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y) {
        if (rows() > 0) {
            jacobi(launch(RowEpilogue.JACOBI), omega, x, inverseDiagonal, b, y).run();
        }
    }

    private static KernelLaunch jacobi(KernelLaunch launch, double omega, DenseVector x, DenseVector inverseDiagonal,
            DenseVector b, DenseVector y) {
        return product(launch, omega, x, 0, y).set(4, (CudaVector) inverseDiagonal).set(5, (CudaVector) b);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        if (rows() == 0) {
            return super.step(alpha, x, beta, y);
        }
        return step(RowEpilogue.UPDATE, launch -> product(launch, alpha, x, beta, y), x, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        if (rows() == 0) {
            return super.dotStep(alpha, x, beta, y, w, result, at);
        }
        return step(dotFinish(y, w), launch -> withDot(product(launch, alpha, x, beta, y), w, result, at), x, y, w,
                result);
    }

    @Override
    @MustBeClosed
    protected PreparedStep residualStep(DenseVector b, DenseVector x, DenseVector r) {
        if (rows() == 0) {
            return super.residualStep(b, x, r);
        }
        return step(RowEpilogue.RESIDUAL, launch -> residual(launch, b, x, r), b, x, r);
    }

    @Override
    @MustBeClosed
    protected PreparedStep jacobiStepOf(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        if (rows() == 0) {
            return super.jacobiStepOf(omega, x, inverseDiagonal, b, y);
        }
        return step(RowEpilogue.JACOBI, launch -> jacobi(launch, omega, x, inverseDiagonal, b, y), x, inverseDiagonal,
                b,
                y);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the step's
    private PreparedStep step(RowEpilogue finish, Consumer<KernelLaunch> setOperands, DenseVector... operands) {
        CudaVector[] own = new CudaVector[operands.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = (CudaVector) operands[i];
        }
        return new CudaProductStep(this, () -> prepare(finish, setOperands), own);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    private KernelLaunch prepare(RowEpilogue finish, Consumer<KernelLaunch> setOperands) {
        KernelLaunch launch = prepare(finish);
        try {
            setOperands.accept(launch);
            return launch;
        } catch (RuntimeException e) {
            launch.close();
            throw e;
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private KernelLaunch launch(RowEpilogue finish) {
        KernelLaunch known = launches.get(finish);
        if (known == null) {
            known = prepare(finish);
            launches.put(finish, known);
        }
        return known;
    }

    /** Makes launches that lack the operands. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the launch is returned or closed here, the space closed with this
    private KernelLaunch prepare(RowEpilogue finish) {
        CudaContext context = kernels.context();
        boolean sorted = layout.splitRows() > 0 || parameters().sortingWindow() > 1;
        if (finish.dots() && dots == null) {
            dots = new DotSpace(context, ProductSource.shape(parameters(), layout).blocks(), layout.splitRows());
        }
        KernelSource source = layout.isStencil()
                ? ProductSource.ofStencil(parameters(), types, finish)
                : ProductSource.of(parameters(), types, finish, sorted, wideOffsets);
        int arguments = ProductSource.COMMON_ARGUMENTS + layout.argumentCount();
        KernelLaunch launch = parameters().family() == SpmvFamily.CSR_HOT
                ? HotProduct.launch(context, source, parameters(), types, layout, arguments)
                : context.kernel(source, ProductSource.FUNCTION)
                        .launch(ProductSource.shape(parameters(), layout), arguments);
        try {
            ProductSource.clearOptional(launch);
            launch.setInt(SPLIT_ROWS, layout.splitRows());
            if (finish.dots()) {
                dots.bind(launch);
            }
            bindLayout(launch);
            return launch;
        } catch (RuntimeException e) {
            launch.close();
            throw e;
        }
    }

    /** Sets where the matrix is. */
    private void bindLayout(KernelLaunch launch) {
        layout.bind(launch, ProductSource.COMMON_ARGUMENTS);
        if (parameters().family() == SpmvFamily.CSR_HOT) {
            HotProduct.bind(launch, layout);
        }
    }

    /** Returns a number that changes when the matrix moves. */
    int layoutNumber() {
        return layoutNumber;
    }

    void requireUsable() {
        requireOpen("run of a bound product");
    }

    @MustBeClosed
    private KernelLaunch prepareMultiple(int count) {
        CsrMatrix csr = matrix().toCsr();
        if (plainLayout == null) {
            plainLayout = new Layouts(kernels.context(), types)
                    .create(csr, MultiVectorProduct.LAYOUT, kernels.wideOffsets(csr));
        }
        return MultiVectorProduct.launch(kernels.context(), types, plainLayout, count, kernels.wideOffsets(csr));
    }

    @Override
    protected void replaceValues(DenseVector values) {
        if (values instanceof HostVector host) {
            SparseMatrix next = structure().withValues(host);
            try (CudaVector onDevice = kernels.context().vector(precision(), host.length())) {
                onDevice.copyFrom(host);
                moveValues(onDevice);
            }
            replaceMatrix(() -> next);
        } else {
            moveValues((CudaVector) values);
            SparseMatrix old = structure();
            replaceMatrix(() -> old.withValues(fetchValues(old)));
        }
        if (transposed != null) {
            refillTransposed();
        }
    }

    /** Steps that were bound to the transpose go on with the new values; if that fails, they are refused. */
    private void refillTransposed() {
        CudaSpmvOperator old = transposed;
        transposed = null;
        try {
            HostVector values = HostVector.zeros(precision(), Math.toIntExact(matrix().nonZeros()));
            int[] next = {0};
            matrix().toCsr().transpose().forEachEntry((row, column, value) -> values.set(next[0]++, value));
            old.refill(values);
            transposed = old;
        } finally {
            if (transposed == null) {
                old.close();
            }
        }
    }

    /** What can fail comes before values change. */
    private void moveValues(CudaVector values) {
        CsrMatrix structure = !layout.takesValues() || layout.needsValueMap() ? structure().toCsr() : null;
        DeviceLayout own = kernels.ownLayout(layout, structure, parameters(), wideOffsets);
        if (own != layout) {
            layout = own;
            layoutNumber++;
            rebind();
        }
        if (layout.needsValueMap()) {
            layout.keepValueMap(Layouts.valueSource(structure, parameters()));
        }
        layout.refill(values, kernels.elements());
        if (plainLayout != null) {
            plainLayout.refill(values, kernels.elements());
        }
    }

    /** Launches of a stencil are of another kernel than those of the layout that takes its place. */
    private void rebind() {
        List<RowEpilogue> known = List.copyOf(launches.keySet());
        launches.values().forEach(KernelLaunch::close);
        launches.clear();
        known.forEach(this::launch);
    }

    /** Brings the values back in the order of compressed rows. */
    private HostVector fetchValues(SparseMatrix structure) {
        requireOpen("fetching the values of a refilled matrix");
        return layout.fetch(precision(), Math.toIntExact(structure.nonZeros()));
    }

    @Override
    protected void release() {
        launches.values().forEach(KernelLaunch::close);
        multiples.values().forEach(KernelLaunch::close);
        if (dots != null) {
            dots.close();
        }
        if (plainLayout != null) {
            plainLayout.release();
        }
        if (transposed != null) {
            transposed.close();
        }
        layout.release();
    }
}
