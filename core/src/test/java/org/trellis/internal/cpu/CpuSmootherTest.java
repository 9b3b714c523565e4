package org.trellis.internal.cpu;

import org.trellis.backend.Backend;
import org.trellis.internal.threads.WorkerTeam;
import org.trellis.solve.smooth.SmootherContract;

/** The smoothers of the cpu backend. */
final class CpuSmootherTest extends SmootherContract {
    @Override
    protected Backend openBackend() {
        return new CpuBackend(new WorkerTeam(3), true, true, new TrialBudget());
    }
}
