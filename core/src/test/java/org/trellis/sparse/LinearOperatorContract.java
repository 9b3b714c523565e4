package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/**
 * What prepared matrices of every backend must do as linear operators: fused products give what the products they are
 * fused of give, bound steps give the bits of the calls, a refilled operator those of a fresh one, and parts of vectors
 * are operands like any other. A backend's test extends this class and opens the backend.
 */
public abstract class LinearOperatorContract {
    private static final int MAXIMUM_PARAMETER_SETS = 16;
    private static final double UNTOUCHED = 77;

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Returns how many sets of parameters are drawn for a matrix.
     *
     * @return a number; fewer where each set is compiled
     */
    protected int parameterSets() {
        return MAXIMUM_PARAMETER_SETS;
    }

    /**
     * Returns how many matrices are checked at the same time, each with a backend of its own.
     *
     * @return a number; more than one where kernels are compiled
     */
    protected int atOnce() {
        return 1;
    }

    /** What one test does with one operator. */
    private interface Check {
        void run(Bench bench);
    }

    /** An operator with vectors to go with it, which it closes. */
    private static final class Bench implements AutoCloseable {
        final Backend backend;
        final SpmvOperator operator;
        final SplittableRandom random;
        final String context;
        private final List<DenseVector> vectors = new ArrayList<>();

        Bench(Backend backend, SpmvOperator operator, SplittableRandom random, String context) {
            this.backend = backend;
            this.operator = operator;
            this.random = random;
            this.context = context;
        }

        @SuppressWarnings("MustBeClosed") // closed by the test
        DenseVector upload(HostVector host) {
            DenseVector vector = backend.vector(host.precision(), host.length());
            vectors.add(vector);
            vector.copyFrom(host);
            return vector;
        }

        DenseVector drawn(int length) {
            return upload(HostVector.of(operator.precision(), length, i -> random.nextDouble(-1, 1)));
        }

        DenseVector filled(int length, double value) {
            return upload(HostVector.zeros(operator.precision(), length).fill(value));
        }

        DenseVector results() {
            return upload(HostVector.zeros(Precision.F64, 3).fill(UNTOUCHED));
        }

        double result(DenseVector results) {
            double[] all = download(results);
            assertEquals(UNTOUCHED, all[0], context);
            assertEquals(UNTOUCHED, all[2], context);
            return all[1];
        }

        @Override
        public void close() {
            operator.close();
            vectors.forEach(DenseVector::close);
        }
    }

    private static double[] download(DenseVector vector) {
        HostVector host = HostVector.zeros(vector.precision(), vector.length());
        vector.copyTo(host);
        return host.toDoubleArray();
    }

    private void forEach(String name, Precision precision, Check check) {
        SplittableRandom random = TestSeed.random(name + precision);
        Map<String, CsrMatrix> matrices = AwkwardMatrices.all(precision, random);
        matrices.put("long rows", AwkwardMatrices.random(1200, 1200,
                row -> row == 77 ? 1200 : row % 40, precision, random));
        List<String> labels = List.copyOf(matrices.keySet());
        List<Callable<Void>> parts = new ArrayList<>();
        for (int part = 0; part < atOnce(); part++) {
            int first = part;
            SplittableRandom own = random.split();
            parts.add(() -> {
                try (Backend backend = openBackend()) {
                    for (int i = first; i < labels.size(); i += atOnce()) {
                        check(check, backend, labels.get(i), matrices.get(labels.get(i)), own);
                    }
                }
                return null;
            });
        }
        runAll(parts);
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private void check(Check check, Backend backend, String label, CsrMatrix matrix, SplittableRandom random) {
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        for (SpmvParameters parameters : sample(kernels.parameterSpace(matrix), random)) {
            String context = label + ", " + matrix + ", " + parameters + ", seed " + TestSeed.value();
            try (Bench bench = new Bench(backend, kernels.prepare(matrix, parameters), random, context)) {
                check.run(bench);
            }
        }
    }

    /** Runs the parts at the same time, and fails or is skipped as the first of them that does. */
    private static void runAll(List<Callable<Void>> parts) {
        try (ExecutorService threads = Executors.newFixedThreadPool(parts.size())) {
            for (Future<Void> part : threads.invokeAll(parts)) {
                part.get();
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Error error -> throw error;
                case RuntimeException exception -> throw exception;
                default -> throw new AssertionError(e.getCause());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private List<SpmvParameters> sample(List<SpmvParameters> space, SplittableRandom random) {
        List<SpmvParameters> drawn = new ArrayList<>(space);
        while (drawn.size() > parameterSets()) {
            drawn.remove(random.nextInt(drawn.size()));
        }
        return drawn;
    }

    private static void assertDot(double[] w, double[] y, Precision precision, double actual, String context) {
        double expected = 0;
        double scale = 0;
        for (int i = 0; i < y.length; i++) {
            expected += w[i] * y[i];
            scale += Math.abs(w[i] * y[i]);
        }
        assertEquals(expected, actual, (y.length + 6) * precision.unitRoundoff() * scale, context);
    }

    /**
     * Gives the product's bits, the dot product of them, and the same bits of that each time.
     *
     * @param precision the type of the values
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void multipliesAndDots(Precision precision) {
        forEach("multipliesAndDots", precision, bench -> {
            SpmvOperator operator = bench.operator;
            DenseVector x = bench.drawn(operator.columns());
            DenseVector w = bench.drawn(operator.rows());
            DenseVector y = bench.filled(operator.rows(), Double.NaN);
            DenseVector plain = bench.filled(operator.rows(), Double.NaN);
            DenseVector results = bench.results();
            operator.multiply(1.5, x, 0, plain);
            operator.multiplyAndDot(1.5, x, 0, y, w, results, 1);
            assertArrayEquals(download(plain), download(y), bench.context);
            double dot = bench.result(results);
            assertDot(download(w), download(y), precision, dot, bench.context);
            for (int i = 0; i < 2; i++) {
                operator.multiplyAndDot(1.5, x, 0, y, w, results, 1);
                assertEquals(dot, bench.result(results), bench.context + ": other bits");
            }
            operator.multiplyAndDot(-1, x, 0.5, y, y, results, 1);
            assertDot(download(y), download(y), precision, bench.result(results), bench.context + ", w is y");
        });
    }

    /**
     * Computes residuals, and Jacobi's steps.
     *
     * @param precision the type of the values
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void computesResidualsAndJacobiSteps(Precision precision) {
        forEach("computesResiduals", precision, bench -> {
            SpmvOperator operator = bench.operator;
            DenseVector x = bench.drawn(operator.columns());
            DenseVector b = bench.drawn(operator.rows());
            DenseVector r = bench.filled(operator.rows(), Double.NaN);
            DenseVector plain = bench.upload(HostVector.of(download(b)).convert(precision));
            operator.multiply(-1, x, 1, plain);
            operator.residual(b, x, r);
            double[] expected = download(plain);
            assertArrayEquals(expected, download(r), allowance(operator, precision), bench.context);
            if (operator.isSquare()) {
                DenseVector d = bench.drawn(operator.rows());
                DenseVector y = bench.filled(operator.rows(), Double.NaN);
                operator.jacobiStep(0.75, x, d, b, y);
                double[] factors = download(d);
                double[] old = download(x);
                for (int i = 0; i < old.length; i++) {
                    old[i] += 0.75 * factors[i] * expected[i];
                }
                assertArrayEquals(old, download(y), 2 * allowance(operator, precision), bench.context);
            }
        });
    }

    /** What rounding can do to a row of terms below one. */
    private static double allowance(SpmvOperator operator, Precision precision) {
        double largest = 1;
        CsrMatrix matrix = operator.matrix().toCsr();
        double[] sums = new double[matrix.rows()];
        matrix.forEachEntry((row, column, value) -> sums[row] += Math.abs(value));
        for (double sum : sums) {
            largest = Math.max(largest, 1 + sum);
        }
        return (matrix.columns() + 10) * precision.unitRoundoff() * largest;
    }

    /** Gives the bits of the calls when run as steps, and refuses what changed since. */
    @Test
    void bindsSteps() {
        forEach("bindsSteps", Precision.F64, bench -> {
            SpmvOperator operator = bench.operator;
            DenseVector x = bench.drawn(operator.columns());
            DenseVector w = bench.drawn(operator.rows());
            DenseVector y = bench.filled(operator.rows(), Double.NaN);
            DenseVector expected = bench.filled(operator.rows(), Double.NaN);
            DenseVector results = bench.results();
            DenseVector expectedResults = bench.results();
            try (PreparedStep product = operator.bind(2, x, 0, y);
                    PreparedStep dot = operator.bindMultiplyAndDot(-1, x, 0.5, y, w, results, 1);
                    PreparedStep residual = operator.bindResidual(w, x, y)) {
                for (int run = 0; run < 2; run++) {
                    product.run();
                    operator.multiply(2, x, 0, expected);
                    assertArrayEquals(download(expected), download(y), bench.context);
                    dot.run();
                    operator.multiplyAndDot(-1, x, 0.5, expected, w, expectedResults, 1);
                    assertArrayEquals(download(expected), download(y), bench.context);
                    assertEquals(bench.result(expectedResults), bench.result(results), bench.context);
                    residual.run();
                    operator.residual(w, x, expected);
                    assertArrayEquals(download(expected), download(y), bench.context);
                    x.copyFrom(HostVector.of(Precision.F64, x.length(), i -> bench.random.nextDouble(-1, 1)));
                }
                operator.close();
                assertThrows(IllegalStateException.class, product::run, bench.context);
                assertThrows(IllegalStateException.class, dot::run, bench.context);
            }
        });
    }

    /**
     * Gives the bits of a fresh operator after a refill: plain, transposed, with several vectors, fused, bound.
     *
     * @param precision the type of the values
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void refills(Precision precision) {
        forEach("refills", precision, bench -> {
            SpmvOperator operator = bench.operator;
            DenseVector x = bench.drawn(operator.columns());
            DenseVector y = bench.drawn(operator.rows());
            DenseVector up = bench.drawn(operator.rows());
            DenseVector down = bench.drawn(operator.columns());
            operator.multiply(x, y);
            operator.multiplyTransposed(1, up, 0, down);
            CsrMatrix old = operator.matrix().toCsr();
            int nonZeros = (int) old.nonZeros();
            try (PreparedStep step = operator.bind(1, x, 0, y)) {
                for (int round = 0; round < 2; round++) {
                    HostVector values = HostVector.of(precision, nonZeros, i -> bench.random.nextDouble(-2, 2));
                    CsrMatrix wanted = (CsrMatrix) old.withValues(values);
                    operator.refill(round == 0 ? values : bench.upload(values));
                    step.run();
                    try (SpmvOperator fresh =
                            bench.backend.kernels(SparseKernels.class).prepare(wanted, operator.parameters())) {
                        DenseVector expected = bench.drawn(operator.rows());
                        DenseVector expectedDown = bench.drawn(operator.columns());
                        fresh.multiply(x, expected);
                        assertArrayEquals(download(expected), download(y), bench.context + ", bound");
                        operator.multiply(x, y);
                        assertArrayEquals(download(expected), download(y), bench.context);
                        fresh.multiplyTransposed(1, up, 0, expectedDown);
                        operator.multiplyTransposed(1, up, 0, down);
                        assertArrayEquals(download(expectedDown), download(down), bench.context + ", transposed");
                    }
                    assertTrue(wanted.sameAs(operator.matrix().toCsr()), bench.context);
                }
            }
            assertTrue(old.sameAs(old), bench.context);
        });
    }

    /** Refills matrices of every format, and leaves the matrix that was given as it is. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refillsEveryFormat() {
        SplittableRandom random = TestSeed.random("refillsEveryFormat");
        CsrMatrix csr = AwkwardMatrices.symmetrised(AwkwardMatrices.random(90, 90, r -> r % 9, Precision.F64, random));
        try (Backend backend = openBackend()) {
            for (SparseMatrix matrix : List.of(csr, CooMatrix.from(csr), EllMatrix.from(csr),
                    SellMatrix.from(csr, 4, 32), SymmetricMatrix.from(csr))) {
                CsrMatrix before = matrix.toCsr().mapValues((row, column, value) -> value);
                CsrMatrix wanted = csr.mapValues((row, column, value) -> row + 2.0 * column + 1 + row * column
                        + column - row + row);
                CsrMatrix symmetric = csr.mapValues((row, column, value) -> 1.0 + row * column);
                CsrMatrix next = matrix instanceof SymmetricMatrix ? symmetric : wanted;
                try (Bench bench = new Bench(backend, backend.kernels(SparseKernels.class).prepare(matrix), random,
                        matrix + ", seed " + TestSeed.value());
                        SpmvOperator fresh = backend.kernels(SparseKernels.class)
                                .prepare(matrix.withValues(next.onlySegment().values()))) {
                    DenseVector x = bench.drawn(90);
                    DenseVector y = bench.drawn(90);
                    DenseVector expected = bench.drawn(90);
                    bench.operator.refill(next.onlySegment().values());
                    bench.operator.multiply(x, y);
                    fresh.multiply(x, expected);
                    assertArrayEquals(download(expected), download(y), bench.context);
                    assertTrue(before.sameAs(matrix.toCsr()), bench.context + ": the matrix given has changed");
                    assertTrue(next.sameAs(bench.operator.matrix().toCsr()), bench.context);
                    assertThrows(IllegalArgumentException.class, () -> bench.operator.refill(1, 2, 3));
                }
            }
        }
    }

    /** Takes parts of vectors as operands and leaves the rest of them alone. */
    @Test
    void multipliesParts() {
        forEach("multipliesParts", Precision.F64, bench -> {
            SpmvOperator operator = bench.operator;
            int rows = operator.rows();
            int columns = operator.columns();
            DenseVector x = bench.drawn(columns);
            DenseVector y = bench.filled(rows, 1);
            operator.multiply(2, x, -1, y);
            double[] expected = download(y);
            for (int shift : new int[]{0, 3}) {
                double[] longer = new double[columns + 2 * shift + 1];
                System.arraycopy(download(x), 0, longer, shift, columns);
                DenseVector from = bench.upload(HostVector.of(longer)).part(shift, columns);
                DenseVector whole = bench.filled(rows + 2 * shift + 1, 1);
                DenseVector to = whole.part(shift, rows);
                DenseVector results = bench.results();
                operator.multiply(2, from, -1, to);
                assertArrayEquals(expected, download(to), bench.context + ", shift " + shift);
                operator.multiplyAndDot(2, from, 0, to, to, results, 1);
                assertDot(download(to), download(to), Precision.F64, bench.result(results), bench.context);
                double[] all = download(whole);
                for (int i = 0; i < shift; i++) {
                    assertEquals(1, all[i], bench.context + ": element before the part");
                }
                for (int i = shift + rows; i < all.length; i++) {
                    assertEquals(1, all[i], bench.context + ": element behind the part");
                }
            }
        });
    }

    /** Refuses parts that overlap, results that do not fit, and steps of matrices that are not square. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesBadOperands() {
        try (Backend backend = openBackend();
                SpmvOperator square = backend.kernels(SparseKernels.class).prepare(
                        CsrMatrix.identity(3, Precision.F64));
                SpmvOperator wide = backend.kernels(SparseKernels.class).prepare(
                        CsrMatrix.of(1, 2, new int[]{0, 1}, new int[]{1}, new double[]{1}));
                DenseVector eight = backend.vector(Precision.F64, 8);
                DenseVector x = backend.vector(Precision.F64, 3);
                DenseVector y = backend.vector(Precision.F64, 3);
                DenseVector w = backend.vector(Precision.F64, 3);
                DenseVector two = backend.vector(Precision.F64, 2);
                DenseVector one = backend.vector(Precision.F64, 1);
                DenseVector single = backend.vector(Precision.F32, 3)) {
            square.multiply(eight.part(0, 3), eight.part(3, 3));
            refused("overlap", () -> square.multiply(eight.part(0, 3), eight.part(2, 3)));
            refused("overlap", () -> square.bind(1, eight.part(0, 3), 0, eight.part(2, 3)));
            refused("overlap", () -> square.multiplyAndDot(1, eight.part(0, 3), 0, eight.part(3, 3), x, eight, 7));
            refused("overlap", () -> square.multiplyAndDot(1, x, 0, eight.part(3, 3), eight.part(5, 3), y, 0));
            refused("result has precision f32", () -> square.multiplyAndDot(1, x, 0, y, w, single, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> square.multiplyAndDot(1, x, 0, y, w, two, 2));
            refused("overlap", () -> square.residual(w, x, x));
            refused("overlap", () -> square.bindResidual(y, x, y));
            refused("square", () -> wide.jacobiStep(1, two, one, one, single));
            refused("overlap", () -> square.jacobiStep(1, x, w, y, y));
            refused("has 2 elements, expected 3", () -> square.bindJacobiStep(1, x, two, w, y));
        }
    }

    private static void refused(String expected, Runnable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    /**
     * Makes operators of operators that do what their parts do.
     *
     * @param precision the type of the values
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    @SuppressWarnings("MustBeClosed") // closed by the test
    void makesOperatorsOfOperators(Precision precision) {
        SplittableRandom random = TestSeed.random("makesOperators" + precision);
        CsrMatrix a = AwkwardMatrices.random(40, 40, r -> r % 7, precision, random);
        CsrMatrix b = AwkwardMatrices.random(40, 40, r -> r % 5, precision, random);
        try (Backend backend = openBackend();
                Bench bench = new Bench(backend, backend.kernels(SparseKernels.class).prepare(a), random,
                        "seed " + TestSeed.value());
                SpmvOperator second = backend.kernels(SparseKernels.class).prepare(b)) {
            Operators operators = Operators.on(backend);
            DenseVector d = bench.drawn(40);
            double[][] dense = dense(a);
            double[][] other = dense(b);
            LinearOperator first = bench.operator;
            compare(bench, operators.identity(40, precision), combine(dense, (m, i, j) -> i == j ? 1 : 0));
            double[] diagonal = download(d);
            compare(bench, operators.diagonal(d), combine(dense, (m, i, j) -> i == j ? diagonal[i] : 0));
            compare(bench, operators.scaled(-3, first), combine(dense, (m, i, j) -> -3 * m[i][j]));
            compare(bench, operators.sum(first, second, operators.diagonal(d)),
                    combine(dense, (m, i, j) -> m[i][j] + other[i][j] + (i == j ? diagonal[i] : 0)));
            compare(bench, first.transposed(), combine(dense, (m, i, j) -> m[j][i]));
            try (LinearOperator product = operators.product(first, second)) {
                compare(bench, product, combine(dense, (m, i, j) -> {
                    double sum = 0;
                    for (int k = 0; k < 40; k++) {
                        sum += m[i][k] * other[k][j];
                    }
                    return sum;
                }));
            }
            LinearOperator function = operators.of(first.domain(), first.range(), first::apply);
            LinearOperator both = operators.of(first.domain(), first.range(), first::apply, first::applyTransposed);
            compare(bench, both, dense);
            DenseVector x = bench.drawn(40);
            DenseVector y = bench.drawn(40);
            assertThrows(UnsupportedOperationException.class, () -> function.applyTransposed(1, x, 0, y));
            assertThrows(IllegalArgumentException.class,
                    () -> operators.sum(first, operators.identity(41, precision)));
        }
    }

    /** An element of a matrix made of another. */
    private interface Element {
        double of(double[][] matrix, int i, int j);
    }

    private static double[][] combine(double[][] matrix, Element element) {
        double[][] made = new double[matrix.length][matrix.length];
        for (int i = 0; i < made.length; i++) {
            for (int j = 0; j < made.length; j++) {
                made[i][j] = element.of(matrix, i, j);
            }
        }
        return made;
    }

    private static double[][] dense(CsrMatrix matrix) {
        double[][] dense = new double[matrix.rows()][matrix.columns()];
        matrix.forEachEntry((row, column, value) -> dense[row][column] = value);
        return dense;
    }

    private static void compare(Bench bench, LinearOperator operator, double[][] dense) {
        String context = operator + ", " + bench.context;
        Precision precision = operator.precision();
        DenseVector x = bench.drawn(40);
        DenseVector old = bench.drawn(40);
        DenseVector y = bench.upload(HostVector.of(download(old)).convert(precision));
        double[] operand = download(x);
        double[] before = download(old);
        double allowed = 200 * 40 * precision.unitRoundoff();
        operator.apply(2, x, -1, y);
        assertArrayEquals(times(dense, operand, 2, before, -1, false), download(y), allowed, context);
        operator.applyTransposed(2, x, 0, y);
        assertArrayEquals(times(dense, operand, 2, before, 0, true), download(y), allowed, context + " transposed");
        operator.residual(old, x, y);
        assertArrayEquals(times(dense, operand, -1, before, 1, false), download(y), allowed, context + ", residual");
        compareBound(bench, operator);
        operator.diagonal().ifPresent(diagonal -> {
            for (int i = 0; i < 40; i++) {
                assertEquals(dense[i][i], diagonal.get(i), allowed, context + ", diagonal " + i);
            }
        });
    }

    /** Bound steps give the bits of the calls, and are refused once they are closed. */
    @SuppressWarnings("try") // one step is closed before the others
    private static void compareBound(Bench bench, LinearOperator operator) {
        String context = operator + ", bound, " + bench.context;
        DenseVector x = bench.drawn(40);
        DenseVector b = bench.drawn(40);
        DenseVector d = bench.drawn(40);
        DenseVector y = bench.filled(40, 0.5);
        DenseVector expected = bench.filled(40, 0.5);
        DenseVector results = bench.results();
        DenseVector expectedResults = bench.results();
        try (PreparedStep product = operator.bind(2, x, 1, y);
                PreparedStep dot = operator.bindMultiplyAndDot(-1, x, 0.5, y, b, results, 1);
                PreparedStep residual = operator.bindResidual(b, x, y);
                PreparedStep jacobi = operator.bindJacobiStep(0.75, x, d, b, y);
                PreparedStep transposed = operator.transposed().bind(2, x, -1, y)) {
            for (int run = 0; run < 2; run++) {
                product.run();
                operator.apply(2, x, 1, expected);
                assertArrayEquals(download(expected), download(y), context);
                dot.run();
                operator.multiplyAndDot(-1, x, 0.5, expected, b, expectedResults, 1);
                assertArrayEquals(download(expected), download(y), context + " with dot product");
                assertEquals(bench.result(expectedResults), bench.result(results), context + " with dot product");
                residual.run();
                operator.residual(b, x, expected);
                assertArrayEquals(download(expected), download(y), context + ", residual");
                jacobi.run();
                operator.jacobiStep(0.75, x, d, b, expected);
                assertArrayEquals(download(expected), download(y), context + ", Jacobi's step");
                transposed.run();
                operator.applyTransposed(2, x, -1, expected);
                assertArrayEquals(download(expected), download(y), context + ", transposed");
            }
            product.close();
            assertThrows(IllegalStateException.class, product::run, context + ", closed");
        }
    }

    private static double[] times(double[][] dense, double[] x, double alpha, double[] old, double beta,
            boolean transposed) {
        double[] y = new double[x.length];
        for (int i = 0; i < y.length; i++) {
            double sum = 0;
            for (int j = 0; j < x.length; j++) {
                sum += (transposed ? dense[j][i] : dense[i][j]) * x[j];
            }
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * old[i]);
        }
        return y;
    }
}
