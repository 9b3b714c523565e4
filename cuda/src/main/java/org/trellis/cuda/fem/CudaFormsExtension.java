package org.trellis.cuda.fem;

import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.KernelExtension;
import org.trellis.cuda.CudaBackend;

/**
 * Forms on a GPU for programs that have finite elements. Module {@code fem} is optional: nothing of it is loaded before
 * it asks for its kernels itself.
 */
public final class CudaFormsExtension implements KernelExtension {
    private static final String FORMS = "org.trellis.fem.DeviceForms";

    /** Does nothing. */
    public CudaFormsExtension() {}

    @Override
    public String backend() {
        return "cuda";
    }

    @Override
    public <K> Optional<K> kernels(Class<K> kernelInterface, Backend backend) {
        return kernelInterface.getName().equals(FORMS) && backend instanceof CudaBackend cuda
                ? Optional.of(kernelInterface.cast(new CudaForms(cuda.context())))
                : Optional.empty();
    }
}
