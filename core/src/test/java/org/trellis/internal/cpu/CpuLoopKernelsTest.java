package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the cpu backend, with trials too rare to be met. */
final class CpuLoopKernelsTest extends LoopKernelsContract {
    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the backend closes its team
    protected Backend openBackend() {
        return new CpuBackend(new WorkerTeam(3), true, true, new TrialBudget());
    }
}
