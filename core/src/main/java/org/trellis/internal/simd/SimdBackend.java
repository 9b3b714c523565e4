package org.trellis.internal.simd;

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

/** Vector kernels on a team of threads. */
final class SimdBackend extends HostBackend {
    private final WorkerTeam team;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the team is closed with the backend
    SimdBackend(int threads) {
        this(new WorkerTeam(threads));
    }

    /** Takes the threads, which are closed with the backend. */
    @MustBeClosed
    SimdBackend(WorkerTeam team) {
        super(SimdBackendProvider.NAME,
                new Device(
                        "Java, " + team.size() + " threads, vectors of " + VectorWidth.BITS
                                + " bits",
                        MemorySpace.HOST,
                        Map.of("threads", Integer.toString(team.size()), "vectorBits",
                                Integer.toString(VectorWidth.BITS))),
                Map.of(SparseKernels.class, new SimdSparseKernels(team),
                        LoopKernels.class,
                        new TeamLoopKernels(team, SimdBackendProvider.NAME, LoopStyle.SIMD, LoopStyle.SCALAR),
                        PatternKernels.class, new TeamPatternKernels(team),
                        ElementKernels.class, new ThreadsElementKernels(team),
                        SmootherKernels.class, new ThreadsSmootherKernels(team, SimdSplit::of),
                        MatrixAlgebra.class, HostAlgebra.COMMON));
        this.team = team;
    }

    @Override
    protected void release() {
        team.close();
    }
}
