package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ProgressListener;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;

/** Sweeps over all choices. */
class SolverSweepTest {
    @Test
    void everyChoiceHasAnOutcome() {
        int n = 40;
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            entries.add(i, i, 2.1);
            if (i > 0) {
                entries.add(i, i - 1, -1.2);
                entries.add(i - 1, i, -0.8);
            }
        }
        CsrMatrix a = entries.build();
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            List<SolverSweep.Outcome> found =
                    SolverSweep.run(a, backend, StoppingCriteria.relative(1e-8, 1000), 10, ProgressListener.NONE);
            assertTrue(found.size() > 60 && found.size() <= SolverSpace.MOST, () -> found.size() + " outcomes");
            SolverSweep.Outcome best = SolverSweep.best(found, 10).orElseThrow();
            assertTrue(best.total(10) > 0 && best.isSolved());
            for (SolverSweep.Outcome one : found) {
                assertEquals(one.isSolved(), Double.isFinite(one.total(10)), one::toString);
                assertTrue(!one.isSolved() || one.total(10) >= best.total(10), () -> one + " beside " + best);
            }
            assertTrue(found.stream().filter(SolverSweep.Outcome::isSolved).count() > 3);
        }
    }
}
