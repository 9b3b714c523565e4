package org.trellis.distributed.powers;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRows.SweepData;

/**
 * Smoothers of Jacobi's kind with one exchange for as many sweeps as the halo has rings. The diagonal of ring rows is
 * known from the rows themselves; the right-hand side of the rings travels in the message of the first exchange after
 * it has changed. Iterates rotate through three vectors: nothing is copied back at the end.
 *
 * <ul>
 * <li>Jacobi: {@code x' = x + ω D⁻¹ (b − A x)}, D the diagonal.</li>
 * <li>ℓ₁-Jacobi: the same with ω = 1 and the sums of the absolute values of rows for D; converges for every symmetric
 * positive definite matrix (A. Baker, R. Falgout, T. Kolev, U. Yang, Multigrid smoothers for ultraparallel computing,
 * SIAM J. Sci. Comput. 33, 2011).</li>
 * <li>Chebyshev of degree ν: the ν-th iterate of Chebyshev's semi-iteration for D⁻¹ A on an interval (Y. Saad,
 * Iterative Methods for Sparse Linear Systems, algorithm 12.1), in its form with the two last iterates; or of the
 * fourth kind, which needs no lower end (J. Lottes, Numer. Linear Algebra Appl. 30(6), 2023, section 4).</li>
 * </ul>
 *
 * <p>All methods but the getters are collective. Results have the same bits for any number of rings and ranks.
 */
public final class RingSmoother {
    private final HaloPlan plan;
    private final LocalKernels kernels;
    private final RingActivity activity;
    private final RingVector b;
    private final SweepData data;
    private final Steps steps;
    private RingVector current;
    private RingVector before;
    private RingVector next;
    private RingTuner tuner;
    /** D⁻¹ of all rings, also of the last one, whose rows are elsewhere; made where it is first needed. */
    private RingVector inverses;
    /** The iterate before the first one from zero; made where it is first needed. */
    private RingVector zeros;

    /** The lengths of the steps of one application. */
    private interface Steps {
        /** Starts over. */
        void begin();

        /** Moves to the next step. */
        void advance();

        /** Returns the share of the last correction that is taken again. */
        double momentum();

        /** Returns the factor of D⁻¹ times the residual. */
        double length();
    }

    private RingSmoother(HaloPlan plan, boolean sumsOfRows, Steps steps) {
        this.plan = plan;
        this.kernels = LocalKernels.of(plan);
        this.activity = new RingActivity(plan, "sweep");
        this.b = plan.vector();
        this.data = new SweepData(inverseDiagonal(plan, sumsOfRows), b.elements());
        this.steps = steps;
        this.current = plan.vector();
        this.before = plan.vector();
        this.next = plan.vector();
    }

    /**
     * Makes Jacobi's method.
     *
     * @param plan  the halo of the matrix
     * @param omega ω
     * @return the smoother, with zeros for solution and right-hand side
     * @throws IllegalArgumentException if an element of the diagonal is zero or absent; names the row
     */
    public static RingSmoother jacobi(HaloPlan plan, double omega) {
        return new RingSmoother(plan, false, new FixedStep(omega));
    }

    /**
     * Makes ℓ₁-Jacobi.
     *
     * @param plan the halo of the matrix
     * @return the smoother, with zeros for solution and right-hand side
     * @throws IllegalArgumentException if a row is zero; names it
     */
    public static RingSmoother l1Jacobi(HaloPlan plan) {
        return new RingSmoother(plan, true, new FixedStep(1));
    }

    /**
     * Makes Chebyshev's method; the number of sweeps of {@link #smooth} is the degree.
     *
     * @param plan the halo of the matrix
     * @param low  the lower end of the part of the spectrum of D⁻¹ A that is to be damped, positive
     * @param high its upper end, greater
     * @return the smoother, with zeros for solution and right-hand side
     * @throws IllegalArgumentException if the interval is empty or not positive, or an element of the diagonal is zero
     *                                  or absent; names the row
     */
    public static RingSmoother chebyshev(HaloPlan plan, double low, double high) {
        KrylovBasis.requireInterval(low, high);
        if (!(low > 0)) {
            throw new IllegalArgumentException("the lower end of the spectrum is " + low + ", expected more than 0");
        }
        return new RingSmoother(plan, false, new ChebyshevSteps(low, high));
    }

    /**
     * Makes Chebyshev's method of the fourth kind; the number of sweeps of {@link #smooth} is the degree.
     *
     * @param plan    the halo of the matrix
     * @param largest an upper bound of the spectrum of D⁻¹ A, positive
     * @return the smoother, with zeros for solution and right-hand side
     * @throws IllegalArgumentException if the bound is not positive and finite, or an element of the diagonal is zero
     *                                  or absent; names the row
     */
    public static RingSmoother chebyshevOfFourthKind(HaloPlan plan, double largest) {
        if (!(largest > 0 && largest < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the upper end of the spectrum is " + largest
                    + ", expected a finite number of more than 0");
        }
        return new RingSmoother(plan, false, new FourthKindSteps(largest));
    }

    private static DenseVector inverseDiagonal(HaloPlan plan, boolean sumsOfRows) {
        LocalRows rows = plan.localRows();
        HostVector inverse = HostVector.of(plan.precision(), rows.rows(), row -> {
            double sum = 0;
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                double value = rows.values().get(k);
                if (sumsOfRows) {
                    sum += Math.abs(value);
                } else if (rows.columns()[k] == row) {
                    sum = value;
                }
            }
            if (sum == 0) {
                throw new IllegalArgumentException("row " + plan.globalIndex(row) + " has no "
                        + (sumsOfRows ? "entry but zeros" : "element on the diagonal, or zero there")
                        + ", expected one to divide by");
            }
            return 1 / sum;
        });
        if (!plan.isOnDevice()) {
            return inverse;
        }
        DenseVector onDevice = plan.vector().elements().part(0, rows.rows());
        onDevice.copyFrom(inverse);
        return onDevice;
    }

    /**
     * Returns the right-hand side. After writing it call {@link RingVector#changed}.
     *
     * @return a vector of the plan, always the same
     */
    public RingVector rightHandSide() {
        return b;
    }

    /**
     * Returns the iterate. After writing it call {@link RingVector#changed}.
     *
     * @return a vector of the plan; another one after each sweep
     */
    public RingVector solution() {
        return current;
    }

    /**
     * Does sweeps; of Chebyshev's method, one application of that degree.
     *
     * @param sweeps how many
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void smooth(int sweeps) {
        steps.begin();
        for (int i = 0; i < sweeps; i++) {
            sweep(steps.momentum(), steps.length(), before);
            steps.advance();
        }
    }

    /**
     * Does sweeps from zero, whatever the iterate is: the first one needs no product. With more than one ring in use
     * the rings of the right-hand side travel before it, unless they are there, and as many sweeps and products follow
     * without another exchange as there are rings.
     *
     * @param sweeps how many, at least 1
     * @throws IllegalArgumentException if there is none
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void smoothFromZero(int sweeps) {
        Checks.positive("number of sweeps from zero", sweeps);
        if (inverses == null) {
            inverses = inversesOfAllRings();
        }
        if (plan.activeRings() > 1 && b.validRings() == 0) {
            HaloExchange exchange = plan.exchange(1).with(0, b);
            exchange.start();
            exchange.finish();
        }
        steps.begin();
        scale(b.validRings(), steps.length());
        next.setValidRings(b.validRings());
        RingVector first = next;
        next = current;
        current = first;
        steps.advance();
        if (sweeps > 1 && zeros == null) {
            zeros = plan.vector();
            zeros.setValidRings(plan.rings());
        }
        for (int i = 1; i < sweeps; i++) {
            sweep(steps.momentum(), steps.length(), i == 1 ? zeros : before);
            steps.advance();
        }
    }

    private RingVector inversesOfAllRings() {
        RingVector all = plan.vector();
        if (plan.isOnDevice()) {
            DenseVector owned = data.inverse().part(0, plan.rowsWithin(0));
            plan.deviceElements().update(1, null, owned, 0, all.within(0));
        } else {
            ((HostVector) data.inverse()).copyRange(0, all.values(), 0, plan.rowsWithin(0));
        }
        int active = plan.activeRings();
        plan.useRings(plan.rings());
        HaloExchange exchange = plan.exchange(1).with(0, all);
        exchange.start();
        exchange.finish();
        plan.useRings(active);
        return all;
    }

    /** Computes the first iterate from zero of owned rows and those of the first rings. */
    private void scale(int ring, double length) {
        if (plan.isOnDevice()) {
            plan.deviceElements().update(length, inverses.within(ring), b.within(ring), 0, next.within(ring));
            return;
        }
        int rows = plan.rowsWithin(ring);
        if (plan.precision() == Precision.F64) {
            double[] right = b.values().doubles();
            double[] inverse = inverses.values().doubles();
            double[] x = next.values().doubles();
            for (int row = 0; row < rows; row++) {
                x[row] = length * (inverse[row] * right[row]);
            }
            return;
        }
        float factor = (float) length;
        float[] right = b.values().floats();
        float[] inverse = inverses.values().floats();
        float[] x = next.values().floats();
        for (int row = 0; row < rows; row++) {
            x[row] = factor * (inverse[row] * right[row]);
        }
    }

    /**
     * Lets the number of rings be chosen by the times of the sweeps that follow. All ranks call it alike.
     *
     * @param chooser chooses it; serves this object only
     * @return this smoother
     * @throws IllegalArgumentException if the tuner is another plan's
     */
    public RingSmoother tunedBy(RingTuner chooser) {
        tuner = chooser.requirePlan(plan);
        return this;
    }

    /** Returns the halo. */
    HaloPlan plan() {
        return plan;
    }

    /** Returns what computes the owned rows of a sweep and nothing else: no exchange, and the iterate stays. */
    Runnable ownedSweep() {
        steps.begin();
        steps.advance();
        double momentum = steps.momentum();
        double length = steps.length();
        RingVector result = plan.vector();
        return () -> kernels.sweep(0, plan.rowsWithin(0), momentum, before.elements(), length, current.elements(), data,
                result.elements());
    }

    /** Does a sweep with an iterate before the current one, which is read if there is momentum. */
    private void sweep(double momentum, double length, RingVector older) {
        long began = tuner == null ? 0 : tuner.beginStep(current.validRings() == 0);
        activity.enter(current.validRings() == 0);
        int done = 0;
        if (current.validRings() == 0) {
            int enough = plan.activeRings() - 1;
            boolean takesRight = b.validRings() < enough;
            boolean takesBefore = momentum != 0 && older.validRings() < enough;
            int count = 1 + (takesRight ? 1 : 0) + (takesBefore ? 1 : 0);
            HaloExchange exchange = plan.exchange(count).with(0, current);
            if (takesRight) {
                exchange.with(1, b);
            }
            if (takesBefore) {
                exchange.with(count - 1, older);
            }
            exchange.start();
            done = plan.matrix().interiorRows();
            long phase = activity.begin();
            kernels.sweep(0, done, momentum, older.elements(), length, current.elements(), data, next.elements());
            activity.endInterior(phase);
            exchange.finish();
        }
        int depth = Math.min(current.validRings() - 1, b.validRings());
        if (momentum != 0) {
            depth = Math.min(depth, older.validRings());
        }
        long phase = activity.begin();
        kernels.sweep(done, plan.rowsWithin(depth), momentum, older.elements(), length, current.elements(), data,
                next.elements());
        activity.endRest(phase);
        next.setValidRings(depth);
        RingVector free = before;
        before = current;
        current = next;
        next = free;
        if (tuner != null) {
            tuner.endStep(began);
        }
    }

    /** All steps alike. */
    private record FixedStep(double length) implements Steps {
        @Override
        public void begin() {}

        @Override
        public void advance() {}

        @Override
        public double momentum() {
            return 0;
        }
    }

    /**
     * {@code x₁ = x₀ + r₀/θ} and {@code xⱼ₊₁ = xⱼ + ρⱼ ρⱼ₋₁ (xⱼ − xⱼ₋₁) + 2 ρⱼ/δ rⱼ} with {@code r = D⁻¹ (b − A x)}.
     */
    private static final class ChebyshevSteps implements Steps {
        private final double theta;
        private final double delta;
        private double rho;
        private double momentum;
        private double length;

        ChebyshevSteps(double low, double high) {
            theta = (high + low) / 2;
            delta = (high - low) / 2;
        }

        @Override
        public void begin() {
            rho = delta / theta;
            momentum = 0;
            length = 1 / theta;
        }

        @Override
        public void advance() {
            double following = 1 / (2 * theta / delta - rho);
            momentum = following * rho;
            length = 2 * following / delta;
            rho = following;
        }

        @Override
        public double momentum() {
            return momentum;
        }

        @Override
        public double length() {
            return length;
        }
    }

    /** {@code z₁ = 4/(3λ) r₀} and {@code zⱼ₊₁ = (2j − 1)/(2j + 3) zⱼ + (8j + 4)/((2j + 3) λ) rⱼ}, each added to x. */
    private static final class FourthKindSteps implements Steps {
        private final double largest;
        private int step;

        FourthKindSteps(double largest) {
            this.largest = largest;
        }

        @Override
        public void begin() {
            step = 0;
        }

        @Override
        public void advance() {
            step++;
        }

        @Override
        public double momentum() {
            return step == 0 ? 0 : (2.0 * step - 1) / (2.0 * step + 3);
        }

        @Override
        public double length() {
            return (8.0 * step + 4) / (2.0 * step + 3) / largest;
        }
    }
}
