package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Conjugate gradients with matrix and preconditioner in one, against the same with each for itself. */
final class SplitConjugateGradientTest {
    /** A way of preconditioning. */
    private record Choice(String name, Map<String, String> options) {}

    private static final List<Choice> CHOICES = List.of(new Choice("ssor", Map.of()),
            new Choice("ssor", Map.of("order", "natural", "omega", "1.5")), new Choice("ic0", Map.of()),
            new Choice("ilu0", Map.of("shift", "0.01")));

    /** The same preconditioner, to be applied beside the product. */
    private static Preconditioner apart(Preconditioner other) {
        return (Preconditioner) Proxy.newProxyInstance(Preconditioner.class.getClassLoader(),
                new Class<?>[]{Preconditioner.class}, (proxy, method, arguments) -> method.getName().equals("split")
                        ? Optional.empty()
                        : method.invoke(other, arguments));
    }

    /** A diffusion problem with coefficients that vary from point to point. */
    private static CsrMatrix diffusion(int width, int height, Precision precision, SplittableRandom random) {
        CsrMatrix pattern = AwkwardMatrices.symmetrised(AwkwardMatrices.stencil(width, height, precision, random));
        double[] sums = new double[pattern.rows()];
        CsrMatrix negative = pattern.mapValues((i, j, a) -> i == j ? 0 : -0.1 - Math.abs(a));
        negative.forEachEntry((i, j, a) -> sums[i] -= a);
        return negative.mapValues((i, j, a) -> i == j ? sums[i] + (i % 5 == 0 ? 0.3 : 0) : a);
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private static List<Backend> available() {
        List<Backend> open = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                open.add(provider.open(Configuration.load()));
            }
        }
        return open;
    }

    private record Solved(SolveReport report, double... x) {}

    private static Solved solve(Backend backend, CsrMatrix matrix, Choice choice, boolean apart, HostVector b,
            StoppingCriteria criteria, int every) {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner made =
                        Preconditioners.of(choice.name(), matrix, product, backend, choice.options()).orElseThrow();
                ConjugateGradient solver = new ConjugateGradient(product, apart ? apart(made) : made, backend);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector x = backend.vector(matrix.precision(), matrix.rows())) {
            right.copyFrom(b);
            SolveReport report = solver.checkInterval(every).solve(right, x, criteria, ProgressListener.NONE);
            HostVector found = HostVector.zeros(matrix.precision(), matrix.rows());
            x.copyTo(found);
            return new Solved(report, found.toDoubleArray());
        }
    }

    private static boolean splits(SolveReport report) {
        return report.facts().notes().stream().anyMatch(note -> note.contains("Eisenstat"));
    }

    @Test
    void iteratesAsWithEachForItself() {
        SplittableRandom random = TestSeed.random("split");
        for (Precision precision : Precision.values()) {
            // With levels that are wide enough to be visited one after the other.
            CsrMatrix matrix = diffusion(73, 67, precision, random);
            HostVector b = HostVector.of(precision, matrix.rows(), i -> random.nextDouble(-1, 1));
            boolean f64 = precision == Precision.F64;
            StoppingCriteria criteria = StoppingCriteria.relative(f64 ? 1e-9 : 1e-4, 500);
            for (Backend backend : available()) {
                try (backend) {
                    for (Choice choice : CHOICES) {
                        Solved one = solve(backend, matrix, choice, false, b, criteria, 1);
                        Solved two = solve(backend, matrix, choice, true, b, criteria, 1);
                        String context = backend + ", " + choice + ", " + precision + ", seed " + TestSeed.value()
                                + ": " + one.report() + ", apart " + two.report();
                        assertTrue(one.report().converged() && two.report().converged(), context);
                        assertTrue(splits(one.report()), context);
                        assertTrue(!splits(two.report()), context);
                        assertEquals(two.report().iterations(), one.report().iterations(), f64 ? 1 : 3, context);
                        assertHistories(one.report(), two.report(), f64 ? 1e-4 : 0.02, context);
                        double largest = Arrays.stream(two.x()).map(Math::abs).max().orElseThrow();
                        assertArrayEquals(two.x(), one.x(), (f64 ? 1e-7 : 0.02) * largest, context);
                    }
                }
            }
        }
    }

    private static void assertHistories(SolveReport one, SolveReport two, double allowed, String context) {
        // Later, rounding decides by how much residuals differ.
        for (int i = 0; i <= 10; i++) {
            double expected = two.residualHistory().get(i);
            assertEquals(expected, one.residualHistory().get(i), allowed * expected, context + ", iteration " + i);
        }
    }

    @Test
    void reportsTheSameHoweverSeldomItLooksAndOnHoweverManyThreads() {
        SplittableRandom random = TestSeed.random("splitSeldom");
        CsrMatrix matrix = diffusion(83, 61, Precision.F64, random);
        HostVector b = HostVector.of(Precision.F64, matrix.rows(), i -> random.nextDouble(-1, 1));
        StoppingCriteria criteria = StoppingCriteria.relative(1e-9, 500);
        for (Choice choice : CHOICES) {
            Solved first = null;
            for (int threads : new int[]{1, 2, 3}) {
                Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
                try (Backend backend = Backends.open("threads", configuration)) {
                    for (int every : new int[]{1, 4, 7}) {
                        Solved now = solve(backend, matrix, choice, false, b, criteria, every);
                        first = first == null ? now : first;
                        String context = choice + " on " + threads + " threads, every " + every + ", seed "
                                + TestSeed.value();
                        assertTrue(splits(now.report()) && now.report().converged(), context);
                        assertEquals(first.report().iterations(), now.report().iterations(), context);
                        assertEquals(first.report().residualHistory(), now.report().residualHistory(), context);
                        assertArrayEquals(first.x(), now.x(), context);
                    }
                }
            }
        }
    }

    @Test
    void solvesSystemsOfAnySize() {
        SplittableRandom random = TestSeed.random("splitSizes");
        for (Precision precision : Precision.values()) {
            boolean f64 = precision == Precision.F64;
            double[][] sizes = f64
                    ? new double[][]{{1, 1e-290}, {1, 1e300}, {1e200, 1}, {1e-200, 1}, {1e250, 1e-30}, {1e-280, 1e-290}}
                    : new double[][]{{1, 1e-25}, {1, 1e34}, {1e30, 1}, {1e-30, 1}, {1e11, 1e11}};
            CsrMatrix matrix = diffusion(11, 13, precision, random);
            HostVector b = HostVector.of(precision, matrix.rows(), i -> 1 + i % 7);
            StoppingCriteria criteria = StoppingCriteria.relative(f64 ? 1e-10 : 1e-4, 1000);
            try (Backend backend = Backends.open("threads", Configuration.load())) {
                Choice choice = CHOICES.getFirst();
                Solved usual = solve(backend, matrix, choice, false, b, criteria, 1);
                for (double[] size : sizes) {
                    Solved now = solve(backend, matrix.mapValues((i, j, a) -> a * size[0]), choice, false,
                            HostVector.of(precision, b.length(), i -> b.get(i) * size[1]), criteria, 1);
                    String context = precision + ", A times " + size[0] + ", b times " + size[1] + ", seed "
                            + TestSeed.value() + ": " + now.report();
                    assertTrue(now.report().converged() && splits(now.report()), context);
                    double factor = size[1] / size[0];
                    for (int i = 0; i < b.length(); i++) {
                        assertEquals(usual.x()[i] * factor, now.x()[i],
                                (f64 ? 1e-7 : 2e-2) * Math.abs(usual.x()[i]) * factor, context);
                    }
                }
            }
        }
    }

    @Test
    void leavesTheSplitProductOnceTheMatrixHasOtherValues() {
        SplittableRandom random = TestSeed.random("splitRefill");
        CsrMatrix matrix = diffusion(9, 8, Precision.F64, random);
        HostVector b = HostVector.of(Precision.F64, matrix.rows(), i -> random.nextDouble(-1, 1));
        StoppingCriteria criteria = StoppingCriteria.relative(1e-10, 300);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner ssor = Preconditioners.of("ssor", matrix, product, backend, Map.of()).orElseThrow();
                ConjugateGradient solver = new ConjugateGradient(product, ssor, backend)) {
            HostVector x = HostVector.zeros(Precision.F64, matrix.rows());
            assertTrue(splits(solver.solve(b, x, criteria, ProgressListener.NONE)));
            double[] twice = matrix.onlySegment().values().toDoubleArray();
            for (int k = 0; k < twice.length; k++) {
                twice[k] *= 2;
            }
            product.refill(twice);
            HostVector half = HostVector.zeros(Precision.F64, matrix.rows());
            SolveReport report = solver.solve(b, half, criteria, ProgressListener.NONE);
            assertTrue(report.converged() && !splits(report), report::toString);
            for (int i = 0; i < b.length(); i++) {
                assertEquals(x.get(i) / 2, half.get(i), 1e-7, "seed " + TestSeed.value());
            }
        }
    }

    @Test
    void seesThatTheMatrixIsNotDefinite() {
        CsrMatrix matrix = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1, 2, 2, 1});
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            Solved solved = solve(backend, matrix, CHOICES.getFirst(), false, HostVector.of(1.0, -1),
                    StoppingCriteria.relative(1e-10, 10), 3);
            assertEquals(SolveStatus.BREAKDOWN, solved.report().status());
            assertTrue(solved.report().detail().contains("p^T A p is -"), solved.report().detail());
            assertTrue(splits(solved.report()));
        }
    }

    /** All that passes through memory beside the triangles, which are in no dat. */
    @Test
    void movesFewVectors() {
        SplittableRandom random = TestSeed.random("splitMoves");
        CsrMatrix matrix = diffusion(12, 9, Precision.F64, random);
        HostVector b = HostVector.of(Precision.F64, matrix.rows(), i -> random.nextDouble(-1, 1));
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner ssor = Preconditioners.of("ssor", matrix, product, backend, Map.of()).orElseThrow();
                ConjugateGradient solver = new ConjugateGradient(product, ssor, backend)) {
            int[] moved = {0};
            solver.mesh().addListener(step -> moved[0] += (int) (step.reads().stream()
                    .filter(data -> data.data() instanceof Dat).count()
                    + step.writes().stream().filter(data -> data.data() instanceof Dat).count()));
            int[] counts = new int[2];
            for (int iterations = 1; iterations <= 2; iterations++) {
                moved[0] = 0;
                solver.solve(b, HostVector.zeros(Precision.F64, b.length()), StoppingCriteria.relative(0, iterations),
                        ProgressListener.NONE);
                counts[iterations - 1] = moved[0];
            }
            assertEquals(14, counts[1] - counts[0]);
        }
    }
}
