package org.trellis.tuner.product.search;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.product.online.ProductWarmUp;

/**
 * Times the products of one matrix and checks them. On a device that works asynchronously its own clock counts, else
 * the host's; there, products run until the JVM has compiled them and times are steady.
 */
public final class ProductMeter implements AutoCloseable {
    private static final int DEVICE_SAMPLES = 20;
    private static final int HOST_SAMPLES = 9;
    private static final double SAMPLE_SECONDS = 100e-6;
    private static final int EXTRA_ROUNDINGS = 6;

    private final Backend backend;
    private final CsrMatrix matrix;
    private final DenseVector x;
    private final DenseVector y;
    private final HostVector result;
    private final double[] expected;
    private final double[] bound;
    private final Optional<DeviceTiming> timing;

    /**
     * Prepares vectors and the right product.
     *
     * @param backend an open backend
     * @param matrix  the matrix
     * @param seed    decides on the vector that is multiplied
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the vectors are closed with this
    public ProductMeter(Backend backend, CsrMatrix matrix, long seed) {
        this.backend = backend;
        this.matrix = matrix;
        this.timing = backend.optionalKernels(DeviceTiming.class);
        SplittableRandom random = new SplittableRandom(seed);
        HostVector host = HostVector.of(matrix.precision(), matrix.columns(), i -> random.nextDouble(-1, 1));
        this.result = HostVector.zeros(matrix.precision(), matrix.rows());
        this.expected = new double[matrix.rows()];
        this.bound = new double[matrix.rows()];
        int[] lengths = matrix.rowLengths();
        matrix.forEachEntry((row, column, value) -> {
            expected[row] += value * host.get(column);
            bound[row] += Math.abs(value * host.get(column));
        });
        for (int row = 0; row < bound.length; row++) {
            bound[row] *= (lengths[row] + EXTRA_ROUNDINGS) * matrix.precision().unitRoundoff();
        }
        this.x = backend.vector(matrix.precision(), matrix.columns());
        try {
            x.copyFrom(host);
            this.y = backend.vector(matrix.precision(), matrix.rows());
        } catch (RuntimeException | OutOfMemoryError e) {
            x.close();
            throw e;
        }
    }

    /**
     * Returns the vector that is multiplied.
     *
     * @return x, in the backend's memory
     */
    public DenseVector x() {
        return x;
    }

    /**
     * Returns the vector that the product goes to.
     *
     * @return y, in the backend's memory
     */
    public DenseVector y() {
        return y;
    }

    /**
     * Returns the precision of the products.
     *
     * @return that of the matrix
     */
    public Precision precision() {
        return matrix.precision();
    }

    /**
     * Runs a product and checks it.
     *
     * @param operator an operator of the matrix
     * @return true if each element differs from the sum in double precision by no more than rounding can make it
     */
    public boolean isRight(SpmvOperator operator) {
        operator.multiply(x, y);
        y.copyTo(result);
        for (int row = 0; row < expected.length; row++) {
            double value = result.get(row);
            if (!(Math.abs(value - expected[row]) <= bound[row]) && Double.isFinite(expected[row])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Times products.
     *
     * @param operator an operator of the matrix
     * @return seconds of several products, or of several means of a few
     */
    public double[] time(SpmvOperator operator) {
        if (timing.isPresent()) {
            return timing.get().time(DEVICE_SAMPLES, () -> operator.multiply(x, y));
        }
        ProductWarmUp.run(backend, operator.parameters(), matrix.precision(), () -> once(operator));
        return sample(operator, HOST_SAMPLES);
    }

    /**
     * Times products on the host's clock without a warm-up.
     *
     * @param operator an operator of the matrix
     * @param samples  how many times
     * @return seconds of a product each, of short ones the mean of a few
     */
    public double[] sample(SpmvOperator operator, int samples) {
        int batch = (int) Math.max(1, Math.min(1000, SAMPLE_SECONDS / once(operator)));
        double[] seconds = new double[samples];
        for (int i = 0; i < samples; i++) {
            long start = System.nanoTime();
            for (int k = 0; k < batch; k++) {
                operator.multiply(x, y);
            }
            synchronize();
            seconds[i] = Math.max(1e-9, (System.nanoTime() - start) * 1e-9 / batch);
        }
        return seconds;
    }

    private double once(SpmvOperator operator) {
        long start = System.nanoTime();
        operator.multiply(x, y);
        synchronize();
        return Math.max(1e-9, (System.nanoTime() - start) * 1e-9);
    }

    /** Waits for the device, if it works asynchronously. */
    public void synchronize() {
        timing.ifPresent(DeviceTiming::synchronize);
    }

    /**
     * Returns whether times come from a device's clock.
     *
     * @return false on the host
     */
    public boolean hasDeviceClock() {
        return timing.isPresent();
    }

    /**
     * Returns the backend.
     *
     * @return the backend that products run on
     */
    public Backend backend() {
        return backend;
    }

    /**
     * Returns the median.
     *
     * @param seconds at least one number
     * @return the middle one, or the mean of the two in the middle
     */
    public static double median(double... seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    @Override
    public void close() {
        x.close();
        y.close();
    }
}
