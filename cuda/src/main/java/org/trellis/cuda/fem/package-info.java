/** Finite elements on a CUDA device: kernels in which several threads share an element or a row. */
package org.trellis.cuda.fem;
