package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;

/** Solutions by one choice alone. */
class FixedSolverTest {
    private static final long SEED = Long.getLong("trellis.test.seed", 20261128L);

    /** Rows whose diagonal holds the rest, symmetric or not. */
    private static CsrMatrix line(int n, double left, double right) {
        Entries a = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            a.add(i, i, 3);
            if (i > 0) {
                a.add(i, i - 1, left);
            }
            if (i < n - 1) {
                a.add(i, i + 1, right);
            }
        }
        return a.build();
    }

    private static void check(CsrMatrix a, String choice, Random random) {
        double[] exact = random.doubles(a.rows(), -1, 1).toArray();
        double[] right = new double[a.rows()];
        a.forEachEntry((i, j, value) -> right[i] += value * exact[j]);
        try (Backend backend = Backends.open("reference", Configuration.load());
                FixedSolver solver = FixedSolver.of(a, SolverChoice.parse(choice), backend);
                DenseVector b = backend.vector(a.precision(), a.rows());
                DenseVector x = backend.vector(a.precision(), a.rows())) {
            assertEquals("fixed solver, " + choice, solver.toString());
            b.copyFrom(HostVector.of(right).convert(a.precision()));
            x.copyFrom(HostVector.zeros(a.precision(), a.rows()));
            SolveReport report = solver.solve(b, x, StoppingCriteria.defaults(a.precision()));
            assertTrue(report.converged(), () -> choice + ": " + report.detail());
            HostVector found = HostVector.zeros(a.precision(), a.rows());
            x.copyTo(found);
            double tolerance = a.precision() == Precision.F64 ? 1e-6 : 1e-3;
            for (int i = 0; i < exact.length; i++) {
                assertEquals(exact[i], found.get(i), tolerance, choice + ", row " + i + ", seed " + SEED);
            }
        }
    }

    @Test
    void solvesByEachKindOfChoice() {
        Random random = new Random(SEED);
        for (int n : List.of(1, 2, 17, 130)) {
            for (Precision precision : Precision.values()) {
                CsrMatrix symmetric = line(n, -1, -1).toPrecision(precision);
                CsrMatrix general = line(n, -1.5, -0.5).toPrecision(precision);
                for (String choice : List.of("direct", "auto", "cg with jacobi", "cg with ic0", "cg with direct")) {
                    check(symmetric, choice, random);
                }
                for (String choice : List.of("direct", "auto", "bicgstab with ilu0", "gmres(restart=30) with none")) {
                    check(general, choice, random);
                }
            }
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // refused before it is made
    void refusesWhatHasNoSolution() {
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            Entries singular = new Entries(2, 2);
            singular.add(0, 0, 1);
            singular.add(1, 0, 1);
            CsrMatrix a = singular.build();
            assertThrows(TrellisException.class, () -> FixedSolver.of(a, SolverChoice.DIRECT, backend).close());
            CsrMatrix tall = new Entries(3, 2).build();
            assertThrows(IllegalArgumentException.class,
                    () -> FixedSolver.of(tall, SolverChoice.DIRECT, backend).close());
            assertThrows(IllegalArgumentException.class,
                    () -> FixedSolver.of(tall, SolverChoice.parse("cg with jacobi"), backend).close());
        }
    }
}
