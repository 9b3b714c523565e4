package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.Operators;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;

/** Multigrid of operators that hide their matrices, against multigrid of the matrices. */
final class OperatorMultigridTest {
    private static final int POINTS = 31;
    private static final int LEVELS = 4;

    /** Levels of a square, as matrices and as operators. */
    private static final class Scene implements AutoCloseable {
        final Backend backend;
        final List<HierarchyLevel> matrices = new ArrayList<>();
        final List<OperatorLevel> operators = new ArrayList<>();
        private final List<LinearOperator> closing = new ArrayList<>();

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Scene(String name, Precision precision, String smoother) {
            backend = Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
            int n = POINTS;
            for (int l = 0; l < LEVELS - 1; l++) {
                CsrMatrix a = Grids.square(n).toPrecision(precision);
                CsrMatrix line = Grids.interpolation(n / 2);
                CsrMatrix p = KroneckerProduct.of(line, line).toPrecision(precision);
                CsrMatrix r = p.transpose();
                matrices.add(HierarchyLevel.of(a, p, r));
                Smoother made = Preconditioners.smoother(smoother, a, null, backend, Map.of());
                closing.add(made);
                operators.add(new OperatorLevel(hidden(a), hidden(p), hidden(r), made, true));
                n /= 2;
            }
            matrices.add(HierarchyLevel.coarsest(Grids.square(n).toPrecision(precision)));
        }

        /** A function whose matrix is not known. */
        @SuppressWarnings("MustBeClosed") // closed with this
        private LinearOperator hidden(CsrMatrix matrix) {
            SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
            closing.add(product);
            return Operators.on(backend).of(product.domain(), product.range(), product::apply);
        }

        CsrMatrix coarsest() {
            return matrices.getLast().matrix();
        }

        OperatorMultigrid ofOperators(CycleOptions cycle) {
            return OperatorMultigrid.of(operators, coarsest(), cycle, backend);
        }

        Multigrid ofMatrices(CycleOptions cycle, String smoother) {
            return Multigrid.of(Hierarchy.given(matrices), cycle, MultigridParts.of(backend,
                    (level, matrix, product) -> Preconditioners.smoother(smoother, matrix, product, backend,
                            Map.of())));
        }

        @Override
        public void close() {
            for (LinearOperator one : closing.reversed()) {
                one.close();
            }
            backend.close();
        }
    }

    private static HostVector vector(Precision precision, int rows) {
        return Grids.vector(precision, rows, i -> ((7919L * i + 13) % 1009) / 1009.0 - 0.3);
    }

    @ParameterizedTest
    @CsvSource({"reference, F64, v, 1, 1, jacobi", "threads, F64, v, 1, 1, chebyshev", "simd, F32, w, 2, 1, jacobi",
        "cpu, F64, f, 1, 2, ssor", "threads, F32, k, 1, 1, chebyshev", "reference, F32, k, 0, 2, ssor",
        "simd, F64, w, 1, 1, gauss-seidel"})
    void cyclesAreThoseOfMatrices(String backend, Precision precision, String shape, int before, int after,
            String smoother) {
        CycleOptions cycle = new CycleOptions(CycleShape.of(shape), before, after, true);
        try (Scene scene = new Scene(backend, precision, smoother);
                OperatorMultigrid operators = scene.ofOperators(cycle);
                Multigrid matrices = scene.ofMatrices(cycle, smoother)) {
            int rows = POINTS * POINTS;
            HostVector b = vector(precision, rows);
            HostVector found = HostVector.zeros(precision, rows);
            HostVector expected = HostVector.zeros(precision, rows);
            operators.apply(b, found);
            matrices.apply(b, expected);
            double tolerance = 2e3 * precision.unitRoundoff();
            assertArrayEquals(expected.toDoubleArray(), found.toDoubleArray(), tolerance);
            operators.sweep(b, found, SweepDirection.FORWARD);
            matrices.sweep(b, expected, SweepDirection.FORWARD);
            assertArrayEquals(expected.toDoubleArray(), found.toDoubleArray(), tolerance);
            assertEquals(matrices.symmetric(), operators.symmetric());
            assertEquals(matrices.variable(), operators.variable());
        }
    }

    @Test
    void preconditionsConjugateGradients() {
        try (Scene scene = new Scene("threads", Precision.F64, "chebyshev");
                OperatorMultigrid multigrid = scene.ofOperators(CycleOptions.V11);
                ConjugateGradient solver =
                        new ConjugateGradient(scene.operators.getFirst().operator(), multigrid, scene.backend)) {
            HostVector b = vector(Precision.F64, POINTS * POINTS);
            HostVector x = HostVector.zeros(Precision.F64, POINTS * POINTS);
            SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-10, 50));
            assertTrue(report.converged(), report::toString);
            assertTrue(report.iterations() <= 12, report::toString);
            assertEquals(List.of(961, 225, 49, 9), multigrid.rowsOfLevels());
            assertEquals("inverse", multigrid.smoothersOfLevels().getLast());
            assertEquals(LEVELS, multigrid.secondsOfLevels().length);
            assertTrue(multigrid.remarks().isEmpty(), multigrid.remarks()::toString);
            HostVector again = HostVector.zeros(Precision.F64, POINTS * POINTS);
            multigrid.applyTransposed(2, b, 0, again);
            multigrid.apply(1, b, 0, x);
            for (int i = 0; i < x.length(); i++) {
                assertEquals(2 * x.get(i), again.get(i));
            }
        }
    }

    /** Levels that are not symmetric make a cycle that conjugate gradients refuse to take as symmetric. */
    @Test
    void knowsWhatIsNotSymmetric() {
        try (Scene scene = new Scene("reference", Precision.F64, "jacobi")) {
            scene.operators.replaceAll(level -> new OperatorLevel(level.operator(), level.prolongation(),
                    level.restriction(), level.smoother(), false));
            try (OperatorMultigrid multigrid = scene.ofOperators(CycleOptions.V11)) {
                assertFalse(multigrid.symmetric());
                HostVector x = vector(Precision.F64, POINTS * POINTS);
                HostVector y = HostVector.zeros(Precision.F64, POINTS * POINTS);
                assertThrows(UnsupportedOperationException.class, () -> multigrid.applyTransposed(1, x, 0, y));
            }
        }
    }

    /** Multigrid of the lower levels in the place of the solution makes the cycle of all levels, bit for bit. */
    @ParameterizedTest
    @CsvSource({"threads, v", "reference, w"})
    void lowerLevelsMayBeGivenAsOne(String backend, String shape) {
        CycleOptions cycle = new CycleOptions(CycleShape.of(shape), 1, 1, true);
        try (Scene scene = new Scene(backend, Precision.F64, "jacobi");
                OperatorMultigrid lower = OperatorMultigrid.of(scene.operators.subList(1, LEVELS - 1),
                        scene.coarsest(), cycle, scene.backend);
                OperatorMultigrid joined =
                        OperatorMultigrid.of(scene.operators.subList(0, 1), lower, cycle, scene.backend);
                OperatorMultigrid whole = scene.ofOperators(cycle)) {
            HostVector b = vector(Precision.F64, POINTS * POINTS);
            HostVector found = HostVector.zeros(Precision.F64, POINTS * POINTS);
            HostVector expected = HostVector.zeros(Precision.F64, POINTS * POINTS);
            joined.apply(b, found);
            whole.apply(b, expected);
            assertArrayEquals(expected.toDoubleArray(), found.toDoubleArray());
            joined.sweep(b, found, SweepDirection.FORWARD);
            whole.sweep(b, expected, SweepDirection.FORWARD);
            assertArrayEquals(expected.toDoubleArray(), found.toDoubleArray());
            assertEquals(List.of(961, 225), joined.rowsOfLevels());
            assertEquals(lower.describe(), joined.smoothersOfLevels().getLast());
            assertEquals(whole.symmetric(), joined.symmetric());
            assertTrue(joined.toString().contains(lower.describe()), joined::toString);
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> OperatorMultigrid.of(scene.operators.subList(1, 2), lower, cycle, scene.backend));
            assertTrue(refused.getMessage().contains("expected the 225 rows of the next level"),
                    refused.getMessage());
        }
    }

    @Test
    void oneLevelIsSolvedDirectly() {
        try (Scene scene = new Scene("threads", Precision.F64, "jacobi");
                OperatorMultigrid multigrid =
                        OperatorMultigrid.of(List.of(), scene.coarsest(), CycleOptions.V11, scene.backend)) {
            HostVector known = vector(Precision.F64, 9);
            HostVector b = HostVector.of(scene.coarsest().multiply(known.toDoubleArray()));
            HostVector x = HostVector.zeros(Precision.F64, 9);
            multigrid.apply(b, x);
            assertArrayEquals(known.toDoubleArray(), x.toDoubleArray(), 1e-13);
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (Scene scene = new Scene("reference", Precision.F64, "jacobi")) {
            String message = assertThrows(IllegalArgumentException.class, () -> OperatorMultigrid
                    .of(scene.operators, Grids.square(4), CycleOptions.V11, scene.backend)).getMessage();
            assertTrue(message.contains("level 2 of 4") && message.contains("the 16 rows"), message);
            assertThrows(IllegalArgumentException.class, () -> OperatorMultigrid.of(scene.operators,
                    scene.coarsest().toPrecision(Precision.F32), CycleOptions.V11, scene.backend));
            assertThrows(IllegalArgumentException.class, () -> OperatorMultigrid.of(scene.operators,
                    Grids.interpolation(3), CycleOptions.V11, scene.backend));
            OperatorLevel level = scene.operators.getFirst();
            LinearOperator small =
                    LinearOperator.of(5, 5, Precision.F64, MemorySpace.HOST,
                            (alpha, x, beta, y) -> y.copyFrom(HostVector.zeros(Precision.F64, 5)));
            String sizes = assertThrows(IllegalArgumentException.class, () -> new OperatorLevel(small,
                    level.prolongation(), level.restriction(), level.smoother(), true)).getMessage();
            assertTrue(sizes.contains("5 x 5") && sizes.contains("961 x 225"), sizes);

            OperatorMultigrid multigrid = scene.ofOperators(CycleOptions.V11);
            HostVector b = vector(Precision.F64, POINTS * POINTS);
            HostVector x = HostVector.zeros(Precision.F64, POINTS * POINTS);
            assertThrows(IllegalArgumentException.class, () -> multigrid.sweep(b, b, SweepDirection.FORWARD));
            PreparedStep bound = multigrid.bindSweep(b, x, SweepDirection.FORWARD).getFirst();
            bound.close();
            assertThrows(IllegalStateException.class, bound::run);
            multigrid.close();
            assertThrows(IllegalStateException.class, () -> multigrid.apply(b, x));
        }
    }
}
