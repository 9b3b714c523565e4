package org.trellis.solve;

/** How a backend learns what iterations to do, and who sees that it is enough. */
public enum IterationMode {
    /** As is known to be fastest for the system and the backend. */
    AUTOMATIC,
    /** The host looks at the residual after each iteration, or every few. Everywhere possible. */
    LOOKING,
    /** The device gets all at once, and stops by itself (a CUDA graph with a while node). */
    REPEATING,
    /** The device runs one kernel for all iterations (conjugate gradients on systems that fit its caches). */
    RESIDENT
}
