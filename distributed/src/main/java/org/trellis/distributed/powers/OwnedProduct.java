package org.trellis.distributed.powers;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.halo.SendList;
import org.trellis.memory.HostVector;

/**
 * The product of a partitioned matrix with vectors that have owned elements only, as those of solvers, on the host.
 * Interior rows read the operand where it is; of its other uses, messages and boundary rows, only the elements that
 * these need are copied to where the ring is beside them. Rows are summed as {@link RingProduct} sums them. All
 * methods but the constructor are collective.
 */
public final class OwnedProduct {
    private final HaloPlan plan;
    private final HostLocalKernels kernels;
    private final RingActivity activity;
    private final RingVector operand;
    /** Owned elements that are sent or that boundary rows read. */
    private final int[] copied;

    /**
     * Prepares the product.
     *
     * @param plan the halo of the matrix, on the host; one ring is used
     */
    public OwnedProduct(HaloPlan plan) {
        this.plan = plan;
        this.kernels = LocalKernels.ofHost(plan);
        this.activity = new RingActivity(plan, "product");
        this.operand = plan.vector();
        this.copied = copied(plan);
    }

    private static int[] copied(HaloPlan plan) {
        int owned = plan.rowsWithin(0);
        boolean[] needed = new boolean[owned];
        for (SendList list : plan.sends()) {
            for (int i = 0; i < list.offsets()[1]; i++) {
                needed[list.places()[i]] = true;
            }
        }
        LocalRows rows = plan.localRows();
        // A multiple of the operand may be added to a row, if by 0.
        Arrays.fill(needed, plan.matrix().interiorRows(), owned, true);
        for (int k = rows.offsets()[plan.matrix().interiorRows()]; k < rows.offsets()[owned]; k++) {
            if (rows.columns()[k] < owned) {
                needed[rows.columns()[k]] = true;
            }
        }
        int count = 0;
        int[] places = new int[owned];
        for (int i = 0; i < owned; i++) {
            if (needed[i]) {
                places[count++] = i;
            }
        }
        return Arrays.copyOf(places, count);
    }

    /**
     * Computes {@code y = α A x + β y}.
     *
     * @param alpha α
     * @param x     as many elements as the rank owns rows, all of an array
     * @param beta  β; with 0 the old y is not read
     * @param y     likewise, another array
     * @throws IllegalArgumentException if a vector has another length
     * @throws IllegalStateException    if a vector is a part of an array
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiply(double alpha, HostVector x, double beta, HostVector y) {
        run(alpha, x, beta, y, null);
    }

    /**
     * Computes {@code y = α A x + β y} and this rank's share of {@code w · y}, block by block of rows.
     *
     * @param alpha α
     * @param x     as many elements as the rank owns rows, all of an array
     * @param beta  β; with 0 the old y is not read
     * @param y     likewise, another array
     * @param w     likewise, perhaps x or y
     * @return the sum over owned elements, in double precision
     * @throws IllegalArgumentException if a vector has another length
     * @throws IllegalStateException    if a vector is a part of an array
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public double multiplyAndDot(double alpha, HostVector x, double beta, HostVector y, HostVector w) {
        Checks.length("length of w", w.length(), plan.rowsWithin(0));
        return run(alpha, x, beta, y, w);
    }

    private double run(double alpha, HostVector x, double beta, HostVector y, HostVector w) {
        Checks.length("length of x", x.length(), plan.rowsWithin(0));
        Checks.length("length of y", y.length(), plan.rowsWithin(0));
        activity.enter(true);
        kernels.copy(copied, x, operand.values());
        operand.changed();
        HaloExchange exchange = plan.exchange(1).with(0, operand);
        exchange.start();
        int interior = plan.matrix().interiorRows();
        long phase = activity.begin();
        double sum = rows(0, interior, alpha, x, beta, y, w);
        activity.endInterior(phase);
        exchange.finish();
        phase = activity.begin();
        sum += rows(interior, plan.rowsWithin(0), alpha, operand.values(), beta, y, w);
        activity.endRest(phase);
        return sum;
    }

    private double rows(int first, int end, double alpha, HostVector x, double beta, HostVector y, HostVector w) {
        if (w == null) {
            kernels.combine(first, end, alpha, x, 0, y, beta, y);
            return 0;
        }
        return kernels.multiplyAndDot(first, end, alpha, x, beta, y, w);
    }
}
