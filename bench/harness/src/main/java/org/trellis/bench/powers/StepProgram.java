package org.trellis.bench.powers;

import java.util.function.Supplier;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.powers.RingModel;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.distributed.powers.RingTuner;
import org.trellis.sparse.LinearOperator;

/** Steps in a row on several ranks, each a product of some kind; runs on every rank alike. */
sealed interface StepProgram {
    /** Begins from the same vector as ever. */
    void begin();

    /** Does steps. */
    void run(int steps);

    /** Returns the vector of the last step. */
    RingVector result();

    /** Measures what steps and exchanges take, and predicts steps for each number of rings. */
    RingModel model();

    /** Lets a tuner choose the number of rings while steps are done; null to leave it alone again. */
    void tunedBy(RingTuner tuner);

    /** {@code x' = A x / ‖A‖}, again and again. */
    final class Products implements StepProgram {
        private final RingProduct plain;
        private final HaloPlan plan;
        private final LinearOperator interior;
        private final double factor;
        private final RingVector[] vectors;
        private RingProduct product;
        private int current;

        Products(HaloPlan plan, double factor, LinearOperator interior) {
            this.plan = plan;
            this.interior = interior;
            this.plain = product();
            this.product = plain;
            this.factor = factor;
            this.vectors = new RingVector[]{plan.vector(), plan.vector()};
        }

        private RingProduct product() {
            RingProduct made = new RingProduct(plan);
            return interior == null ? made : made.interiorBy(interior);
        }

        @Override
        public void begin() {
            current = 0;
            vectors[0].set(i -> 1.0 / (1 + i % 7));
        }

        @Override
        public void run(int steps) {
            for (int step = 0; step < steps; step++) {
                product.combine(factor, vectors[current], 0, vectors[current], 0, vectors[1 - current]);
                current = 1 - current;
            }
        }

        @Override
        public RingVector result() {
            return vectors[current];
        }

        @Override
        public RingModel model() {
            return RingModel.measure(plan);
        }

        @Override
        public void tunedBy(RingTuner tuner) {
            product = tuner == null ? plain : product().tunedBy(tuner);
        }
    }

    /** Sweeps of a smoother with a right-hand side that does not change. */
    final class Sweeps implements StepProgram {
        private static final double OMEGA = 0.8;

        private final Supplier<RingSmoother> maker;
        private final int degree;
        private final RingSmoother plain;
        private RingSmoother smoother;

        private Sweeps(Supplier<RingSmoother> maker, int degree) {
            this.maker = maker;
            this.degree = degree;
            this.plain = made();
            this.smoother = plain;
        }

        /** Damped sweeps of Jacobi's method. */
        static Sweeps jacobi(HaloPlan plan) {
            return new Sweeps(() -> RingSmoother.jacobi(plan, OMEGA), Integer.MAX_VALUE);
        }

        /** Chebyshev's method of the fourth kind; so many sweeps are one polynomial. */
        static Sweeps chebyshev(HaloPlan plan, double largest, int degree) {
            return new Sweeps(() -> RingSmoother.chebyshevOfFourthKind(plan, largest), degree);
        }

        private RingSmoother made() {
            RingSmoother made = maker.get();
            made.rightHandSide().set(i -> 1 + i % 5);
            return made;
        }

        @Override
        public void begin() {
            smoother.solution().set(i -> 1.0 / (1 + i % 7));
        }

        @Override
        public void run(int steps) {
            for (int done = 0; done < steps; done += Math.min(degree, steps - done)) {
                smoother.smooth(Math.min(degree, steps - done));
            }
        }

        @Override
        public RingVector result() {
            return smoother.solution();
        }

        @Override
        public RingModel model() {
            return RingModel.measure(plain);
        }

        @Override
        public void tunedBy(RingTuner tuner) {
            smoother = tuner == null ? plain : made().tunedBy(tuner);
        }
    }
}
