package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.plan.Colouring;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SplitProduct;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/**
 * What smoothers of every backend must do: apply what the formulas on dense matrices say, sweep in place, be symmetric
 * where they state it, give the same bits each time and those of bound steps. A backend's test extends this class.
 */
public abstract class SmootherContract {
    /** A name with options. */
    record Choice(String name, Map<String, String> options) {
        /** With factors that do not fill: complete ones of a large grid take long and show no more. */
        Choice withFewEntries() {
            Map<String, String> few = new HashMap<>(options);
            few.replace("fill", "4");
            return new Choice(name, few);
        }

        boolean symmetricOnly() {
            return name.startsWith("ic") || name.equals("fsai") || name.equals("chebyshev");
        }
    }

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Says whether the backend runs blocks of rows one after the other.
     *
     * @return true unless overridden
     */
    protected boolean runsBlocks() {
        return true;
    }

    /**
     * Says whether the backend has the sweeps of Eisenstat's product.
     *
     * @return true unless overridden
     */
    protected boolean splits() {
        return true;
    }

    private List<Choice> choices() {
        List<Choice> all = new ArrayList<>();
        for (String sweeps : List.of("1", "2")) {
            for (String name : Preconditioners.names()) {
                if (name.startsWith("hybrid")) {
                    all.add(new Choice(name, Map.of("sweeps", sweeps, "blocks", "2")));
                } else if (!name.equals("none")) {
                    all.add(new Choice(name, Map.of("sweeps", sweeps)));
                }
            }
        }
        for (String order : List.of("coloured", "natural")) {
            for (String direction : List.of("forward", "backward", "symmetric")) {
                all.add(new Choice("gauss-seidel", Map.of("order", order, "direction", direction)));
                all.add(new Choice("sor", Map.of("order", order, "direction", direction, "omega", "1.25")));
            }
            all.add(new Choice("ssor", Map.of("order", order, "omega", "0.75")));
        }
        for (String direction : List.of("forward", "backward", "symmetric")) {
            all.add(new Choice("hybrid-gauss-seidel", Map.of("blocks", "3", "direction", direction, "omega", "1.1")));
        }
        all.add(new Choice("jacobi", Map.of("omega", "0.5")));
        all.add(new Choice("l1-jacobi", Map.of("omega", "0.5")));
        all.add(new Choice("block-jacobi", Map.of("block-size", "3", "omega", "0.8")));
        for (String direction : List.of("forward", "backward", "symmetric")) {
            all.add(new Choice("block-gauss-seidel",
                    Map.of("block-size", "3", "omega", "1.1", "direction", direction)));
        }
        all.add(new Choice("block-gauss-seidel", Map.of("block-size", "2", "order", "natural")));
        for (String degree : List.of("1", "2", "5")) {
            all.add(new Choice("chebyshev", Map.of("degree", degree, "lambda-max", "2", "lambda-min", "0.25")));
            all.add(new Choice("chebyshev", Map.of("degree", degree, "kind", "4", "lambda-max", "1.9")));
            all.add(new Choice("polynomial", Map.of("degree", degree, "omega", "0.7")));
        }
        for (String name : List.of("ic0", "ilu0")) {
            all.add(new Choice(name, Map.of("shift", "0.125")));
            all.add(new Choice(name, Map.of("triangular", "iterated")));
            all.add(new Choice(name, Map.of("triangular", "iterated", "iterations", "2")));
        }
        all.removeIf(choice -> List.of("ick", "ict", "ilut", "direct").contains(choice.name()));
        all.add(new Choice("ick", Map.of("level", "2")));
        all.add(new Choice("ict", Map.of("drop", "0", "fill", "1000", "order", "minimum-degree")));
        all.add(new Choice("ilut", Map.of("drop", "0", "fill", "1000", "matching", "product")));
        all.add(new Choice("direct", Map.of("sweeps", "2")));
        all.add(new Choice("direct", Map.of("triangular", "levels")));
        all.removeIf(choice -> choice.name().equals("chebyshev") && !choice.options().containsKey("lambda-max"));
        all.removeIf(choice -> choice.name().startsWith("hybrid") && !runsBlocks());
        return all;
    }

    /** A matrix with a diagonal that outweighs its rows. */
    static CsrMatrix dominant(CsrMatrix pattern) {
        double[][] a = DenseBlocks.toRows(pattern);
        for (int i = 0; i < a.length; i++) {
            double sum = 0.3 + i % 3;
            for (int j = 0; j < a.length; j++) {
                sum += i == j ? 0 : Math.abs(a[i][j]);
            }
            a[i][i] = sum;
        }
        return DenseBlocks.fromRows(a, pattern.precision());
    }

    private static Map<String, CsrMatrix> symmetric(Precision precision, SplittableRandom random) {
        Map<String, CsrMatrix> all = new LinkedHashMap<>();
        all.put("nothing", CsrMatrix.of(0, 0, new int[1], new int[0], HostVector.zeros(precision, 0)));
        for (int size : new int[]{1, 2, 5, 33}) {
            all.put("random of " + size, AwkwardMatrices.random(size, size, r -> Math.min(size, r % 4), precision,
                    random));
        }
        all.put("chain", AwkwardMatrices.bandedWithGaps(70, precision, random));
        all.put("dense", AwkwardMatrices.random(12, 12, r -> 12, precision, random));
        all.put("disconnected", CsrMatrix.identity(40, precision));
        all.put("stencil", AwkwardMatrices.stencil(9, 7, precision, random));
        all.replaceAll((name, matrix) -> dominant(AwkwardMatrices.symmetrised(matrix)));
        return all;
    }

    private static Map<String, CsrMatrix> unsymmetric(Precision precision, SplittableRandom random) {
        Map<String, CsrMatrix> all = new LinkedHashMap<>();
        all.put("banded", dominant(AwkwardMatrices.bandedWithGaps(61, precision, random)));
        all.put("random", dominant(AwkwardMatrices.random(47, 47, r -> random.nextInt(6), precision, random)));
        return all;
    }

    private static double[] download(DenseVector vector) {
        HostVector host = HostVector.zeros(vector.precision(), vector.length());
        vector.copyTo(host);
        return host.toDoubleArray();
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private static DenseVector upload(Backend backend, Precision precision, double... elements) {
        DenseVector vector = backend.vector(precision, elements.length);
        vector.copyFrom(HostVector.of(elements).convert(precision));
        return vector;
    }

    private static double[] drawn(int length, Precision precision, SplittableRandom random) {
        return HostVector.of(precision, length, i -> random.nextDouble(-1, 1)).toDoubleArray();
    }

    private static Smoother make(Choice choice, CsrMatrix matrix, Backend backend) {
        return Preconditioners.smoother(choice.name(), matrix, null, backend, choice.options());
    }

    /**
     * Applies, and sweeps from any iterate, as the dense formulas do.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void agreesWithDenseFormulas(Precision precision) {
        SplittableRandom random = TestSeed.random("smoothers" + precision);
        try (Backend backend = openBackend()) {
            symmetric(precision, random).forEach((label, matrix) -> {
                for (Choice choice : choices()) {
                    check(backend, label, matrix, choice, random);
                }
            });
            unsymmetric(precision, random).forEach((label, matrix) -> {
                for (Choice choice : choices()) {
                    if (choice.symmetricOnly()) {
                        assertThrows(IllegalArgumentException.class, () -> make(choice, matrix, backend), label);
                    } else {
                        check(backend, label, matrix, choice, random);
                    }
                }
            });
        }
    }

    private static void check(Backend backend, String label, CsrMatrix matrix, Choice choice,
            SplittableRandom random) {
        Precision precision = matrix.precision();
        String context = label + ", " + choice + ", " + matrix + ", seed " + TestSeed.value();
        double[][] a = DenseBlocks.toRows(matrix);
        Colouring colours = MatrixGraphs.firstFit(matrix);
        DenseSmoothers dense = new DenseSmoothers(a, colours, choice.options());
        double[] r = drawn(matrix.rows(), precision, random);
        double[] x0 = drawn(matrix.rows(), precision, random);
        double allowed = 2000 * precision.unitRoundoff();
        try (Smoother smoother = make(choice, matrix, backend);
                DenseVector b = upload(backend, precision, r);
                DenseVector x = upload(backend, precision, filled(matrix.rows()))) {
            smoother.apply(b, x);
            assertArrayEquals(dense.apply(choice.name(), r), download(x), allowed, context);
            for (SweepDirection direction : SweepDirection.values()) {
                x.copyFrom(HostVector.of(x0).convert(precision));
                smoother.sweep(b, x, direction);
                assertArrayEquals(dense.improve(choice.name(), r, x0, direction.label()), download(x), allowed,
                        context + ", sweep " + direction);
            }
            assertFalse(smoother.variable());
            assertTrue(smoother.storedBytes() >= 0);
            x.copyFrom(HostVector.of(x0).convert(precision));
            smoother.apply(-2, b, 0.5, x);
            double[] updated = dense.apply(choice.name(), r);
            for (int i = 0; i < updated.length; i++) {
                updated[i] = -2 * updated[i] + 0.5 * x0[i];
            }
            assertArrayEquals(updated, download(x), 3 * allowed, context);
        }
    }

    private static double[] filled(int length) {
        double[] all = new double[length];
        Arrays.fill(all, Double.NaN);
        return all;
    }

    /** Is symmetric, to rounding, where it claims to be, and positive; not symmetric where it must not claim it. */
    @Test
    void isSymmetricWhereItSaysSo() {
        SplittableRandom random = TestSeed.random("symmetry");
        CsrMatrix matrix = symmetric(Precision.F64, random).get("chain");
        CsrMatrix other = unsymmetric(Precision.F64, random).get("banded");
        try (Backend backend = openBackend()) {
            for (Choice choice : choices()) {
                try (Smoother smoother = make(choice, matrix, backend)) {
                    boolean oneWay = choice.name().equals("ilut") || (choice.options().containsKey("direction")
                            && !choice.options().get("direction").equals("symmetric"));
                    assertEquals(!oneWay, smoother.symmetric(), choice.toString());
                    double[] u = drawn(matrix.rows(), Precision.F64, random);
                    double[] v = drawn(matrix.rows(), Precision.F64, random);
                    double one = dot(u, applied(smoother, backend, v));
                    double two = dot(v, applied(smoother, backend, u));
                    if (!oneWay) {
                        assertEquals(one, two, 1e-12, choice + ", seed " + TestSeed.value());
                    }
                }
                if (!choice.symmetricOnly()) {
                    try (Smoother smoother = make(choice, other, backend)) {
                        boolean diagonal = smoother.inverseDiagonal().isPresent();
                        assertEquals(diagonal, smoother.symmetric(), choice + " of an unsymmetric matrix");
                    }
                }
            }
        }
    }

    private static double dot(double[] u, double[] v) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += u[i] * v[i];
        }
        return sum;
    }

    private static double[] applied(Preconditioner smoother, Backend backend, double... r) {
        try (DenseVector from = upload(backend, smoother.precision(), r);
                DenseVector to = upload(backend, smoother.precision(), filled(r.length))) {
            smoother.apply(from, to);
            return download(to);
        }
    }

    /**
     * On a grid large enough to be cut into units of work: gives the same bits from run to run, from bound steps and
     * parts of vectors, and what the reference gives to rounding.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void givesTheSameBitsOnALargeGrid(Precision precision) {
        SplittableRandom random = TestSeed.random("large" + precision);
        assumeTrue(precision == Precision.F64 || TestLength.isLong(), "single precision is tried each night");
        CsrMatrix matrix = grid(131, 107, precision);
        // In the order of its colours the grid has two wide levels.
        int[] sorted = MatrixGraphs.firstFit(matrix).sorted();
        CsrMatrix wide = matrix.select(sorted, sorted);
        double[] r = drawn(matrix.rows(), precision, random);
        try (Backend backend = openBackend();
                Backend reference = Backends.open("reference", Configuration.load())) {
            for (Choice each : choices()) {
                Choice choice = each.withFewEntries();
                boolean levels = choice.options().containsValue("natural") || choice.name().startsWith("i");
                if (choice.options().containsKey("sweeps") && !levels) {
                    continue;
                }
                String context = choice + ", seed " + TestSeed.value();
                try (Smoother smoother = make(choice, levels ? wide : matrix, backend);
                        Smoother plain = make(choice, levels ? wide : matrix, reference)) {
                    double[] first = applied(smoother, backend, r);
                    assertArrayEquals(applied(plain, reference, r), first, 200 * precision.unitRoundoff(), context);
                    assertArrayEquals(first, applied(smoother, backend, r), context);
                    assertArrayEquals(first, bound(smoother, backend, r), context);
                    assertSweepsAgree(smoother, plain, backend, reference, r, context);
                }
            }
        }
    }

    private static void assertSweepsAgree(Smoother smoother, Smoother plain, Backend backend, Backend reference,
            double[] r, String context) {
        Precision precision = smoother.precision();
        try (DenseVector b = upload(backend, precision, r);
                DenseVector x = upload(backend, precision, r.clone());
                DenseVector right = upload(reference, precision, r);
                DenseVector y = upload(reference, precision, r.clone())) {
            smoother.sweep(b, x, SweepDirection.SYMMETRIC);
            plain.sweep(right, y, SweepDirection.SYMMETRIC);
            double[] first = download(x);
            assertArrayEquals(download(y), first, 400 * precision.unitRoundoff(), context);
            x.copyFrom(HostVector.of(r).convert(precision));
            List<PreparedStep> steps = smoother.bindSweep(b, x, SweepDirection.SYMMETRIC);
            steps.forEach(PreparedStep::run);
            steps.forEach(PreparedStep::close);
            assertArrayEquals(first, download(x), context);
        }
    }

    /** Runs bound steps on parts of longer vectors. */
    private static double[] bound(Smoother smoother, Backend backend, double... r) {
        int size = r.length;
        double[] padded = new double[size + 7];
        System.arraycopy(r, 0, padded, 3, size);
        try (DenseVector from = upload(backend, smoother.precision(), padded);
                DenseVector to = upload(backend, smoother.precision(), filled(size + 7))) {
            List<PreparedStep> steps = smoother.bindApplication(from.part(3, size), to.part(5, size));
            for (int run = 0; run < 2; run++) {
                steps.forEach(PreparedStep::run);
            }
            steps.forEach(PreparedStep::close);
            double[] all = download(to);
            assertTrue(Double.isNaN(all[4]) && Double.isNaN(all[size + 5]));
            return Arrays.copyOfRange(all, 5, size + 5);
        }
    }

    /** The five-point Laplacian with an irregular diagonal. */
    static CsrMatrix grid(int width, int height, Precision precision) {
        int[] lengths = new int[width * height];
        for (int row = 0; row < lengths.length; row++) {
            int i = row % width;
            int j = row / width;
            lengths[row] = 1 + (i > 0 ? 1 : 0) + (i + 1 < width ? 1 : 0) + (j > 0 ? 1 : 0) + (j + 1 < height ? 1 : 0);
        }
        return CsrFill.fill(lengths.length, precision, lengths,
                () -> (row, columns, values, at) -> {
                    int to = at;
                    for (int offset : new int[]{-width, -1, 0, 1, width}) {
                        int column = row + offset;
                        boolean inside = column >= 0 && column < lengths.length
                                && (Math.abs(offset) != 1 || column / width == row / width);
                        if (inside) {
                            columns[to] = column;
                            values.set(to++, offset == 0 ? 4 + row % 7 * 0.125 : -1);
                        }
                    }
                });
    }

    /**
     * Eisenstat's products, wherever there should be one, are what dense formulas say; the same bits each time.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void splitsPreconditionersWithTheirMatrix(Precision precision) {
        SplittableRandom random = TestSeed.random("splits" + precision);
        List<Choice> some = List.of(new Choice("ssor", Map.of()), new Choice("ssor", Map.of("order", "natural")),
                new Choice("ssor", Map.of("omega", "1.25")), new Choice("gauss-seidel", Map.of("order", "natural")),
                new Choice("ic0", Map.of()), new Choice("ic0", Map.of("shift", "0.125")),
                new Choice("ilu0", Map.of()));
        try (Backend backend = openBackend()) {
            symmetric(precision, random).forEach((label, matrix) -> {
                for (Choice choice : some) {
                    checkSplit(backend, label, matrix, choice, random);
                }
            });
        }
    }

    private void checkSplit(Backend backend, String label, CsrMatrix matrix, Choice choice, SplittableRandom random) {
        String context = label + ", " + choice + ", " + matrix + ", seed " + TestSeed.value();
        try (Smoother smoother = make(choice, matrix, backend);
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                SpmvOperator other = backend.kernels(SparseKernels.class).prepare(matrix.scaled(2))) {
            SplitProduct split = smoother.split(product).orElse(null);
            boolean incomplete = choice.name().startsWith("i");
            assertEquals(splits() && !(incomplete && hasTriangles(matrix)), split != null, context);
            assertTrue(smoother.split(other).isEmpty(), context);
            if (split != null) {
                assertTrue(split.isOf(product) && !split.isOf(other), context);
                checkSplit(backend, new DenseSplit(DenseBlocks.toRows(matrix), split), split, smoother, random,
                        context);
                split.close();
            }
        }
    }

    /** Says whether two neighbours of a row that come before it are neighbours, too. */
    private static boolean hasTriangles(CsrMatrix matrix) {
        double[][] a = DenseBlocks.toRows(matrix);
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < i; j++) {
                for (int k = 0; k < j && a[i][j] != 0; k++) {
                    if (a[i][k] != 0 && a[j][k] != 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static void checkSplit(Backend backend, DenseSplit dense, SplitProduct split, Smoother smoother,
            SplittableRandom random, String context) {
        Precision precision = smoother.precision();
        int n = smoother.rows();
        double[] r = drawn(n, precision, random);
        double[] hat = drawn(n, precision, random);
        double allowed = 400 * precision.unitRoundoff();
        try (DenseVector residual = upload(backend, precision, r);
                DenseVector hats = upload(backend, precision, hat);
                DenseVector direction = upload(backend, precision, filled(n));
                DenseVector y = upload(backend, precision, filled(n));
                DenseVector scalars = upload(backend, Precision.F64, 0.5, 4, Double.NaN, Double.NaN)) {
            dense.assertInverse(smoother, r, applied(smoother, backend, r), allowed, context);
            List<PreparedStep> steps = List.of(
                    split.bindDirection(new SplitProduct.Coefficients(scalars, 0, 1), residual, hats, direction),
                    split.bindProduct(new SplitProduct.Sums(scalars, 2, 3), hats, direction, residual, y));
            steps.forEach(PreparedStep::run);
            double[] p = dense.upper(r, 0.125, hat);
            assertArrayEquals(p, download(direction), allowed, context);
            double[] first = download(y);
            assertArrayEquals(dense.product(p), first, allowed, context);
            double[] sums = download(scalars);
            assertEquals(dense.sigma(p), sums[2], allowed * (1 + Math.abs(sums[2])), context);
            assertEquals(dense.square(r), sums[3], allowed * (1 + sums[3]), context);
            hats.copyFrom(HostVector.of(hat).convert(precision));
            steps.forEach(PreparedStep::run);
            assertArrayEquals(first, download(y), context);
            assertArrayEquals(sums, download(scalars), context);
            PreparedStep fresh = split.bindDirection(new SplitProduct.Coefficients(scalars, 0, -1), residual, y,
                    direction);
            y.copyFrom(HostVector.of(filled(n)).convert(precision));
            fresh.run();
            assertArrayEquals(r, download(y), context);
            assertArrayEquals(dense.upper(r, 0, hat), download(direction), allowed, context);
            PreparedStep begin = split.bindResidual(residual);
            begin.run();
            assertArrayEquals(dense.lower(r), download(residual), allowed, context);
            split.close();
            assertThrows(IllegalStateException.class, begin::run, context);
        }
    }

    /** An iteration of degree two has the bits of two corrections, whenever its iterate is written. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void twoStepsHaveTheBitsOfTwoCorrections(Precision precision) {
        SplittableRandom random = TestSeed.random("two" + precision);
        int rows = 40_000;
        double[][] drawn = new double[4][];
        Arrays.setAll(drawn, i -> drawn(rows, precision, random));
        try (Backend backend = openBackend()) {
            for (double keep : new double[]{0, 1, -0.5}) {
                assertArrayEquals(twoSteps(backend, precision, drawn, keep, false),
                        twoSteps(backend, precision, drawn, keep, true), keep + ", seed " + TestSeed.value());
            }
        }
    }

    private static double[] twoSteps(Backend backend, Precision precision, double[][] drawn, double keep,
            boolean together) {
        SmootherKernels kernels = backend.kernels(SmootherKernels.class);
        var first = new SmootherKernels.CorrectionFactors(0.7, 0, keep);
        var second = new SmootherKernels.CorrectionFactors(1.3, 0.2, together ? keep : 1);
        try (DenseVector d = upload(backend, precision, drawn[0]);
                DenseVector r = upload(backend, precision, drawn[1]);
                DenseVector left = upload(backend, precision, drawn[2]);
                DenseVector c = backend.vector(precision, drawn[0].length);
                DenseVector x = upload(backend, precision, drawn[3]);
                PreparedStep begin = together
                        ? kernels.bindFirstOfTwo(first, d, r, c, x)
                        : kernels.bindCorrection(first, d, r, c, x);
                PreparedStep end = together
                        ? kernels.bindLastOfTwo(second, d, left, c, x)
                        : kernels.bindCorrection(second, d, left, c, x)) {
            begin.run();
            end.run();
            return download(x);
        }
    }

    /** Refuses operands that overlap, and to run once closed. */
    @Test
    @SuppressWarnings({"MustBeClosed", "try"}) // closed by the test, early and twice
    void refusesWhatCannotBe() {
        try (Backend backend = openBackend();
                Smoother smoother = make(new Choice("ssor", Map.of()), grid(5, 4, Precision.F64), backend);
                DenseVector b = backend.vector(Precision.F64, 20);
                DenseVector x = backend.vector(Precision.F64, 20);
                DenseVector shorter = backend.vector(Precision.F64, 19)) {
            assertThrows(IllegalArgumentException.class, () -> smoother.sweep(b, b, SweepDirection.FORWARD));
            assertThrows(IllegalArgumentException.class, () -> smoother.sweep(b, shorter, SweepDirection.FORWARD));
            assertThrows(IllegalArgumentException.class, () -> smoother.bindApplication(b, b));
            PreparedStep step = smoother.bind(1, b, 0, x);
            List<PreparedStep> steps = smoother.bindApplication(b, x);
            step.run();
            smoother.close();
            smoother.close();
            assertThrows(IllegalStateException.class, step::run);
            assertThrows(IllegalStateException.class, () -> smoother.apply(b, x));
            assertThrows(IllegalStateException.class, () -> smoother.sweep(b, x, SweepDirection.FORWARD));
            assertThrows(IllegalStateException.class, () -> steps.forEach(PreparedStep::run));
        }
    }
}
