package org.trellis.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.internal.simd.SimdSparseKernels;
import org.trellis.internal.threads.product.CsrPreparation;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** When a product goes over to vector code, and that every bit stays the same. */
final class AdaptiveProductTest {
    private static final double[][] SCALARS = {{1, 0}, {1, 1}, {-2.5, 0}, {0.75, -1.25}};
    private static final int STEPS = 1000;

    private final WorkerTeam team = new WorkerTeam(2);
    private final SimdSparseKernels vectors = new SimdSparseKernels(team);

    private List<PreparedProduct> ordered(CsrMatrix matrix) {
        return new CsrPreparation(team, true).single(matrix, SpmvParameters.of(SpmvFamily.CSR_BALANCED));
    }

    private HostVector run(List<PreparedProduct> parts, double[] scalars, HostVector x, HostVector old) {
        HostVector y = old.copy();
        for (PreparedProduct part : parts) {
            team.run(part.units(), unit -> part.run(unit, scalars[0], x, scalars[1], y));
            part.finish(scalars[0], scalars[1], y);
        }
        return y;
    }

    private static Map<String, CsrMatrix> matrices(Precision precision, SplittableRandom random) {
        Map<String, CsrMatrix> matrices = new LinkedHashMap<>(AwkwardMatrices.all(precision, random));
        matrices.put("long rows", AwkwardMatrices.random(37, 40_000,
                row -> row % 9 == 0 ? 255 + row : row == 5 ? 39_000 : row % 5, precision, random));
        matrices.put("banded with gaps", AwkwardMatrices.bandedWithGaps(700, precision, random));
        matrices.put("runs", AwkwardMatrices.random(300, 900, row -> 4 + row % 3, precision, random));
        matrices.put("infinite", matrices.get("banded with gaps")
                .mapValues((i, j, a) -> i % 50 == 7 ? Double.POSITIVE_INFINITY : a));
        return matrices;
    }

    /** All that vector code offers, against scalar code in its order. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void scalarAndVectorCodeGiveTheSameBits(Precision precision) {
        SplittableRandom random = TestSeed.random("sameBits" + precision);
        matrices(precision, random).forEach((name, matrix) -> {
            HostVector x = HostVector.of(precision, matrix.columns(), i -> i % 91 == 3
                    ? Double.NaN
                    : random.nextDouble(-1, 1) * (i % 7 == 0 ? 1e-30 : 1));
            HostVector old = HostVector.of(precision, matrix.rows(), i -> random.nextDouble(-1, 1));
            List<PreparedProduct> scalar = ordered(matrix);
            for (SpmvParameters parameters : vectors.parameterSpace(matrix)) {
                List<PreparedProduct> parts = parameters.simd() ? vectors.parts(matrix, parameters) : scalar;
                for (double[] scalars : SCALARS) {
                    requireSame(name + ", " + parameters, run(scalar, scalars, x, old), run(parts, scalars, x, old));
                }
            }
        });
    }

    /** Products that are too small for a number leave no sign behind, whatever zeros are stored between them. */
    @Test
    void underflowLeavesNoSign() {
        CsrMatrix matrix = AwkwardMatrices.bandedWithGaps(300, Precision.F64, TestSeed.random("underflow"))
                .mapValues((i, j, a) -> i % 3 == 0 ? -Double.MIN_VALUE : a);
        HostVector x = HostVector.zeros(Precision.F64, 300).fill(1e-3);
        HostVector old = HostVector.zeros(Precision.F64, 300);
        List<PreparedProduct> scalar = ordered(matrix);
        for (SpmvParameters parameters : vectors.parameterSpace(matrix).stream().filter(SpmvParameters::simd)
                .toList()) {
            requireSame(parameters.toString(), run(scalar, SCALARS[0], x, old),
                    run(vectors.parts(matrix, parameters), SCALARS[0], x, old));
        }
    }

    private static void requireSame(String with, HostVector expected, HostVector actual) {
        for (int i = 0; i < expected.length(); i++) {
            int row = i;
            assertEquals(Double.doubleToLongBits(expected.get(i)), Double.doubleToLongBits(actual.get(i)),
                    () -> with + ", row " + row + ": " + expected.get(row) + " and " + actual.get(row) + ", seed "
                            + TestSeed.value());
        }
    }

    /** Goes all the way from scalar code to vector code and back, and gives the same result all the time. */
    @Test
    void takesVectorCodeThatIsFasterAndDropsItOnceItIsSlow() {
        SplittableRandom random = TestSeed.random("takesVectorCode");
        CsrMatrix matrix = AwkwardMatrices.stencil(60, 50, Precision.F64, random);
        HostVector x = HostVector.of(Precision.F64, matrix.columns(), i -> random.nextDouble(-1, 1));
        HostVector zeros = HostVector.zeros(Precision.F64, matrix.rows());
        SpmvParameters parameters = vectors.rule(matrix);
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, part -> vectors.parts(part, parameters),
                CpuSparseKernelsTest.hasty());
        List<PreparedProduct> scalar = product.next();
        double[] first = run(scalar, SCALARS[0], x, zeros).doubles();
        List<VariantSelector.Stage> stages = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (stages.isEmpty() || stages.getLast() != product.stage()) {
                stages.add(product.stage());
            }
            List<PreparedProduct> parts = product.next();
            assertArrayEquals(first, run(parts, SCALARS[0], x, zeros).doubles(), "step " + step);
            boolean late = step > STEPS / 4;
            product.done(x, parts == scalar ? 10_000_000 : late ? 50_000_000 : 5_000_000);
            if (step == STEPS / 4) {
                assertTrue(product.isNewTaken() && product.isSettled(), product.stage().toString());
            }
        }
        assertFalse(product.isNewTaken());
        assertEquals(
                List.of(VariantSelector.Stage.TRYING, VariantSelector.Stage.COMPARING, VariantSelector.Stage.SETTLED,
                        VariantSelector.Stage.COMPARING, VariantSelector.Stage.TRYING),
                stages.subList(0, 5));
        assertEquals(VariantSelector.Stage.SETTLED, product.stage());
    }

    /** Code of which a part is not compiled yet loses the first comparison, not all. */
    @Test
    void looksAgainAfterALostComparison() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("looksAgain"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered,
                CpuSparseKernelsTest.hasty());
        List<PreparedProduct> scalar = product.next();
        int runs = 0;
        for (int step = 0; step < STEPS; step++) {
            boolean vector = product.next() != scalar;
            product.done(x, !vector ? 10_000_000 : runs++ < 25 ? 30_000_000 : 5_000_000);
        }
        assertTrue(product.isNewTaken() && product.isSettled(), product.stage().toString());
    }

    /** With a clock by which vectors are never compiled, trials end and scalar code stays. */
    @Test
    void givesUpOnCodeThatIsNeverCompiled() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("givesUp"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        long[] time = new long[2];
        // Calls of the clock: around a round, and within it before, between and after both variants.
        TrialBudget budget = new TrialBudget(() -> time[0] += time[1]++ % 5 == 3 ? 100 : 1, 0);
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered, budget);
        int steps = 0;
        while (product.stage() == VariantSelector.Stage.TRYING && steps++ < STEPS) {
            product.done(x, 1_000_000);
        }
        assertEquals(VariantSelector.Stage.SETTLED, product.stage());
        assertFalse(product.isNewTaken());
    }

    /** Code that the compiler throws away costs two slow products each time that it is tried, not many. */
    @Test
    void goesBackAtOnceIfTheCodeIsGone() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("goesBack"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered,
                CpuSparseKernelsTest.hasty());
        List<PreparedProduct> scalar = product.next();
        int slow = 0;
        for (int step = 0; step < STEPS; step++) {
            boolean vector = product.next() != scalar;
            slow += vector ? 1 : 0;
            product.done(x, vector ? 1_000_000_000 : 10_000_000);
        }
        assertEquals(VariantSelector.Stage.SETTLED, product.stage());
        assertFalse(product.isNewTaken());
        assertTrue(slow < 15, slow + " slow products");
    }

    /** What another program interrupts now and then is not slow. */
    @Test
    void oneFarTimeIsNoSetback() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("oneFarTime"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered,
                CpuSparseKernelsTest.hasty());
        List<PreparedProduct> scalar = product.next();
        int vectorRuns = 0;
        for (int step = 0; step < STEPS; step++) {
            boolean vector = product.next() != scalar;
            product.done(x, !vector ? 10_000_000 : vectorRuns++ % 7 == 3 ? 1_000_000_000 : 5_000_000);
        }
        assertTrue(product.isNewTaken(), product.stage().toString());
        assertTrue(vectorRuns > STEPS * 3 / 4, vectorRuns + " products in the new way");
    }

    /** On a busy machine the new way may lose every comparison at first. */
    @Test
    void triesADroppedWayOnceMore() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("triesADroppedWay"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered,
                CpuSparseKernelsTest.hasty());
        List<PreparedProduct> scalar = product.next();
        boolean dropped = false;
        for (int step = 0; step < 3 * STEPS && !product.isNewTaken(); step++) {
            dropped |= product.stage() == VariantSelector.Stage.SETTLED;
            boolean vector = product.next() != scalar;
            product.done(x, !vector ? 10_000_000 : dropped ? 5_000_000 : 50_000_000);
        }
        assertTrue(dropped);
        assertTrue(product.isNewTaken() && product.isSettled(), product.stage().toString());
    }

    /** The clock costs more than a product of a few rows. */
    @Test
    void shortProductsAreTimedNowAndThenAndCountAsMany() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("shortProducts"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        TrialBudget budget = new TrialBudget();
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered, budget);
        int timed = 0;
        for (int step = 0; step < 1 + 160; step++) {
            if (product.isTimed()) {
                product.done(x, 300);
                timed++;
            }
        }
        assertEquals(1 + 10, timed);
        assertTrue(budget.allows(161 * 300 / 3));
        assertFalse(budget.allows(161 * 300 / 3 + 1));
    }

    /** Work of other operators pays for compiling, not for converting a matrix that is multiplied a few times. */
    @Test
    void convertsForItsOwnWork() {
        CsrMatrix matrix = AwkwardMatrices.stencil(90, 30, Precision.F64, TestSeed.random("ownWork"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        TrialBudget budget = CpuSparseKernelsTest.hasty();
        int[] converted = new int[1];
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, part -> {
            converted[0] += part == matrix ? 1 : 0;
            return ordered(part);
        }, budget);
        for (int step = 0; step < 15; step++) {
            product.done(x, 10_000_000);
        }
        assertEquals(0, converted[0]);
        product.done(x, 10_000_000);
        assertEquals(1, converted[0]);
    }

    /** Nothing is tried before there was enough work to pay for it. */
    @Test
    void triesNothingInAShortProgram() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("triesNothing"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, part -> {
            throw new AssertionError("prepared after " + part.rows() + " rows");
        }, new TrialBudget(System::nanoTime, 3));
        for (int step = 0; step < 400; step++) {
            product.done(x, 1_000_000);
        }
        assertEquals(VariantSelector.Stage.TRYING, product.stage());
    }

    /** Time that other programs have had is no work to pay for trials with. */
    @Test
    void countsUsualTimesOnly() {
        CsrMatrix matrix = AwkwardMatrices.stencil(20, 10, Precision.F64, TestSeed.random("countsUsual"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        TrialBudget budget = new TrialBudget();
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, this::ordered, budget);
        for (int step = 0; step < 100; step++) {
            product.done(x, step % 2 == 0 ? 1000 : 50_000_000);
        }
        assertTrue(budget.allows(150_000 / 3));
        assertFalse(budget.allows(200_000 / 3));
    }

    /** The setting that keeps scalar code keeps the bits too. */
    @Test
    @SuppressWarnings("MustBeClosed") // the backend closes its team
    void bitsAreTheSameWithoutAdapting() {
        SplittableRandom random = TestSeed.random("withoutAdapting");
        CsrMatrix matrix = AwkwardMatrices.stencil(90, 30, Precision.F64, random);
        HostVector x = HostVector.of(Precision.F64, matrix.columns(), i -> random.nextDouble(-1, 1));
        HostVector first = HostVector.zeros(Precision.F64, matrix.rows());
        HostVector last = first.copy();
        try (CpuBackend fixed = new CpuBackend(new WorkerTeam(1), true, false, CpuSparseKernelsTest.hasty());
                SpmvOperator operator = fixed.kernels(SparseKernels.class).prepare(matrix)) {
            operator.multiply(x, first);
        }
        try (CpuBackend adapting = new CpuBackend(team, true, true, CpuSparseKernelsTest.hasty());
                SpmvOperator operator = adapting.kernels(SparseKernels.class).prepare(matrix)) {
            for (int i = 0; i < 60; i++) {
                operator.multiply(x, last);
                requireSame("product " + i, first, last);
            }
        }
    }

    @Test
    void dotProductsDoNotDependOnTheForm() {
        SplittableRandom random = TestSeed.random("dotProducts");
        CsrMatrix matrix = AwkwardMatrices.random(5003, 5003, row -> row == 9 ? 5000 : row % 11, Precision.F64, random);
        HostVector x = HostVector.of(Precision.F64, 5003, i -> random.nextDouble(-1, 1));
        HostVector w = HostVector.of(Precision.F64, 5003, i -> random.nextDouble(-1, 1));
        HostVector y = HostVector.zeros(Precision.F64, 5003);
        HostVector dots = HostVector.zeros(Precision.F64, 60);
        try (CpuBackend backend = new CpuBackend(team, true, true, CpuSparseKernelsTest.hasty());
                SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix)) {
            for (int i = 0; i < dots.length(); i++) {
                operator.multiplyAndDot(1, x, 0, y, w, dots, i);
                assertEquals(dots.get(0), dots.get(i), "product " + i);
            }
        }
    }

    /** Another backend has loaded the Vector API, so a trial is worth beginning with for less work. */
    @Test
    void triesSoonerWhereVectorsAreLoaded() {
        assertFalse(new TrialBudget(() -> 0, 3).firstTrial() == new TrialBudget(() -> 0, 3, () -> true).firstTrial());
        CsrMatrix matrix = AwkwardMatrices.stencil(90, 30, Precision.F64, TestSeed.random("loaded"));
        HostVector x = HostVector.zeros(Precision.F64, matrix.columns());
        int[] prepared = new int[1];
        AdaptiveProduct product = new AdaptiveProduct(matrix, this::ordered, part -> {
            prepared[0]++;
            return ordered(part);
        }, new TrialBudget(System::nanoTime, 3, () -> true));
        for (int step = 0; step < 2; step++) {
            product.done(x, 10_000_000);
        }
        assertEquals(0, prepared[0]);
        product.done(x, 10_000_000);
        assertTrue(prepared[0] > 0, "not begun with");
    }
}
