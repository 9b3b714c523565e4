package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.solve.smooth.SmootherContract;

/** The smoothers of the cpu backend. */
final class CpuSmootherTest extends SmootherContract {
    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the backend closes its team
    protected Backend openBackend() {
        return new CpuBackend(new WorkerTeam(3), true, true, new TrialBudget());
    }
}
