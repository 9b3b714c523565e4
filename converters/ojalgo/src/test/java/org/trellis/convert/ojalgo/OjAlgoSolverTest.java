package org.trellis.convert.ojalgo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.ojalgo.RecoverableCondition;
import org.ojalgo.matrix.decomposition.LU;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;
import org.ojalgo.matrix.store.SparseStore;
import org.ojalgo.matrix.task.SolverTask;
import org.ojalgo.matrix.task.iterative.ConjugateGradientSolver;
import org.ojalgo.matrix.task.iterative.GaussSeidelSolver;
import org.ojalgo.matrix.task.iterative.IterativeSolverTask;
import org.ojalgo.matrix.task.iterative.JacobiSolver;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.type.context.NumberContext;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;
import org.trellis.testing.TestSeed;

final class OjAlgoSolverTest {
    private static final NumberContext CLOSE = NumberContext.of(8, 8);

    /** A symmetric, diagonally dominant matrix. */
    private static SparseStore<Double> random(int n, SplittableRandom random) {
        SparseStore<Double> a = SparseStore.R064.make(n, n);
        for (int i = 0; i < n; i++) {
            a.set(i, i, 10.0);
            int j = random.nextInt(n);
            if (j != i) {
                a.set(i, j, -1.0);
                a.set(j, i, -1.0);
            }
        }
        return a;
    }

    private static R064Store rightHandSides(int n, SplittableRandom random) {
        R064Store b = R064Store.FACTORY.make(n, 3);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 3; j++) {
                b.set(i, j, random.nextDouble(-1, 1));
            }
        }
        return b;
    }

    @Test
    void standsInForADecomposition() throws RecoverableCondition {
        SplittableRandom random = TestSeed.random("standsInForADecomposition");
        Map<String, Function<CsrMatrix, SystemSolver>> methods = Map.of("direct", Solvers::direct, "auto",
                Solvers::auto, "cg", a -> Solvers.cg(a).backend("reference"));
        for (Map.Entry<String, Function<CsrMatrix, SystemSolver>> method : methods.entrySet()) {
            for (int n : new int[]{1, 2, 33}) {
                SparseStore<Double> a = random(n, random);
                R064Store b = rightHandSides(n, random);
                LU<Double> lu = LU.R064.make(a);
                lu.decompose(a);
                try (OjAlgoSolver solver = new OjAlgoSolver(method.getValue())) {
                    assertFalse(solver.isComputed());
                    assertTrue(solver.compute(a), method.getKey());
                    assertTrue(solver.reconstruct().equals(a, CLOSE));
                    assertTrue(lu.getSolution(b).equals(solver.getSolution(b), NumberContext.of(6, 6)),
                            method.getKey());
                    assertTrue(lu.getInverse().equals(solver.getInverse(), NumberContext.of(6, 6)), method.getKey());
                    MatrixStore<Double> x = solver.solve(a, b);
                    assertTrue(a.multiply(x).equals(b, NumberContext.of(6, 6)), method.getKey());
                    assertEquals(n * n, solver.size());
                }
            }
        }
    }

    @Test
    void solvesTransposedAsTheSimplexMethodDoes() {
        SparseStore<Double> a = SparseStore.R064.make(2, 2);
        a.set(0, 0, 2.0);
        a.set(0, 1, 1.0);
        a.set(1, 1, 4.0);
        try (OjAlgoSolver solver = new OjAlgoSolver(Solvers::direct)) {
            assertTrue(solver.decompose(a));
            double[] forward = {4, 8};
            solver.ftran(forward);
            assertEquals(1, forward[0], 1e-15);
            assertEquals(2, forward[1], 1e-15);
            R064Store backward = R064Store.FACTORY.column(2, 9);
            solver.btran(backward);
            assertEquals(1, backward.doubleValue(0), 1e-15);
            assertEquals(2, backward.doubleValue(1), 1e-15);
        }
    }

    @Test
    void reportsSingularMatricesAsOjAlgoDoes() {
        SparseStore<Double> singular = SparseStore.R064.make(3, 3);
        singular.set(0, 0, 1.0);
        singular.set(1, 1, 1.0);
        R064Store b = R064Store.FACTORY.make(3, 1);
        try (OjAlgoSolver solver = new OjAlgoSolver(Solvers::direct)) {
            assertThrows(IllegalStateException.class, () -> solver.getSolution(b, b.copy()));
            assertFalse(solver.compute(singular));
            assertTrue(solver.isComputed());
            assertFalse(solver.isSolvable());
            assertThrows(RecoverableCondition.class, () -> solver.solve(singular, b));
            assertThrows(RecoverableCondition.class, () -> solver.invert(singular, R064Store.FACTORY.make(3, 3)));
            assertThrows(IllegalStateException.class, () -> solver.getSolution(b));
        }
    }

    /** A quadratic programme whose systems Trellis solves: the least x² + y² + z² with x + y + z = 6 is 2, 2, 2. */
    @Test
    void solvesInsideOjAlgosOptimisation() {
        AtomicInteger made = new AtomicInteger();
        Optimisation.Options options = new Optimisation.Options();
        options.convex().solverSPD(structure -> {
            made.incrementAndGet();
            return new OjAlgoSolver(Solvers::direct);
        });
        ExpressionsBasedModel model = new ExpressionsBasedModel(options);
        for (String name : new String[]{"x", "y", "z"}) {
            model.newVariable(name);
        }
        var objective = model.newExpression("objective").weight(1);
        var sum = model.newExpression("sum").level(6);
        for (int i = 0; i < 3; i++) {
            objective.set(i, i, 1);
            sum.set(i, 1);
        }
        Optimisation.Result result = model.minimise();
        assertTrue(result.getState().isOptimal(), result.toString());
        for (int i = 0; i < 3; i++) {
            assertEquals(2, result.doubleValue(i), 1e-6);
        }
        assertTrue(made.get() > 0, "the solver was not asked for");
    }

    @Test
    void preconditionsOjAlgosConjugateGradients() throws RecoverableCondition {
        SplittableRandom random = TestSeed.random("preconditionsOjAlgosConjugateGradients");
        SparseStore<Double> a = random(60, random);
        R064Store b = R064Store.FACTORY.make(60, 1);
        b.fillAll(1.0);
        LU<Double> lu = LU.R064.make(a);
        lu.decompose(a);
        for (String name : new String[]{"amg", "ssor", "ic0"}) {
            try (OjAlgoPreconditioner preconditioner = new OjAlgoPreconditioner(name, Map.of())) {
                assertThrows(IllegalStateException.class, () -> preconditioner.apply(b, b.copy()));
                ConjugateGradientSolver solver = new ConjugateGradientSolver();
                solver.configurator().preconditioner(preconditioner).accuracy(NumberContext.of(12))
                        .iterations(200);
                MatrixStore<Double> x = solver.solve(a, b, R064Store.FACTORY.make(60, 1));
                assertTrue(lu.getSolution(b).equals(x, NumberContext.of(6, 6)), name);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new OjAlgoPreconditioner("none", Map.of()));
    }

    /** As ojAlgo's examples of sparse systems do: a task that solves, here any of ojAlgo's iterative ones or ours. */
    @Test
    void agreesWithOjAlgosTasks() throws RecoverableCondition {
        SplittableRandom random = TestSeed.random("agreesWithOjAlgosTasks");
        int n = 30 + random.nextInt(40);
        SparseStore<Double> a = SparseStore.R064.make(n, n);
        for (int i = 0; i < n; i++) {
            a.set(i, i, 4.0);
            if (i > 0) {
                a.set(i, i - 1, -1.0);
                a.set(i - 1, i, -1.0);
            }
        }
        R064Store b = R064Store.FACTORY.make(n, 1);
        b.fillAll(1.0);
        try (OjAlgoSolver direct = new OjAlgoSolver(Solvers::direct);
                OjAlgoSolver iterative = new OjAlgoSolver(m -> Solvers.cg(m).tolerance(1e-10).backend("reference"))) {
            MatrixStore<Double> expected = direct.solve(a, b);
            List<SolverTask<Double>> tasks = List.of(iterative, new ConjugateGradientSolver(), new JacobiSolver(),
                    new GaussSeidelSolver());
            for (SolverTask<Double> task : tasks) {
                if (task instanceof IterativeSolverTask iterations) {
                    iterations.configurator().accuracy(NumberContext.of(12)).iterations(1000);
                }
                assertTrue(task.solve(a, b).equals(expected, NumberContext.of(6, 6)), task.getClass().getSimpleName());
            }
        }
    }
}
