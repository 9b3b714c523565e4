/**
 * The compile-time translation of mesh kernels, in stages: {@code front} reads javac's trees into the {@code model},
 * {@code check} applies the rules of the kernel language, {@code lower} inlines and unrolls, {@code emit} writes Java
 * and CUDA C, and {@code output} takes the results.
 */
package org.trellis.processor;
