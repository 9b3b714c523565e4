package org.trellis.fem.simd;

import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.KernelExtension;
import org.trellis.fem.integrate.RowKernels;

/** Inner loops of integrals by vectors, for the backend that has vectors. */
public final class SimdRowsExtension implements KernelExtension {
    /** Does nothing. */
    public SimdRowsExtension() {}

    @Override
    public String backend() {
        return "simd";
    }

    @Override
    public <K> Optional<K> kernels(Class<K> kernelInterface, Backend backend) {
        return kernelInterface == RowKernels.class
                ? Optional.of(kernelInterface.cast(new SimdRowKernels()))
                : Optional.empty();
    }
}
