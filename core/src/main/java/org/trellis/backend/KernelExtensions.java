package org.trellis.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** What other modules add to one backend, found when the backend lacks something for the first time. */
public final class KernelExtensions {
    /** Those of all backends, looked for once. */
    private static volatile List<KernelExtension> installed;

    private final Map<Class<?>, Optional<?>> known = new HashMap<>();
    private List<KernelExtension> extensions;

    /** Creates the extensions of a backend; looks for none yet. */
    public KernelExtensions() {}

    /**
     * Returns an added implementation of a kernel interface.
     *
     * @param <K>             the kernel interface
     * @param kernelInterface its class
     * @param backend         the backend, the same each time
     * @return the same each time, or empty if no module adds one
     */
    public <K> Optional<K> find(Class<K> kernelInterface, Backend backend) {
        Optional<?> found = known.get(kernelInterface);
        if (found == null) {
            found = extensions(backend.name()).stream()
                    .flatMap(extension -> extension.kernels(kernelInterface, backend).stream()).findFirst();
            known.put(kernelInterface, found);
        }
        return found.map(kernelInterface::cast);
    }

    private List<KernelExtension> extensions(String name) {
        if (extensions == null) {
            extensions = installed().stream().filter(extension -> extension.backend().equals(name)).toList();
        }
        return extensions;
    }

    private static List<KernelExtension> installed() {
        List<KernelExtension> all = installed;
        if (all == null) {
            all = ServiceLoader.load(KernelExtension.class, KernelExtensions.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get).toList();
            installed = all;
        }
        return all;
    }
}
