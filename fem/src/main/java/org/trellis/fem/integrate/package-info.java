/**
 * Integrals over elements as kernels of mesh loops: element matrices in four formulations, products without a matrix,
 * diagonals, loads. Kernels take several elements at a time, one to a lane of arrays that run over lanes fastest, so
 * that the JIT compiler's vectors go over elements, as the threads of a GPU do in the thesis.
 */
package org.trellis.fem.integrate;
