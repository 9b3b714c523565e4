package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/** What the backends on the Java heap have in common: a table of kernel interfaces and vectors that are arrays. */
public abstract class HostBackend implements Backend {
    private final String name;
    private final Device device;
    private final Map<Class<?>, Object> kernels;
    private final KernelExtensions extensions = new KernelExtensions();
    private boolean closed;

    /**
     * Creates a backend.
     *
     * @param name    the name its provider announced
     * @param device  what it runs on
     * @param kernels its implementation of each kernel interface that it has
     */
    protected HostBackend(String name, Device device, Map<Class<?>, Object> kernels) {
        this.name = Objects.requireNonNull(name);
        this.device = Objects.requireNonNull(device);
        this.kernels = Map.copyOf(kernels);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Device device() {
        return device;
    }

    @Override
    public final <K> K kernels(Class<K> kernelInterface) {
        return optionalKernels(kernelInterface)
                .orElseThrow(() -> new UnsupportedKernelException(kernelInterface.getSimpleName(), name,
                        "it has " + kernels.keySet().stream().map(Class::getSimpleName).sorted().toList()));
    }

    @Override
    public final <K> Optional<K> optionalKernels(Class<K> kernelInterface) {
        requireOpen();
        Object found = kernels.get(kernelInterface);
        return found == null
                ? extensions.find(kernelInterface, this)
                : Optional.of(kernelInterface.cast(found));
    }

    @Override
    @MustBeClosed
    public final DenseVector vector(Precision precision, int length) {
        requireOpen();
        return HostVector.zeros(precision, length);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("backend '" + name + "' is closed");
        }
    }

    /** Releases threads and the like; called once. Does nothing unless overridden. */
    protected void release() {}

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    @Override
    public String toString() {
        return "backend " + name + " on " + device.name();
    }
}
