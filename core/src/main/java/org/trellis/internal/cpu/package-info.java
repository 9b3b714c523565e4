/**
 * The {@code cpu} backend: scalar code from the first call, vector code of the {@code simd} backend once it is compiled
 * and measured to be faster. Both give the same bits.
 */
package org.trellis.internal.cpu;
