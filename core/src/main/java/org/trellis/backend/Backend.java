package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;

/**
 * Runs kernels on a device. Feature packages own one kernel interface each (for example
 * {@code org.trellis.sparse.SparseKernels}); a backend implements those that it has.
 *
 * <p>Kernels of one backend may be called from one thread at a time; open several backends to work from several
 * threads. On the host, a call while another thread is in one is an {@link IllegalStateException}, and everywhere a
 * call after the backend was closed.
 */
public interface Backend extends AutoCloseable {
    /**
     * Returns the name of the backend.
     *
     * @return the name its provider announced
     */
    String name();

    /**
     * Returns what it runs on.
     *
     * @return the device
     */
    Device device();

    /**
     * Returns the implementation of a kernel interface.
     *
     * @param <K>             the kernel interface
     * @param kernelInterface its class
     * @return this backend's implementation
     * @throws org.trellis.common.UnsupportedKernelException if the backend has none
     * @throws IllegalStateException                         if the backend is closed
     */
    <K> K kernels(Class<K> kernelInterface);

    /**
     * Returns the implementation of a kernel interface, if there is one.
     *
     * @param <K>             the kernel interface
     * @param kernelInterface its class
     * @return this backend's implementation, or empty
     * @throws IllegalStateException if the backend is closed
     */
    default <K> Optional<K> optionalKernels(Class<K> kernelInterface) {
        try {
            return Optional.of(kernels(kernelInterface));
        } catch (UnsupportedKernelException e) {
            return Optional.empty();
        }
    }

    /**
     * Creates a vector of zeros in this backend's memory space.
     *
     * @param precision the type of its elements
     * @param length    the number of elements
     * @return a vector that the caller closes
     * @throws IllegalStateException if the backend is closed
     */
    @MustBeClosed
    DenseVector vector(Precision precision, int length);

    /** Releases threads and device resources. Idempotent; use afterwards is an {@link IllegalStateException}. */
    @Override
    void close();
}
