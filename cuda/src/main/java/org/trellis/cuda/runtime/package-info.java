/**
 * Devices and what lives on them: contexts, streams, events, memory, vectors, compiled kernels and their launches.
 *
 * <p>Resources form a tree: closing a {@link org.trellis.cuda.runtime.CudaContext} closes everything made from it.
 * {@code close()} is idempotent; use after it is an {@link java.lang.IllegalStateException} that names the object; what
 * is forgotten is reported in the log when the garbage collector finds it. A context and what was made from it are used
 * by one thread at a time, any thread; several contexts, on one device or several, may work side by side.
 */
package org.trellis.cuda.runtime;
