package org.trellis.tuner.form;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.fem.FormSystem;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.LinearOperator;
import org.trellis.tuner.contest.WorkClock;

/** Times assemblies and products of systems, and compares their products with those of the first. */
final class FormMeter implements AutoCloseable {
    private static final int TURNS = 5;
    private static final int TIMED = 3;
    private static final int MOST_WARM_UPS = 60;
    /** Until then the JVM may still be compiling. */
    private static final double WARM_SECONDS = 0.15;
    /** Sums of other order differ by some units in the last place of the largest, of high degrees by many. */
    private static final double DOUBLE_ROUNDING = 1e-9;
    private static final double FLOAT_ROUNDING = 1e-4;

    private final Backend backend;
    private final int products;
    private final WorkClock clock;
    private double[] expected;
    private double largest;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    FormMeter(Backend backend, int products) {
        this.backend = backend;
        this.products = products;
        this.clock = WorkClock.of(backend);
        if (clock == null) {
            throw new IllegalArgumentException("backend " + backend.name()
                    + " has no clock, expected one whose assemblies can be timed");
        }
    }

    /**
     * Times a system.
     *
     * @return seconds of an assembly and the products, for each turn; empty if a product is wrong
     */
    Optional<double[]> time(FormSystem system) {
        system.assemble();
        LinearOperator operator = system.operator();
        SplittableRandom random = new SplittableRandom(1);
        HostVector operand = HostVector.of(operator.precision(), operator.rows(), row -> random.nextDouble(-1, 1));
        try (DenseVector x = backend.vector(operator.precision(), operator.rows());
                DenseVector y = backend.vector(operator.precision(), operator.rows())) {
            x.copyFrom(operand);
            operator.apply(x, y);
            if (!isRight(y)) {
                return Optional.empty();
            }
            warmUp(system, x, y);
            double[] seconds = new double[TURNS];
            for (int turn = 0; turn < TURNS; turn++) {
                seconds[turn] = least(system::assemble) + products * least(() -> operator.apply(x, y));
            }
            return Optional.of(seconds);
        }
    }

    private boolean isRight(DenseVector y) {
        HostVector values = HostVector.zeros(y.precision(), y.length());
        y.copyTo(values);
        if (expected == null) {
            expected = new double[values.length()];
            for (int row = 0; row < expected.length; row++) {
                expected[row] = values.get(row);
                largest = Math.max(largest, Math.abs(expected[row]));
            }
            return true;
        }
        double most = largest * (y.precision() == Precision.F64 ? DOUBLE_ROUNDING : FLOAT_ROUNDING);
        for (int row = 0; row < expected.length; row++) {
            if (!(Math.abs(values.get(row) - expected[row]) <= most)) {
                return false;
            }
        }
        return true;
    }

    private void warmUp(FormSystem system, DenseVector x, DenseVector y) {
        double all = 0;
        for (int k = 0; k < MOST_WARM_UPS && all < WARM_SECONDS; k++) {
            all += seconds(() -> {
                system.assemble();
                system.operator().apply(x, y);
            });
        }
    }

    /** What disturbs a run makes it longer, so the least of some counts. */
    private double least(Runnable work) {
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < TIMED; k++) {
            least = Math.min(least, seconds(work));
        }
        return least;
    }

    private double seconds(Runnable work) {
        clock.begin();
        work.run();
        clock.end();
        return clock.seconds().orElseThrow(() -> new IllegalStateException("time of " + backend.name()
                + " is not known yet, expected a clock of the host"));
    }

    @Override
    public void close() {
        clock.close();
    }
}
