package org.trellis.distributed.powers;

import java.util.IdentityHashMap;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.PreparedRows;

/**
 * The product of a partitioned matrix with vectors that have owned elements only, as those of solvers, on a device.
 * Messages and all rows read the operand where it is; boundary rows find the first ring beside it. Interior rows are
 * multiplied by a product of the backend, which sums a dot product on the way. Everything is queued. All methods but
 * the constructor are collective.
 */
public final class DeviceOwnedProduct {
    /** Operands of which it is known where they are; those of a method are fewer. */
    private static final int MOST_OPERANDS = 200;

    private final HaloPlan plan;
    private final LinearOperator interior;
    private final PreparedRows boundary;
    private final ElementKernels elements;
    private final RingActivity activity;
    /** What comes from others. */
    private final DenseVector ring;
    private final DatStorage ringStorage;
    /** The boundary rows' share of a dot product. */
    private final DenseVector share;
    private final IdentityHashMap<DenseVector, Operand> operands = new IdentityHashMap<>();
    private Exchange exchange;

    /** A vector as messages know it, and its interior and boundary elements. */
    private record Operand(DatStorage storage, DenseVector interior, DenseVector boundary) {}

    /**
     * Prepares the product.
     *
     * @param plan     the halo of the matrix, on a device; one ring is used
     * @param interior the product of {@link InteriorRows#of}, which the caller closes after this was used last
     * @throws IllegalStateException if the plan is on the host
     */
    public DeviceOwnedProduct(HaloPlan plan, LinearOperator interior) {
        this.plan = plan;
        this.interior = interior;
        this.boundary = plan.deviceBoundaryRows();
        this.elements = plan.deviceElements();
        this.activity = new RingActivity(plan, "product");
        int owned = plan.rowsWithin(0);
        this.ring = plan.vector().elements().part(owned, plan.rowsWithin(1) - owned);
        this.ringStorage = plan.storage(ring);
        this.share = plan.deviceScalars(1);
    }

    private Operand operand(DenseVector vector) {
        if (operands.size() > MOST_OPERANDS) {
            operands.clear();
        }
        return operands.computeIfAbsent(vector, v -> {
            int rows = plan.matrix().interiorRows();
            return new Operand(plan.storage(v), v.part(0, rows), v.part(rows, plan.rowsWithin(0) - rows));
        });
    }

    /**
     * Queues {@code y = α A x + β y}.
     *
     * @param alpha α
     * @param x     as many elements as the rank owns rows
     * @param beta  β; with 0 the old y is not read
     * @param y     likewise, another vector
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiply(double alpha, DenseVector x, double beta, DenseVector y) {
        start(x);
        if (interior.rows() > 0) {
            long phase = activity.begin();
            interior.apply(alpha, x, beta, operand(y).interior());
            activity.endInterior(phase);
        }
        finish(alpha, x, beta, y);
    }

    /**
     * Queues {@code y = α A x + β y} and this rank's share of {@code w · y}.
     *
     * @param alpha  α
     * @param x      as many elements as the rank owns rows
     * @param beta   β; with 0 the old y is not read
     * @param y      likewise, another vector
     * @param w      likewise, perhaps x or y
     * @param result of double precision
     * @param at     the element that gets the share
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiplyAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        start(x);
        DenseVector ownY = operand(y).interior();
        if (interior.rows() > 0) {
            long phase = activity.begin();
            interior.multiplyAndDot(alpha, x, beta, ownY, operand(w).interior(), result, at);
            activity.endInterior(phase);
        }
        finish(alpha, x, beta, y);
        DenseVector further = operand(y).boundary();
        if (interior.rows() == 0) {
            elements.dot(operand(w).boundary(), further, result, at);
        } else if (further.length() > 0) {
            elements.dot(operand(w).boundary(), further, share, 0);
            elements.update(1, null, share, 1, result.part(at, 1));
        }
    }

    /** The exchange is made by the first product, when ranks on the host make theirs. */
    private void start(DenseVector x) {
        if (exchange == null) {
            exchange = plan.exchangeOfTwo();
        }
        activity.enter(true);
        exchange.bind(0, operand(x).storage(), 1, 1);
        exchange.bind(1, ringStorage, 1, 1);
        exchange.start();
    }

    private void finish(double alpha, DenseVector x, double beta, DenseVector y) {
        exchange.finish();
        long phase = activity.begin();
        boundary.multiplySplit(alpha, x, plan.rowsWithin(0), ring, beta, operand(y).boundary());
        activity.endRest(phase);
    }
}
