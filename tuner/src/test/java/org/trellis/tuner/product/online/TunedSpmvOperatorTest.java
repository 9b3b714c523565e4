package org.trellis.tuner.product.online;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.DeviceException;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.FakeBackend;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.Profile;

/** Tuning within products: on a device with a clock of its own, and on the real backends of the host. */
class TunedSpmvOperatorTest {
    private static final SpmvParameters BEST = FakeBackend.RULE.withRowsPerGroup(1).withCooperatingThreads(16)
            .withBlockSize(192);

    private final SplittableRandom random = TestSeed.random("tuned operators");
    private final CsrMatrix matrix = AwkwardMatrices.all(Precision.F64, random).get("uneven rows");

    /** Each step towards the best takes a tenth off. */
    private static double seconds(SpmvParameters parameters) {
        if (parameters.family() != SpmvFamily.CSR) {
            return 3;
        }
        double steps = Math.abs(log(parameters.rowsPerGroup()) - log(BEST.rowsPerGroup()))
                + Math.abs(log(parameters.cooperatingThreads()) - log(BEST.cooperatingThreads()))
                + Math.abs(parameters.blockSize() - BEST.blockSize()) / 64.0;
        return Math.pow(1.1, steps);
    }

    private static double log(int power) {
        return Integer.numberOfTrailingZeros(power);
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private TunedSpmvOperator prepare(FakeBackend backend) {
        return new TunedMatrices(backend, new Advisor(backend, List.of(Profile.empty())), TuningSettings.DEFAULT)
                .prepare(matrix);
    }

    private void multiply(SpmvOperator operator, int times) {
        multiply(operator, times, 0);
    }

    private void multiply(SpmvOperator operator, int times, double beta) {
        HostVector x = HostVector.of(matrix.precision(), matrix.columns(), i -> random.nextDouble());
        HostVector y = HostVector.zeros(matrix.precision(), matrix.rows());
        for (int i = 0; i < times; i++) {
            operator.multiply(1, x, beta, y);
        }
    }

    /** Products with β ≠ 0 cannot be repeated. */
    @Test
    void findsTheBestStepByStepAndClosesTheRest() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds);
        try (TunedSpmvOperator operator = prepare(backend)) {
            assertEquals(FakeBackend.RULE, operator.parameters());
            int products = 0;
            while (!operator.isTuned()) {
                multiply(operator, 1, 0.5);
                products++;
                assertEquals(products, backend.products().size(), "one product for each that was asked for");
                assertTrue(backend.openOperators() <= 2, backend.openOperators() + " variants in memory");
                assertTrue(products < 100, "tuning does not end");
            }
            assertEquals(BEST, operator.parameters());
            assertEquals(1, backend.openOperators());
            assertEquals(0, backend.openStretches());
            assertEquals(0, backend.synchronised(), "waited for the device");
            int prepared = backend.prepared();
            multiply(operator, 50);
            assertEquals(prepared, backend.prepared());
            assertTrue(backend.products().subList(products, products + 50).stream().allMatch(BEST::equals));
        }
        assertEquals(0, backend.openOperators());
    }

    /** Where y is overwritten, a product tries variants until it has taken 0.15 s, and decides about the last one. */
    @Test
    void decidesAboutAWayWithinTheProductThatPreparesIt() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).withPreparation(160);
        try (TunedSpmvOperator operator = prepare(backend)) {
            int products = 0;
            while (!operator.isTuned()) {
                int tried = operator.history().size();
                multiply(operator, 1);
                products++;
                assertTrue(operator.history().size() <= tried + 1, "several variants in one product");
                assertTrue(backend.openOperators() <= 2, backend.openOperators() + " variants in memory");
            }
            assertEquals(BEST, operator.parameters());
            assertTrue(products < 1.5 * backend.prepared(), products + " for " + backend.prepared() + " variants");
            assertTrue(backend.products().size() > 2 * products, backend.products().size() + " times");
        }
    }

    @Test
    void comparesSeveralVariantsInAProductWherePreparationIsShort() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).withPreparation(20);
        try (TunedSpmvOperator operator = prepare(backend)) {
            multiply(operator, 2);
            int tried = operator.history().size();
            assertTrue(tried > 2 && tried <= 9, tried + " variants of 20 ms in two products");
            assertTrue(backend.openOperators() <= 2, backend.openOperators() + " variants in memory");
            int products = 2;
            while (!operator.isTuned()) {
                multiply(operator, 1);
                products++;
            }
            assertEquals(BEST, operator.parameters());
            assertTrue(products < backend.prepared(), products + " for " + backend.prepared() + " variants");
        }
    }

    @Test
    void probesTheRowsFirstAsTheThesisDoes() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds);
        try (TunedSpmvOperator operator = prepare(backend)) {
            multiply(operator, 8);
            List<SpmvParameters> tried = operator.history().stream().map(OnlineSearch.Sampled::parameters).toList();
            assertEquals(List.of(FakeBackend.RULE, FakeBackend.RULE.withRowsPerGroup(2),
                    FakeBackend.RULE.withRowsPerGroup(1)), tried.subList(0, 3));
        }
    }

    @Test
    void noiseDoesNotMoveItToSomethingWorse() {
        for (int run = 0; run < 200; run++) {
            SplittableRandom noise = random.split();
            ToDoubleFunction<SpmvParameters> noisy = parameters -> seconds(parameters)
                    * (1 + 0.03 * noise.nextDouble() + (noise.nextInt(12) == 0 ? noise.nextDouble() : 0));
            FakeBackend backend = new FakeBackend(noisy);
            try (TunedSpmvOperator operator = prepare(backend)) {
                multiply(operator, 100);
                assertTrue(operator.isTuned());
                double reached = seconds(operator.parameters());
                assertTrue(reached <= seconds(FakeBackend.RULE) * 1.001, operator + " takes " + reached + ", run "
                        + run + " of seed " + TestSeed.value());
            }
        }
    }

    @Test
    void equalWaysAreNotExchanged() {
        FakeBackend backend = new FakeBackend(parameters -> 1);
        try (TunedSpmvOperator operator = prepare(backend)) {
            multiply(operator, 100);
            assertTrue(operator.isTuned());
            assertEquals(FakeBackend.RULE, operator.parameters());
        }
    }

    @Test
    void waysArePreparedAheadAndNotWithinProducts() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds);
        TuningSettings settings = TuningSettings.DEFAULT.withPreparationWithinProducts(false);
        try (TunedSpmvOperator operator = new TunedMatrices(backend,
                new Advisor(backend, List.of(Profile.empty())), settings).prepare(matrix)) {
            multiply(operator, 20);
            assertEquals(1, backend.prepared(), "a product has prepared another way");
            assertFalse(operator.isTuned());
            int calls = 0;
            while (!operator.isTuned()) {
                int before = backend.prepared();
                assertEquals(operator.prepareAhead(), backend.prepared() > before);
                assertFalse(operator.prepareAhead(), "prepared twice");
                int after = backend.prepared();
                multiply(operator, 3);
                assertEquals(after, backend.prepared(), "a product has prepared another way");
                assertTrue(backend.openOperators() <= 2, backend.openOperators() + " variants in memory");
                assertTrue(calls++ < 100, "tuning does not end");
            }
            assertEquals(BEST, operator.parameters());
            assertFalse(operator.prepareAhead());
        }
    }

    @Test
    void nothingIsPreparedAheadBeforeTheTimeOfTheLastProductIsKnownOrAfterTheEnd() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).lagging();
        TunedSpmvOperator operator = prepare(backend);
        multiply(operator, 1);
        assertFalse(operator.prepareAhead());
        backend.finishWork();
        assertTrue(operator.prepareAhead());
        assertEquals(2, backend.prepared());
        operator.close();
        assertThrows(IllegalStateException.class, operator::prepareAhead);
    }

    @Test
    void doesNotWaitForALaggingDevice() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).lagging();
        try (TunedSpmvOperator operator = prepare(backend)) {
            multiply(operator, 30, 1);
            assertEquals(0, operator.timedProducts());
            assertTrue(backend.products().stream().allMatch(FakeBackend.RULE::equals));
            for (int i = 0; i < 100; i++) {
                backend.finishWork();
                multiply(operator, 1, 1);
                backend.lag();
                multiply(operator, 2, 1);
            }
            assertTrue(operator.isTuned());
            assertEquals(BEST, operator.parameters());
            assertEquals(0, backend.synchronised());
        }
    }

    @Test
    void aDeviceWithoutAClockIsLeftToTheFirstGuess() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).withoutStopwatch();
        try (TunedSpmvOperator operator = prepare(backend)) {
            assertTrue(operator.isTuned());
            multiply(operator, 3);
            assertEquals(List.of(FakeBackend.RULE, FakeBackend.RULE, FakeBackend.RULE), backend.products());
        }
    }

    @Test
    void goesOnWithoutWhatCannotBePrepared() {
        SpmvParameters first = FakeBackend.RULE.withRowsPerGroup(2);
        for (RuntimeException failure : List.of(new UnsupportedKernelException("the product", "fake", "a test"),
                new DeviceException("cuMemAlloc", 2, "out of memory"))) {
            FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).failing(first, failure);
            try (TunedSpmvOperator operator = prepare(backend)) {
                multiply(operator, 100);
                assertTrue(operator.isTuned());
                assertTrue(seconds(operator.parameters()) < seconds(FakeBackend.RULE));
                assertFalse(backend.products().contains(first));
            }
        }
    }

    @Test
    void tellsTheCallerWhenTheDeviceFails() {
        SpmvParameters first = FakeBackend.RULE.withRowsPerGroup(2);
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).failing(first,
                new DeviceException("cuLaunchKernel", 700, "an illegal address"));
        try (TunedSpmvOperator operator = prepare(backend)) {
            assertThrows(DeviceException.class, () -> multiply(operator, 100));
        }
        assertEquals(0, backend.openOperators());
    }

    @Test
    void sparesWhatReadsFarMoreMemory() {
        SpmvParameters balanced = SpmvParameters.of(SpmvFamily.CSR_BALANCED).withBlockSize(256);
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds).withBytesOfBalanced(1000);
        Advisor advisor = new Advisor(backend, List.of());
        OnlineSearch search = new OnlineSearch(
                new Advice(FakeBackend.RULE, AdviceOrigin.RULE,
                        balanced, List.of(), advisor.advise(matrix).features()),
                new KernelNeighbourhood(backend.kernels(SparseKernels.class), matrix),
                TuningSettings.DEFAULT);
        try (TunedSpmvOperator operator = new TunedSpmvOperator(backend, matrix,
                new TunedSpmvOperator.TuningState(advisor.advise(matrix), search), TuningSettings.DEFAULT)) {
            multiply(operator, 100);
            assertFalse(backend.products().contains(balanced));
            assertEquals(BEST, operator.parameters());
        }
    }

    @Test
    void spendsNoMoreOnPreparationThanAllowed() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds);
        try (TunedSpmvOperator operator = TunedSpmvOperator.prepare(backend, matrix,
                new Advisor(backend, List.of()).advise(matrix), TuningSettings.DEFAULT.withPreparationSeconds(0))) {
            multiply(operator, 5);
            assertTrue(operator.isTuned());
            assertEquals(1, backend.prepared());
            assertTrue(operator.preparationSeconds() > 0);
        }
    }

    @Test
    void aMatrixWithOtherValuesGoesOnWhereTheLastOneWas() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds);
        TunedMatrices matrices = new TunedMatrices(backend, new Advisor(backend, List.of()), TuningSettings.DEFAULT);
        int products = 0;
        boolean tuned = false;
        while (!tuned) {
            CsrMatrix values = matrix.mapValues((i, j, a) -> a + 1);
            try (TunedSpmvOperator operator = matrices.prepare(values)) {
                multiply(operator, 5);
                products += 5;
                tuned = operator.isTuned();
                assertTrue(products < 100, "tuning does not end");
            }
        }
        try (TunedSpmvOperator operator = matrices.prepare(matrix)) {
            assertTrue(operator.isTuned());
            assertEquals(BEST, operator.parameters());
        }
        CsrMatrix other = AwkwardMatrices.all(Precision.F64, random).get("even rows");
        try (TunedSpmvOperator operator = matrices.prepare(other)) {
            assertFalse(operator.isTuned(), "another structure starts anew");
        }
        Profile profile = matrices.export(Profile.empty(), "test");
        assertEquals(BEST, profile.best(new Advisor(backend, List.of()).device(),
                Fingerprint.of(matrix), Precision.F64).orElseThrow().parameters());
    }

    @Test
    void transposedProductsAreRightInTheMiddle() {
        FakeBackend backend = new FakeBackend(TunedSpmvOperatorTest::seconds);
        HostVector x = HostVector.of(matrix.precision(), matrix.rows(), i -> random.nextDouble());
        HostVector expected = HostVector.zeros(matrix.precision(), matrix.columns());
        HostVector actual = HostVector.zeros(matrix.precision(), matrix.columns());
        try (SpmvOperator plain = backend.kernels(SparseKernels.class).prepare(matrix);
                TunedSpmvOperator operator = prepare(backend)) {
            plain.multiplyTransposed(2, x, 0, expected);
            for (int i = 0; i < 40; i++) {
                multiply(operator, 1);
                operator.multiplyTransposed(2, x, 0, actual);
                for (int k = 0; k < expected.length(); k++) {
                    assertEquals(expected.get(k), actual.get(k));
                }
            }
        }
        assertNotEquals(0, backend.prepared());
    }

    /** Every product of the real backends, while they tune, against the reference. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "simd"})
    void everyProductIsRight(String name) {
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, 2).build();
        try (Backend backend = Backends.open(name, configuration);
                Backend reference = Backends.open("reference", configuration)) {
            for (Precision precision : Precision.values()) {
                for (Map.Entry<String, CsrMatrix> entry : AwkwardMatrices.all(precision, random).entrySet()) {
                    compare(backend, reference, entry.getKey(), entry.getValue());
                }
            }
        }
    }

    private void compare(Backend backend, Backend reference, String name, CsrMatrix one) {
        Precision precision = one.precision();
        HostVector x = HostVector.of(precision, one.columns(), i -> random.nextDouble() - 0.5);
        HostVector old = HostVector.of(precision, one.rows(), i -> random.nextDouble() - 0.5);
        HostVector expected = HostVector.of(precision, one.rows(), old::get);
        HostVector bound = HostVector.zeros(Precision.F64, one.rows());
        one.forEachEntry((row, column, value) -> bound.set(row,
                bound.get(row) + Math.abs(value * x.get(column))));
        try (SpmvOperator plain = reference.kernels(SparseKernels.class).prepare(one);
                TunedSpmvOperator tuned = new TunedMatrices(backend, new Advisor(backend, List.of()),
                        TuningSettings.DEFAULT.withProducts(30)).prepare(one)) {
            plain.multiply(1.5, x, -0.5, expected);
            for (int i = 0; i < 35; i++) {
                DenseVector y = HostVector.of(precision, one.rows(), old::get);
                tuned.multiply(1.5, x, -0.5, y);
                for (int k = 0; k < expected.length(); k++) {
                    double allowed = 2 * (one.columns() + 6.0) * precision.unitRoundoff()
                            * (1.5 * bound.get(k) + Math.abs(old.get(k)));
                    assertEquals(expected.get(k), ((HostVector) y).get(k), allowed,
                            name + " row " + k + " product " + i + " as " + tuned.parameters() + ", seed "
                                    + TestSeed.value());
                }
            }
            assertTrue(tuned.isTuned(), name);
        }
    }
}
