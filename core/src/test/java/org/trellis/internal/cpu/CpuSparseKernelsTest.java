package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.concurrent.atomic.AtomicLong;
import org.trellis.backend.Backend;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.SparseKernelsContract;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/** The products of the cpu backend, which goes over to vector code within the first few of them here. */
final class CpuSparseKernelsTest extends SparseKernelsContract {
    /** A budget that allows every trial, and a clock by which all code is compiled. */
    static TrialBudget hasty() {
        AtomicLong ticks = new AtomicLong();
        return new TrialBudget(ticks::incrementAndGet, 0);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the backend closes its team
    protected Backend openBackend() {
        return new CpuBackend(new WorkerTeam(3), true, true, hasty());
    }

    /** What the simd backend offers is tried by its own test. */
    @Override
    protected boolean isTried(SpmvParameters parameters) {
        return parameters.family() == SpmvFamily.ADAPTIVE;
    }
}
