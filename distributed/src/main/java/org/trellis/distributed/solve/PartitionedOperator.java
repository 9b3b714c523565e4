package org.trellis.distributed.solve;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.powers.DeviceOwnedProduct;
import org.trellis.distributed.powers.InteriorRows;
import org.trellis.distributed.powers.OwnedProduct;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.TransposedProduct;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * The product of a partitioned matrix as an operator on the owned elements of a rank, for solvers. Its rows and columns
 * are those that the rank owns; each product is collective and exchanges the first ring, while interior rows are
 * computed. Results have the same bits for any number of ranks if the plan multiplies reproducibly
 * ({@link org.trellis.distributed.halo.ProductMode}), else for the same division; dot products and norms, which are
 * sums of ranks' sums, for as many ranks.
 *
 * <p>On a device interior rows are multiplied by the product that the backend's rule chooses, whose bits depend on the
 * number of ranks.
 *
 * <p>Rows read the operand where it is ({@link OwnedProduct}, {@link DeviceOwnedProduct}), and a dot product with the
 * result is formed as rows are finished. On the host an operand or result that is a part of an array is copied: two
 * vectors of memory traffic more than the product of one rank.
 */
public final class PartitionedOperator extends CheckedOperator {
    private final HaloPlan plan;
    /** Of a plan on the host, as the next four; else null. */
    private final RingProduct product;
    private final OwnedProduct ownedProduct;
    private final RingVector operand;
    /** For results that are parts of arrays. */
    private final HostVector whole;
    /** Of a plan on a device, else null. */
    private final DeviceOwnedProduct deviceProduct;
    private final ReducedElements elements;
    private final VectorSpace vectors;
    private TransposedProduct transposed;
    private RingVector transposedOperand;
    private RingVector transposedResult;
    private DenseVector transposedOwned;

    /**
     * Prepares the operator.
     *
     * @param plan    the halo of the matrix; one ring is enough, further ones are not used. Not closed by the operator
     * @param backend what vectors are computed with, where those of the plan are
     * @throws IllegalArgumentException if they are elsewhere
     */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    public PartitionedOperator(HaloPlan plan, RankBackend backend) {
        this.plan = plan;
        this.elements = backend.elements();
        this.vectors = VectorSpace.of(plan.matrix().ownedRows(), plan.precision(), backend.device().space());
        if (plan.isOnDevice() == vectors.space().equals(MemorySpace.HOST)) {
            throw new IllegalArgumentException("the operator of " + plan + " with vectors on " + vectors.space()
                    + ", expected the plan's to be there too");
        }
        plan.useRings(1);
        if (plan.isOnDevice()) {
            SpmvOperator interior = backend.own().kernels(SparseKernels.class).prepare(InteriorRows.of(plan));
            plan.whenClosed(interior::close);
            this.deviceProduct = new DeviceOwnedProduct(plan, interior);
            this.product = null;
            this.ownedProduct = null;
            this.operand = null;
            this.whole = null;
        } else {
            this.deviceProduct = null;
            this.product = new RingProduct(plan);
            this.ownedProduct = new OwnedProduct(plan);
            this.operand = plan.vector();
            this.whole = HostVector.zeros(plan.precision(), vectors.length());
        }
    }

    /**
     * Returns the diagonal of the owned rows as a matrix of this rank, which is what diagonal preconditioners are made
     * of: a preconditioner of it is the owned part of that of the whole matrix.
     *
     * @param matrix the partitioned matrix
     * @return a diagonal matrix of as many rows as the rank owns, in local order
     * @throws IllegalArgumentException if an element of the diagonal is zero or absent; names its global row
     */
    public static CsrMatrix diagonal(PartitionedMatrix matrix) {
        return diagonal(matrix, (values, from, to, element) -> element);
    }

    /** Makes an element of a diagonal from a row. */
    interface RowDivisor {
        /**
         * Makes an element.
         *
         * @param values  of all rows
         * @param from    the place of the first of the row
         * @param to      behind that of the last
         * @param element the one on the diagonal, not 0
         */
        double of(HostVector values, int from, int to, double element);
    }

    /** Returns a diagonal matrix of the owned rows. */
    static CsrMatrix diagonal(PartitionedMatrix matrix, RowDivisor divisor) {
        int rows = matrix.ownedRows();
        CsrBuilder builder = new CsrBuilder(rows, matrix.precision(), rows);
        int[] offsets = matrix.rows().offsets();
        for (int row = 0; row < rows; row++) {
            long index = matrix.rows().indices()[row];
            double element = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                if (matrix.rows().columns()[k] == index) {
                    element = matrix.rows().values().get(k);
                }
            }
            if (element == 0) {
                throw new IllegalArgumentException("row " + index
                        + " has no element on the diagonal, or zero there, expected one to divide by");
            }
            builder.add(row, divisor.of(matrix.rows().values(), offsets[row], offsets[row + 1], element)).endRow();
        }
        return builder.build();
    }

    /**
     * Says how owned rows are multiplied, for reports.
     *
     * @return the parameters of the product of interior rows, or that rows are summed in the order of global columns
     */
    public String product() {
        return plan.isOnDevice()
                ? "interior rows as the backend's rule chooses"
                : plan.ownedProducts().map(products -> "interior rows: " + products.interior().parameters())
                        .orElse("rows in the order of global columns");
    }

    /** Collective; empty on all ranks where some of them have devices. */
    @Override
    public Optional<double[]> multiplyInDouble(DenseVector x) {
        if (plan.matrix().communicator().greatest(plan.isOnDevice() ? 1 : 0) > 0) {
            return Optional.empty();
        }
        ((HostVector) x).copyRange(0, operand.values(), 0, vectors.length());
        operand.changed();
        HaloExchange exchange = plan.exchange(1).with(0, operand);
        exchange.start();
        exchange.finish();
        RowBlock rows = plan.matrix().rows();
        LocalRows local = plan.localRows();
        double[] sums = new double[rows.rows()];
        for (int row = 0; row < sums.length; row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                sums[row] += rows.values().get(k) * operand.values().get(local.columns()[k]);
            }
        }
        return Optional.of(sums);
    }

    @Override
    public VectorSpace domain() {
        return vectors;
    }

    @Override
    public VectorSpace range() {
        return vectors;
    }

    @Override
    public boolean overRanks() {
        return true;
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        if (deviceProduct != null) {
            deviceProduct.multiply(alpha, x, beta, y);
            return;
        }
        HostVector source = (HostVector) x;
        HostVector target = (HostVector) y;
        if (hasItsArray(source) && hasItsArray(target)) {
            ownedProduct.multiply(alpha, source, beta, target);
            return;
        }
        source.copyRange(0, operand.values(), 0, vectors.length());
        operand.changed();
        if (hasItsArray(target)) {
            product.multiplyOwned(alpha, operand, beta, target);
            return;
        }
        target.copyTo(whole);
        product.multiplyOwned(alpha, operand, beta, whole);
        target.copyFrom(whole);
    }

    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        if (deviceProduct != null) {
            deviceProduct.multiplyAndDot(alpha, x, beta, y, w, result, at);
            elements.combineOnDevice(result, at);
            return;
        }
        if (hasItsArray((HostVector) x) && hasItsArray((HostVector) y)
                && hasItsArray((HostVector) w)) {
            elements.combine(ownedProduct.multiplyAndDot(alpha, (HostVector) x, beta, (HostVector) y, (HostVector) w),
                    (HostVector) result, at);
            return;
        }
        super.runAndDot(alpha, x, beta, y, w, result, at);
    }

    private static boolean hasItsArray(HostVector vector) {
        int array = vector.precision() == Precision.F64
                ? vector.doubleStorage().length
                : vector.floatStorage().length;
        return vector.length() == array;
    }

    /** The channels of the transposed product are opened by its first call, which is collective as all are. */
    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (transposed == null) {
            transposed = new TransposedProduct(plan);
            transposedOperand = plan.isOnDevice() ? plan.vector() : operand;
            transposedResult = plan.vector();
            transposedOwned = transposedResult.elements().part(0, vectors.length());
        }
        if (plan.isOnDevice()) {
            elements.update(1, null, x, 0, transposedOperand.elements().part(0, vectors.length()));
        } else {
            ((HostVector) x).copyRange(0, transposedOperand.values(), 0, vectors.length());
        }
        transposedOperand.changed();
        transposed.multiply(transposedOperand, transposedResult);
        elements.update(alpha, null, transposedOwned, beta, y);
    }

    @Override
    public String toString() {
        PartitionedMatrix matrix = plan.matrix();
        return "partitioned matrix of " + matrix.globalRows() + " x " + matrix.globalRows() + " "
                + matrix.precision().label() + " on " + matrix.communicator().size() + " ranks";
    }
}
