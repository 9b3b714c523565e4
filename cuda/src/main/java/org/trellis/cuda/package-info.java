/**
 * The {@code cuda} backend. Programs need nothing of it but the dependency: {@link org.trellis.backend.Backends} finds
 * it. Programs that want a certain device, or CUDA's own objects, use {@link org.trellis.cuda.CudaBackend} directly.
 */
package org.trellis.cuda;
