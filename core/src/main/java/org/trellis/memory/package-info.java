/**
 * Vectors that belong to a memory space (the host's or a device's). Copies between spaces are explicit calls; nothing
 * moves behind the caller's back.
 */
package org.trellis.memory;
