package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/**
 * What the sparse kernels of every backend must do: agree with {@code reference} on awkward matrices in every format
 * and with all parameters that the backend offers, give the same bits twice, and refuse bad operands. A backend's test
 * extends this class and opens the backend.
 */
public abstract class SparseKernelsContract {
    /** The most parameter sets tried on one matrix; a larger space is sampled. */
    private static final int MAXIMUM_PARAMETER_SETS = TestLength.cases(4, 8);
    /** Of each of seven forms of a matrix. */
    private static final int NON_FINITE_PARAMETER_SETS = TestLength.cases(1, 2);

    /** Entries above which values that are not finite are tried in one format only: padded, long rows take seconds. */
    private static final int MOST_NON_FINITE_ENTRIES = 10_000;

    private static final double[][] SCALARS = {{1, 0}, {1, 1}, {-2.5, 0}, {0.75, -1.25}, {0, 0}, {0, 2}};

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Says which parameters are tried.
     *
     * @param parameters some that the backend offers
     * @return true, unless another backend's test has them
     */
    protected boolean isTried(SpmvParameters parameters) {
        return true;
    }

    /**
     * Agrees with the reference in every product.
     *
     * @param precision the type of the values
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void agreesWithReference(Precision precision) {
        SplittableRandom random = TestSeed.random("agreesWithReference" + precision);
        try (Backend backend = openBackend()) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            AwkwardMatrices.all(precision, random).forEach((name, csr) -> {
                for (SparseMatrix matrix : formats(csr)) {
                    for (SpmvParameters parameters : sample(kernels.parameterSpace(matrix), random)) {
                        String context = name + ", " + matrix + ", " + parameters + ", seed " + TestSeed.value();
                        try (SpmvOperator operator = kernels.prepare(matrix, parameters)) {
                            new ProductComparison(backend, operator, context).run(SCALARS, random);
                        }
                    }
                }
            });
        }
    }

    /** Multiplies a matrix of several segments as one of a single segment. */
    @Test
    void multipliesSegments() {
        SplittableRandom random = TestSeed.random("multipliesSegments");
        try (Backend backend = openBackend()) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            CsrMatrix whole = AwkwardMatrices.random(301, 190, row -> row % 17, Precision.F64, random);
            CsrMatrix cut = inSegments(whole, 100);
            assertTrue(cut.segments().size() > 10, "the matrix is in " + cut.segments().size() + " segments");
            for (SpmvParameters parameters : sample(kernels.parameterSpace(cut), random)) {
                try (SpmvOperator operator = kernels.prepare(cut, parameters)) {
                    new ProductComparison(backend, operator, "segments, " + parameters).run(SCALARS, random);
                }
            }
        }
    }

    /**
     * Keeps what is not finite out of the results that do not depend on it: in the operand and in the matrix, whatever
     * the format, the product and the scalars.
     *
     * @param precision the type of the values
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void keepsNonFiniteValuesWhereTheyBelong(Precision precision) {
        SplittableRandom random = TestSeed.random("keepsNonFiniteValues" + precision);
        try (Backend backend = openBackend()) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            Map<String, CsrMatrix> matrices = AwkwardMatrices.all(precision, random);
            matrices.put("rows of falling length",
                    AwkwardMatrices.random(64, 200, row -> 1 + row % 16, precision, random));
            matrices.put("banded with gaps", AwkwardMatrices.bandedWithGaps(400, precision, random));
            for (Map.Entry<String, CsrMatrix> entry : matrices.entrySet()) {
                for (SparseMatrix matrix : nonFinite(entry.getValue(), random)) {
                    List<SpmvParameters> sets =
                            sample(kernels.parameterSpace(matrix), NON_FINITE_PARAMETER_SETS, random);
                    for (SpmvParameters parameters : sets) {
                        try (SpmvOperator operator = kernels.prepare(matrix, parameters)) {
                            String context = entry.getKey() + ", " + matrix + ", " + parameters + ", seed "
                                    + TestSeed.value();
                            new ProductComparison(backend, operator, context).runWithNonFinite(random);
                        }
                    }
                }
            }
        }
    }

    /** A matrix as it is, and in every format with some infinities and NaN among its values; a large one in one. */
    private static List<SparseMatrix> nonFinite(CsrMatrix matrix, SplittableRandom random) {
        double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        CsrMatrix spoilt = matrix.mapValues((i, j, a) -> (7 * i + 13 * j) % 17 == 0 ? values[random.nextInt(3)] : a);
        CsrMatrix infinite = matrix.mapValues((i, j, a) -> i % 5 == 2 ? Double.POSITIVE_INFINITY : a);
        if (matrix.nonZeros() > MOST_NON_FINITE_ENTRIES) {
            return List.of(spoilt);
        }
        List<SparseMatrix> all = new ArrayList<>(List.of(matrix, infinite, spoilt, CooMatrix.from(spoilt),
                EllMatrix.from(spoilt), SellMatrix.from(spoilt, 4, 32)));
        if (matrix.rows() == matrix.columns() && matrix.rows() < 500) {
            CsrMatrix symmetric = AwkwardMatrices.symmetrised(matrix)
                    .mapValues((i, j, a) -> (i + j) % 13 == 0 ? Double.NEGATIVE_INFINITY : a);
            all.add(SymmetricMatrix.from(symmetric));
        }
        return all;
    }

    /** Proposes what it offers, and offers what it accepts. */
    @Test
    void ruleAndSpaceAgree() {
        SplittableRandom random = TestSeed.random("ruleAndSpaceAgree");
        try (Backend backend = openBackend()) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            AwkwardMatrices.all(Precision.F64, random).forEach((name, csr) -> {
                for (SparseMatrix matrix : formats(csr)) {
                    List<SpmvParameters> space = kernels.parameterSpace(matrix);
                    assertEquals(space.size(), new HashSet<>(space).size(), name + ": parameters are repeated");
                    space.forEach(p -> assertTrue(kernels.constraint(matrix, p).isEmpty(), name + ": " + p));
                    assertTrue(space.contains(kernels.rule(matrix)), name + ": the rule's choice is not in the space");
                    assertTrue(space.contains(kernels.ruleForFew(matrix)),
                            name + ": the choice for few products is not in the space");
                }
            });
        }
    }

    /** Refuses parameters that it cannot run, with the reason in the message. */
    @Test
    void refusesParametersItCannotRun() {
        try (Backend backend = openBackend()) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            CsrMatrix matrix = CsrMatrix.identity(4, Precision.F64);
            SpmvParameters odd = SpmvParameters.of(SpmvFamily.SELL).withChunks(7, 3).withRowsPerGroup(13);
            String reason = kernels.constraint(matrix, odd).orElseGet(() -> fail("accepts " + odd));
            UnsupportedKernelException e = assertThrows(UnsupportedKernelException.class,
                    () -> kernels.prepare(matrix, odd));
            assertTrue(e.getMessage().contains(reason), e.getMessage());
        }
    }

    /** Refuses operands of the wrong length, precision or identity, and a closed operator. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesBadOperands() {
        try (Backend backend = openBackend()) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            CsrMatrix matrix = CsrMatrix.of(2, 3, new int[]{0, 1, 2}, new int[]{0, 2}, new double[]{1, 2});
            try (SpmvOperator operator = kernels.prepare(matrix);
                    DenseVector two = backend.vector(Precision.F64, 2);
                    DenseVector three = backend.vector(Precision.F64, 3);
                    DenseVector single = backend.vector(Precision.F32, 3)) {
                refused("has 2 elements, expected 3", () -> operator.multiply(two, three));
                refused("has 3 elements, expected 2", () -> operator.multiply(three, three));
                refused("has 3 elements, expected 2", () -> operator.multiplyTransposed(1, three, 0, two));
                refused("precision f32, expected that of the matrix, f64", () -> operator.multiply(single, two));
            }
            CsrMatrix square = CsrMatrix.identity(3, Precision.F64);
            try (SpmvOperator operator = kernels.prepare(square); DenseVector x = backend.vector(Precision.F64, 3)) {
                refused("one vector", () -> operator.multiply(x, x));
                MultiVector pair = new MultiVector(backend.vector(Precision.F64, 6), 3, 2);
                MultiVector triple = new MultiVector(backend.vector(Precision.F64, 9), 3, 3);
                refused("expected as many", () -> operator.multiply(1, pair, 0, triple));
            }
        }
    }

    /** Refuses to work once closed; closing again does nothing. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesToWorkWhenClosed() {
        try (Backend backend = openBackend();
                DenseVector x = backend.vector(Precision.F64, 3);
                DenseVector y = backend.vector(Precision.F64, 3)) {
            SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(CsrMatrix.identity(3, Precision.F64));
            operator.close();
            operator.close();
            assertThrows(IllegalStateException.class, () -> operator.multiply(x, y));
        }
    }

    /** Refuses to work once the backend is closed. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesToWorkWhenTheBackendIsClosed() {
        Backend backend = openBackend();
        try (SpmvOperator operator =
                backend.kernels(SparseKernels.class).prepare(CsrMatrix.identity(3, Precision.F64))) {
            DenseVector x = backend.vector(Precision.F64, 3);
            DenseVector y = backend.vector(Precision.F64, 3);
            MultiVector xs = new MultiVector(backend.vector(Precision.F64, 6), 3, 2);
            MultiVector ys = new MultiVector(backend.vector(Precision.F64, 6), 3, 2);
            operator.multiply(x, y);
            operator.multiplyTransposed(1, x, 0, y);
            operator.multiply(1, xs, 0, ys);
            backend.close();
            assertThrows(IllegalStateException.class, () -> operator.multiply(x, y));
            assertThrows(IllegalStateException.class, () -> operator.multiplyTransposed(1, x, 0, y));
            assertThrows(IllegalStateException.class, () -> operator.multiply(1, xs, 0, ys));
            assertThrows(IllegalStateException.class, () -> backend.kernels(SparseKernels.class));
        } finally {
            backend.close();
        }
    }

    private static void refused(String expected, Runnable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    /** Gives the same bits when prepared and run again, on a matrix large enough to be shared among threads. */
    @Test
    void repeatsItsBits() {
        SplittableRandom random = TestSeed.random("repeatsItsBits");
        CsrMatrix matrix =
                AwkwardMatrices.random(4000, 4000, row -> row == 77 ? 4000 : row % 40, Precision.F64, random);
        HostVector x = HostVector.of(Precision.F64, 4000, i -> random.nextDouble(-1, 1));
        List<SpmvParameters> space;
        try (Backend backend = openBackend()) {
            space = sample(backend.kernels(SparseKernels.class).parameterSpace(matrix), random);
        }
        for (SpmvParameters parameters : space) {
            double[] first = productWith(matrix, parameters, x);
            for (int repetition = 0; repetition < 3; repetition++) {
                assertArrayEquals(first, productWith(matrix, parameters, x), 0,
                        parameters + ", seed " + TestSeed.value());
            }
        }
        assertFalse(space.isEmpty());
    }

    private double[] productWith(CsrMatrix matrix, SpmvParameters parameters, HostVector x) {
        HostVector result = HostVector.zeros(Precision.F64, matrix.rows());
        try (Backend backend = openBackend();
                SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix, parameters);
                DenseVector onDevice = backend.vector(Precision.F64, x.length());
                DenseVector y = backend.vector(Precision.F64, matrix.rows())) {
            onDevice.copyFrom(x);
            operator.multiply(onDevice, y);
            y.copyTo(result);
        }
        return result.doubles();
    }

    /** Opens the backend that defines the answer. */
    @MustBeClosed
    static Backend openReference() {
        return Backends.open("reference", Configuration.load());
    }

    private static List<SparseMatrix> formats(CsrMatrix csr) {
        List<SparseMatrix> formats = new ArrayList<>(List.of(csr));
        formats.add(CooMatrix.from(csr));
        formats.add(EllMatrix.from(csr));
        formats.add(SellMatrix.from(csr, 4, 32));
        formats.add(SellMatrix.from(csr, 5, 1));
        if (csr.rows() == csr.columns() && csr.rows() < 500) {
            formats.add(SymmetricMatrix.from(AwkwardMatrices.symmetrised(csr)));
        }
        return formats;
    }

    private List<SpmvParameters> sample(List<SpmvParameters> space, SplittableRandom random) {
        return sample(space, MAXIMUM_PARAMETER_SETS, random);
    }

    private List<SpmvParameters> sample(List<SpmvParameters> space, int most, SplittableRandom random) {
        List<SpmvParameters> drawn = new ArrayList<>(space.stream().filter(this::isTried).toList());
        while (drawn.size() > most) {
            drawn.remove(random.nextInt(drawn.size()));
        }
        return drawn;
    }

    /** Copies a matrix into segments of a few non-zeros. */
    static CsrMatrix inSegments(CsrMatrix matrix, int segmentLimit) {
        CsrBuilder builder = new CsrBuilder(matrix.columns(), matrix.precision(), 0, segmentLimit);
        CsrSegment source = matrix.onlySegment();
        for (int row = 0; row < matrix.rows(); row++) {
            for (int k = source.rowOffsets()[row]; k < source.rowOffsets()[row + 1]; k++) {
                builder.add(source.columnIndices()[k], source.values().get(k));
            }
            builder.endRow();
        }
        return builder.build();
    }
}
