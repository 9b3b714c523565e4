package org.trellis.internal.reference;

import org.trellis.backend.Backend;
import org.trellis.mesh.PatternKernelsContract;

/** The contract on the backend that defines it: what remains is that loops assemble the right matrix. */
final class ReferencePatternKernelsTest extends PatternKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ReferenceBackend();
    }
}
