/**
 * The {@code simd} backend: products with the Vector API on a team of threads. The only package of the library that
 * uses {@code jdk.incubator.vector}.
 */
package org.trellis.internal.simd;
