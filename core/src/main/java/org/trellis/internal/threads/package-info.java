/**
 * The {@code threads} backend: scalar kernels on a team of threads, rows shared out by non-zeros, long rows split. Also
 * the team itself, which other CPU backends use.
 */
package org.trellis.internal.threads;
