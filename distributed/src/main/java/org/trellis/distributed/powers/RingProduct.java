package org.trellis.distributed.powers;

import org.trellis.common.Checks;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.LinearOperator;

/**
 * The product of a partitioned matrix. A vector whose rings are all used up is exchanged before it is multiplied, while
 * the interior rows are computed; its next products, and those of the results, need no message until the rings are used
 * up again. So m products in a row take ⌈m / k⌉ exchanges with k rings, however they are called.
 *
 * <p>Rows are summed in the order of their global columns on whatever rank: results on owned rows have the same bits
 * for any number of rings and ranks. All methods are collective.
 */
public final class RingProduct {
    private final HaloPlan plan;
    private final LocalKernels kernels;
    private final RingActivity activity;
    private RingTuner tuner;
    private InteriorRows interior;

    /**
     * Prepares the product.
     *
     * @param plan the halo of the matrix
     */
    public RingProduct(HaloPlan plan) {
        this.plan = plan;
        this.kernels = LocalKernels.of(plan);
        this.activity = new RingActivity(plan, "product");
    }

    /**
     * Returns the plan.
     *
     * @return the halo of the matrix
     */
    public HaloPlan plan() {
        return plan;
    }

    /**
     * Computes {@code y = A x}.
     *
     * @param x a vector of the plan
     * @param y another one, overwritten; has one valid ring less than x
     * @throws IllegalArgumentException if a vector belongs to another plan, or both are one
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiply(RingVector x, RingVector y) {
        combine(1, x, 0, x, 0, y);
    }

    /**
     * Computes {@code y = a A x + b x + c w}.
     *
     * @param a a
     * @param x a vector of the plan
     * @param b b
     * @param w a vector of the plan, perhaps x; with {@code c = 0} not read
     * @param c c
     * @param y another vector, overwritten
     * @throws IllegalArgumentException if a vector belongs to another plan, or y is x or w
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void combine(double a, RingVector x, double b, RingVector w, double c, RingVector y) {
        requireOwn(x);
        requireOwn(w);
        requireOwn(y);
        if (y == x || (y == w && c != 0)) {
            throw new IllegalArgumentException("y = a A x + b x + c w: y is " + (y == x ? "x" : "w")
                    + " itself, expected another vector");
        }
        long began = tuner == null ? 0 : tuner.beginStep(x.validRings() == 0);
        activity.enter(x.validRings() == 0);
        int done = 0;
        if (x.validRings() == 0) {
            boolean takesBoth = c != 0 && w != x && w.validRings() < plan.activeRings() - 1;
            HaloExchange exchange = plan.exchange(takesBoth ? 2 : 1).with(0, x);
            if (takesBoth) {
                exchange.with(1, w);
            }
            exchange.start();
            plan.side().mark(tuner == null || tuner.isFinished());
            done = plan.matrix().interiorRows();
            long phase = activity.begin();
            combine(0, done, a, x.elements(), b, w.elements(), c, y.elements());
            activity.endInterior(phase);
            plan.side().aside();
            exchange.finish();
        }
        int depth = c == 0 ? x.validRings() - 1 : Math.min(x.validRings() - 1, w.validRings());
        long phase = activity.begin();
        combine(done, plan.rowsWithin(depth), a, x.elements(), b, w.elements(), c, y.elements());
        plan.side().join();
        activity.endRest(phase);
        y.setValidRings(depth);
        if (tuner != null) {
            tuner.endStep(began);
        }
    }

    /**
     * Computes {@code y = α A x + β y} on owned rows only, into a vector without rings.
     *
     * @param alpha α
     * @param x     a vector of the plan; none of its rings is used up
     * @param beta  β; with 0 the old y is not read
     * @param y     as many elements as the rank owns rows, all of an array; shares none with x
     * @throws IllegalArgumentException if x belongs to another plan or y has another length
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiplyOwned(double alpha, RingVector x, double beta, DenseVector y) {
        requireOwn(x);
        Checks.length("length of y", y.length(), plan.rowsWithin(0));
        activity.enter(x.validRings() == 0);
        int done = 0;
        if (x.validRings() == 0) {
            HaloExchange exchange = plan.exchange(1).with(0, x);
            exchange.start();
            plan.side().mark(true);
            done = plan.matrix().interiorRows();
            long phase = activity.begin();
            combine(0, done, alpha, x.elements(), 0, y, beta, y);
            activity.endInterior(phase);
            plan.side().aside();
            exchange.finish();
        }
        long phase = activity.begin();
        combine(done, plan.rowsWithin(0), alpha, x.elements(), 0, y, beta, y);
        plan.side().join();
        activity.endRest(phase);
    }

    /** Interior rows have a product of their own, if it was given and can do what is asked for. */
    @SuppressWarnings("ReferenceEquality") // what is written is what is read
    private void combine(int from, int to, double a, DenseVector x, double b, DenseVector w, double c,
            DenseVector y) {
        int first = from;
        if (interior != null && from == 0 && to > 0 && b == 0 && (c == 0 || w == y)) {
            interior.multiply(a, x, c, y);
            first = plan.matrix().interiorRows();
        }
        kernels.combine(first, to, a, x, b, w, c, y);
    }

    /**
     * Lets interior rows, most of a large part, be multiplied by a product of a backend: one that its rule has chosen,
     * or that tunes itself within the products that follow. Results have the bits of that product then, which are not
     * those of other numbers of ranks. Each rank may do as it likes.
     *
     * @param operator the product of {@link InteriorRows#of}, where the vectors of the plan are; the caller closes it
     *                 after the last product
     * @return this product
     * @throws IllegalArgumentException if it has other sizes
     */
    public RingProduct interiorBy(LinearOperator operator) {
        InteriorRows rows = new InteriorRows(plan, operator);
        interior = rows.any() ? rows : null;
        return this;
    }

    /**
     * Lets the number of rings be chosen by the times of the products that follow. All ranks call it alike.
     *
     * @param chooser chooses it; serves this object only
     * @return this product
     * @throws IllegalArgumentException if the tuner is another plan's
     */
    public RingProduct tunedBy(RingTuner chooser) {
        tuner = chooser.requirePlan(plan);
        return this;
    }

    private void requireOwn(RingVector vector) {
        if (vector.plan() != plan) {
            throw new IllegalArgumentException(vector + " belongs to another plan than the product, expected " + plan);
        }
    }

    /**
     * Computes the vectors of a basis.
     *
     * @param basis  the recurrence
     * @param x      the first vector, p₀ x
     * @param result as many vectors as the basis has steps, overwritten with p₁ x, p₂ x, ...
     * @throws IllegalArgumentException if there are other numbers of vectors and steps, a vector belongs to another
     *                                  plan or two are one
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void basis(KrylovBasis basis, RingVector x, RingVector[] result) {
        Checks.length("number of vectors for a basis", result.length, basis.steps());
        RingVector before = x;
        RingVector current = x;
        for (int j = 0; j < result.length; j++) {
            combine(basis.a()[j], current, basis.b()[j], before, basis.c()[j], result[j]);
            before = current;
            current = result[j];
        }
    }

    /**
     * Computes a polynomial of the matrix by Horner's rule: {@code c₀ x + c₁ A x + ... + cₘ Aᵐ x}, with one exchange
     * for as many products as there are rings.
     *
     * @param coefficients c, at least two
     * @param x            a vector of the plan
     * @param spares       two further vectors, overwritten
     * @return the result, which is one of the spares
     * @throws IllegalArgumentException if there are fewer coefficients or not two spares, or a vector belongs to
     *                                  another plan, or two are one
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public RingVector polynomial(double[] coefficients, RingVector x, RingVector... spares) {
        Checks.length("number of spare vectors", spares.length, 2);
        if (coefficients.length < 2) {
            throw new IllegalArgumentException("a polynomial has " + coefficients.length
                    + " coefficients, expected at least 2");
        }
        int degree = coefficients.length - 1;
        // The first step multiplies x itself: c A x + c' x.
        combine(coefficients[degree], x, coefficients[degree - 1], x, 0, spares[0]);
        RingVector current = spares[0];
        for (int j = degree - 2; j >= 0; j--) {
            RingVector next = current == spares[0] ? spares[1] : spares[0];
            combine(1, current, 0, x, coefficients[j], next);
            current = next;
        }
        return current;
    }
}
