/** Sweeps of relaxation by staged rows, and split rows. */
package org.trellis.internal.threads.smooth;
