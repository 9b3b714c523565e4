package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;

/**
 * Kernels that a device is given together instead of one by one. Implemented by backends whose kernels are queued and
 * whose driver takes several in one call (CUDA graphs).
 */
public interface DeviceBatches {
    /**
     * Makes a batch for work that recurs.
     *
     * @return a batch that the caller closes
     */
    @MustBeClosed
    DeviceBatch batch();
}
