package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import org.trellis.backend.Device;
import org.trellis.backend.HostBackend;
import org.trellis.internal.threads.loop.TeamLoopKernels;
import org.trellis.internal.threads.loop.TeamPatternKernels;
import org.trellis.internal.threads.smooth.ThreadsSmootherKernels;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.internal.threads.vector.ThreadsElementKernels;
import org.trellis.kernel.LoopStyle;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.algebra.HostAlgebra;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** Scalar kernels on a team of threads. */
final class ThreadsBackend extends HostBackend {
    private final WorkerTeam team;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the team is closed with the backend
    ThreadsBackend(int threads) {
        this(new WorkerTeam(threads));
    }

    /** Takes the threads, which are closed with the backend. */
    @MustBeClosed
    ThreadsBackend(WorkerTeam team) {
        super(ThreadsBackendProvider.NAME,
                new Device("Java, " + team.size() + " threads", MemorySpace.HOST,
                        Map.of("threads", Integer.toString(team.size()))),
                Map.of(SparseKernels.class, new ThreadsSparseKernels(team),
                        LoopKernels.class, new TeamLoopKernels(team, ThreadsBackendProvider.NAME, LoopStyle.SCALAR),
                        PatternKernels.class, new TeamPatternKernels(team),
                        ElementKernels.class, new ThreadsElementKernels(team),
                        SmootherKernels.class, new ThreadsSmootherKernels(team),
                        MatrixAlgebra.class, HostAlgebra.COMMON));
        this.team = team;
    }

    @Override
    protected void release() {
        team.close();
    }
}
