package org.trellis.backend;

import java.util.Optional;

/**
 * Kernels that a module above core adds to a backend, so that the backend need not know what they are for: the inner
 * loops of finite elements by vectors, their forms on a GPU. A backend asks for what it lacks. Registered both in
 * {@code META-INF/services} and in the module descriptor; has a public constructor without parameters that does
 * nothing.
 */
public interface KernelExtension {
    /**
     * Returns the name of the backend that this adds kernels to.
     *
     * @return the name its provider announced
     */
    String backend();

    /**
     * Makes the implementation of a kernel interface; asked once for each interface and backend.
     *
     * @param <K>             the kernel interface
     * @param kernelInterface its class
     * @param backend         the backend, which outlives what is made
     * @return the implementation, or empty if this is about others
     */
    <K> Optional<K> kernels(Class<K> kernelInterface, Backend backend);
}
