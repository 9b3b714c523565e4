package org.trellis.internal.cpu;

import org.trellis.backend.Backend;
import org.trellis.internal.threads.WorkerTeam;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the cpu backend, with trials too rare to be met. */
final class CpuLoopKernelsTest extends LoopKernelsContract {
    @Override
    protected Backend openBackend() {
        return new CpuBackend(new WorkerTeam(3), true, true, new TrialBudget());
    }
}
