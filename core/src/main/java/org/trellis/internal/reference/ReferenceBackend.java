package org.trellis.internal.reference;

import java.util.Map;
import org.trellis.backend.Device;
import org.trellis.backend.HostBackend;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.LoopKernels;
import org.trellis.solve.VectorKernels;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.HostElements;
import org.trellis.sparse.SparseKernels;

/** One thread, plain loops. */
final class ReferenceBackend extends HostBackend {
    ReferenceBackend() {
        super(ReferenceBackendProvider.NAME, new Device("Java, one thread", MemorySpace.HOST, Map.of("threads", "1")),
                Map.of(SparseKernels.class, new ReferenceSparseKernels(),
                        LoopKernels.class, new ReferenceLoopKernels(),
                        VectorKernels.class, new ReferenceVectorKernels(),
                        ElementKernels.class, HostElements.PLAIN));
    }
}
