package org.trellis.internal.reference;

import java.util.Map;
import org.trellis.backend.Device;
import org.trellis.backend.HostBackend;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.algebra.HostAlgebra;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** One thread, plain loops. */
final class ReferenceBackend extends HostBackend {
    private final ReferenceLock turn;

    ReferenceBackend() {
        this(new ReferenceLock());
    }

    private ReferenceBackend(ReferenceLock turn) {
        super(ReferenceBackendProvider.NAME, new Device("Java, one thread", MemorySpace.HOST, Map.of("threads", "1")),
                Map.of(SparseKernels.class, new ReferenceSparseKernels(turn),
                        LoopKernels.class, new ReferenceLoopKernels(turn),
                        PatternKernels.class, new ReferencePatternKernels(),
                        ElementKernels.class, new ReferenceElementKernels(turn),
                        SmootherKernels.class, new ReferenceSmootherKernels(turn),
                        MatrixAlgebra.class, HostAlgebra.COMMON));
        this.turn = turn;
    }

    @Override
    protected void release() {
        turn.close();
    }
}
