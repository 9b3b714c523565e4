package org.trellis.internal.cpu;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.ElementKernelsContract;

class CpuElementKernelsTest extends ElementKernelsContract {
    @Override
    protected Backend openBackend() {
        return Backends.open("cpu", Configuration.load());
    }
}
