package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Device;
import org.trellis.backend.HostBackend;
import org.trellis.internal.simd.SimdSparseKernels;
import org.trellis.internal.threads.loop.TeamLoopKernels;
import org.trellis.internal.threads.loop.TeamPatternKernels;
import org.trellis.internal.threads.smooth.ThreadsSmootherKernels;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.internal.threads.vector.ThreadsElementKernels;
import org.trellis.kernel.GeneratedLoops;
import org.trellis.kernel.LoopStyle;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.algebra.HostAlgebra;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** Scalar code that goes over to vector code, on a team of threads. */
final class CpuBackend extends HostBackend {
    private final WorkerTeam team;

    /**
     * Opens the backend.
     *
     * @param threads the number of threads
     * @param vectors whether the JVM has the Vector API
     * @param adapts  whether vector code may be taken
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the team is closed with the backend
    CpuBackend(int threads, boolean vectors, boolean adapts) {
        this(new WorkerTeam(threads), vectors, adapts, new TrialBudget());
    }

    /** On a machine that does not multiply and add in one operation, scalar code in the order of vectors is slow. */
    @MustBeClosed
    CpuBackend(WorkerTeam team, boolean vectors, boolean adapts, TrialBudget budget) {
        super(CpuBackendProvider.NAME, device(team, vectors && adapts),
                Map.of(SparseKernels.class,
                        new CpuSparseKernels(team,
                                vectors && GeneratedLoops.fusedMultiplyAdd()
                                        ? Optional.of(new SimdSparseKernels(team))
                                        : Optional.empty(),
                                adapts, budget),
                        LoopKernels.class, loops(team, vectors && adapts, budget),
                        PatternKernels.class, new TeamPatternKernels(team),
                        ElementKernels.class, new ThreadsElementKernels(team),
                        SmootherKernels.class, new ThreadsSmootherKernels(team),
                        MatrixAlgebra.class, HostAlgebra.COMMON));
        this.team = team;
    }

    private static Device device(WorkerTeam team, boolean adapts) {
        return new Device("Java, " + team.size() + " threads" + (adapts ? ", vectors where they prove faster" : ""),
                MemorySpace.HOST,
                Map.of("threads", Integer.toString(team.size()), "adapts", Boolean.toString(adapts)));
    }

    /** Loops whose style is scalar go over to vector code; the other style asks for it at once. */
    private static LoopKernels loops(WorkerTeam team, boolean adapts, TrialBudget budget) {
        return adapts
                ? new TeamLoopKernels(team, CpuBackendProvider.NAME,
                        (loop, threads, codes) -> AdaptiveLoop.of(loop, threads, codes, budget), LoopStyle.SCALAR,
                        LoopStyle.SIMD)
                : new TeamLoopKernels(team, CpuBackendProvider.NAME, LoopStyle.SCALAR);
    }

    @Override
    protected void release() {
        team.close();
    }
}
