package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;

/**
 * Compares the products of one operator with those of {@code reference}. A result may differ by what adding up its
 * terms in any order can do: {@code (n + 6) u (|α| |A| |x| + |β| |y|)} for n terms (Higham, Accuracy and Stability,
 * section 3.1).
 */
final class ProductComparison {
    private static final int EXTRA_ROUNDINGS = 6;

    private final Backend backend;
    private final SpmvOperator operator;
    private final SparseMatrix matrix;
    private final Precision precision;
    private final String context;
    private final int[] rowTerms;
    private final int[] columnTerms;

    ProductComparison(Backend backend, SpmvOperator operator, String context) {
        this.backend = backend;
        this.operator = operator;
        this.matrix = operator.matrix();
        this.precision = matrix.precision();
        this.context = context;
        this.rowTerms = new int[matrix.rows()];
        this.columnTerms = new int[matrix.columns()];
        matrix.forEachEntry((row, column, value) -> {
            rowTerms[row]++;
            columnTerms[column]++;
        });
    }

    void run(double[][] scalars, SplittableRandom random) {
        for (double[] pair : scalars) {
            String with = context + ", alpha " + pair[0] + ", beta " + pair[1];
            compareSingle(with, pair[0], pair[1], false, random);
            compareSingle(with + ", transposed", pair[0], pair[1], true, random);
        }
        for (int count : new int[]{1, 2, 3, 5, 8, 9}) {
            compareMultiple(context + ", " + count + " vectors", 1.5, count % 2 == 0 ? 0 : -0.5, count, random);
        }
    }

    /**
     * Compares with non-finite numbers in the operands and, if the caller has put some there, in the matrix: a result
     * is infinite or NaN where the reference's is, and elsewhere close to it.
     */
    void runWithNonFinite(SplittableRandom random) {
        double[] scattered = {Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
        for (int step : new int[]{7, 1, Integer.MAX_VALUE}) {
            String with = context + ", every " + step + "th element not finite";
            for (double[] pair : new double[][]{{1, 0}, {1, 1}, {-2.5, 0.5}}) {
                compareNonFinite(with + ", alpha " + pair[0] + ", beta " + pair[1], pair, false, step, scattered,
                        random);
                compareNonFinite(with + ", transposed", pair, true, step, scattered, random);
            }
            for (int count : new int[]{2, 4, 5}) {
                multipleNonFinite(with + ", " + count + " vectors", count, step, scattered, random);
            }
        }
    }

    private HostVector drawNonFinite(int length, int step, double[] scattered, SplittableRandom random) {
        HostVector x = draw(length, random);
        int start = step == 1 || length == 0 ? 0 : random.nextInt(Math.min(step, length));
        for (long i = start; i < length; i += step) {
            x.set((int) i, scattered[random.nextInt(scattered.length)]);
        }
        return x;
    }

    private void compareNonFinite(String with, double[] scalars, boolean transposed, int step, double[] scattered,
            SplittableRandom random) {
        HostVector x = drawNonFinite(transposed ? matrix.rows() : matrix.columns(), step, scattered, random);
        HostVector old = draw(transposed ? matrix.columns() : matrix.rows(), random);
        HostVector expected = old.copy();
        HostVector actual = old.copy();
        HostVector bound = boundFor(scalars[0], x, scalars[1], old, transposed);
        if (transposed) {
            reference(reference -> reference.multiplyTransposed(scalars[0], x, scalars[1], expected));
            onDevice(x, actual, (from, to) -> operator.multiplyTransposed(scalars[0], from, scalars[1], to));
        } else {
            reference(reference -> reference.multiply(scalars[0], x, scalars[1], expected));
            onDevice(x, actual, (from, to) -> operator.multiply(scalars[0], from, scalars[1], to));
        }
        assertAlike(with, expected, actual, bound);
    }

    private void multipleNonFinite(String with, int count, int step, double[] scattered, SplittableRandom random) {
        HostVector x = drawNonFinite(matrix.columns() * count, step, scattered, random);
        HostVector expected = HostVector.zeros(precision, matrix.rows() * count);
        HostVector actual = expected.copy();
        reference(reference -> reference.multiply(1, new MultiVector(x, matrix.columns(), count), 0,
                new MultiVector(expected, matrix.rows(), count)));
        onDevice(x, actual, (from, to) -> operator.multiply(1, new MultiVector(from, matrix.columns(), count), 0,
                new MultiVector(to, matrix.rows(), count)));
        assertAlike(with, expected, actual, multipleBound(1, x, 0, actual, count));
    }

    /** The same infinities and NaN in the same places, and close elsewhere. */
    private static void assertAlike(String with, HostVector expected, HostVector actual, HostVector bound) {
        for (int i = 0; i < actual.length(); i++) {
            boolean alike = Double.isFinite(expected.get(i))
                    ? Math.abs(expected.get(i) - actual.get(i)) <= bound.get(i)
                    : Double.compare(expected.get(i), actual.get(i)) == 0;
            int index = i;
            assertTrue(alike, () -> with + ": element " + index + " is " + actual.get(index) + ", reference has "
                    + expected.get(index) + ", allowed difference " + bound.get(index));
        }
    }

    private void compareSingle(String with, double alpha, double beta, boolean transposed, SplittableRandom random) {
        HostVector x = draw(transposed ? matrix.rows() : matrix.columns(), random);
        HostVector old = draw(transposed ? matrix.columns() : matrix.rows(), random);
        if (beta == 0) {
            old.fill(Double.NaN);
        }
        HostVector expected = old.copy();
        HostVector actual = old.copy();
        HostVector bound = boundFor(alpha, x, beta, old, transposed);
        if (transposed) {
            reference(reference -> reference.multiplyTransposed(alpha, x, beta, expected));
            onDevice(x, actual, (from, to) -> operator.multiplyTransposed(alpha, from, beta, to));
        } else {
            reference(reference -> reference.multiply(alpha, x, beta, expected));
            onDevice(x, actual, (from, to) -> operator.multiply(alpha, from, beta, to));
        }
        assertClose(with, expected, actual, bound);
    }

    private void compareMultiple(String with, double alpha, double beta, int count, SplittableRandom random) {
        HostVector x = draw(matrix.columns() * count, random);
        HostVector old = draw(matrix.rows() * count, random);
        HostVector expected = old.copy();
        HostVector actual = old.copy();
        reference(reference -> reference.multiply(alpha, new MultiVector(x, matrix.columns(), count), beta,
                new MultiVector(expected, matrix.rows(), count)));
        onDevice(x, actual, (from, to) -> operator.multiply(alpha, new MultiVector(from, matrix.columns(), count), beta,
                new MultiVector(to, matrix.rows(), count)));
        assertClose(with, expected, actual, multipleBound(alpha, x, beta, old, count));
    }

    private HostVector multipleBound(double alpha, HostVector x, double beta, HostVector old, int count) {
        HostVector bound = HostVector.zeros(Precision.F64, old.length());
        matrix.forEachEntry((row, column, value) -> {
            for (int v = 0; v < count; v++) {
                add(bound, row * count + v, alpha * value * x.get(column * count + v));
            }
        });
        for (int i = 0; i < bound.length(); i++) {
            bound.set(i, allowance(rowTerms[i / count], bound.get(i) + Math.abs(beta * old.get(i))));
        }
        return bound;
    }

    private HostVector boundFor(double alpha, HostVector x, double beta, HostVector old, boolean transposed) {
        HostVector bound = HostVector.zeros(Precision.F64, old.length());
        matrix.forEachEntry((row, column, value) -> {
            int target = transposed ? column : row;
            add(bound, target, alpha * value * x.get(transposed ? row : column));
        });
        for (int i = 0; i < bound.length(); i++) {
            double scale = bound.get(i) + (beta == 0 ? 0 : Math.abs(beta * old.get(i)));
            bound.set(i, allowance(transposed ? columnTerms[i] : rowTerms[i], scale));
        }
        return bound;
    }

    private static void add(HostVector sums, int index, double term) {
        sums.set(index, sums.get(index) + Math.abs(term));
    }

    private double allowance(int terms, double scale) {
        return (terms + EXTRA_ROUNDINGS) * precision.unitRoundoff() * scale;
    }

    private static void assertClose(String with, HostVector expected, HostVector actual, HostVector bound) {
        for (int i = 0; i < actual.length(); i++) {
            double difference = Math.abs(expected.get(i) - actual.get(i));
            double allowed = bound.get(i);
            int index = i;
            assertTrue(difference <= allowed, () -> with + ": element " + index + " is " + actual.get(index)
                    + ", reference has " + expected.get(index) + ", allowed difference " + allowed);
        }
    }

    private void reference(java.util.function.Consumer<SpmvOperator> product) {
        try (Backend reference = SparseKernelsContract.openReference();
                SpmvOperator plain = reference.kernels(SparseKernels.class).prepare(matrix)) {
            product.accept(plain);
        }
    }

    private void onDevice(HostVector x, HostVector y, BiConsumer<DenseVector, DenseVector> product) {
        try (DenseVector from = backend.vector(precision, x.length());
                DenseVector to = backend.vector(precision, y.length())) {
            from.copyFrom(x);
            to.copyFrom(y);
            product.accept(from, to);
            to.copyTo(y);
        }
    }

    private HostVector draw(int length, SplittableRandom random) {
        return HostVector.of(precision, length, i -> random.nextDouble(-1, 1));
    }
}
