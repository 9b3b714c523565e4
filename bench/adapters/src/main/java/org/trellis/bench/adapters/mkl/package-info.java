/** The adapter to Intel MKL. */
package org.trellis.bench.adapters.mkl;
