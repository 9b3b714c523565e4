package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;

class OneThreadFirstTest {
    /** Says when it solves. */
    private record Named(String name, List<String> log) implements LinearSolver {
        @Override
        public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
            log.add(name);
            return new SolveReport(SolveStatus.CONVERGED, 200, 0, List.of(1.0, 0.0), 1, 0, 0, name);
        }

        @Override
        public void close() {
            log.add("close " + name);
        }
    }

    @Test
    void allThreadsTakeOverAfterSoManyEntriesWhateverTheValues() {
        List<String> log = new ArrayList<>();
        OneThreadFirst.Visits visits = new OneThreadFirst.Visits();
        HostVector v = HostVector.zeros(Precision.F64, 1);
        StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 10);
        for (int values = 0; values < 2; values++) {
            try (OneThreadFirst both = new OneThreadFirst(new Named("one", log), () -> {
                log.add("prepare");
                return new Named("all", log);
            }, visits, 2_000_000)) {
                both.solve(v, v, criteria);
                both.solve(v, v, criteria);
                assertEquals(values == 0, visits.goesOn());
            }
        }
        assertEquals(List.of("one", "one", "close one", "one", "prepare", "all", "close one", "close all"), log);
    }

    @Test
    void bitsAreThoseOfOneThreadOnAnyBackend() {
        Entries entries = new Entries(400, 400);
        for (int i = 0; i < 400; i++) {
            entries.add(i, i, 2.1);
            if (i > 0) {
                entries.add(i, i - 1, -1);
                entries.add(i - 1, i, -1);
            }
        }
        CsrMatrix matrix = entries.build();
        TunedSolver.Settings fixed = TunedSolver.Settings.defaults().fixed(SolverChoice.parse("cg with jacobi"));
        List<double[]> found = new ArrayList<>();
        for (String name : List.of("reference", "threads")) {
            try (Backend backend = Backends.open(name, Configuration.load());
                    TunedSolver solver = TunedSolver.of(matrix, backend, fixed)) {
                double[] b = new double[matrix.rows()];
                double[] x = new double[matrix.rows()];
                b[3] = 1;
                SolveReport report = solver.solve(b, x);
                assertTrue(report.converged() && report.preconditioner().equals("jacobi on one thread"),
                        report::toString);
                found.add(x);
            }
        }
        assertArrayEquals(found.get(0), found.get(1));
        assertFalse(found.getFirst()[3] == 0);
    }
}
