/**
 * Sparse products on CUDA devices: kernel families with parameters compiled in, the forms of a matrix that they read,
 * rules that choose among them, and operators that run them. The sources of the kernels are resources of this package.
 */
package org.trellis.cuda.sparse;
