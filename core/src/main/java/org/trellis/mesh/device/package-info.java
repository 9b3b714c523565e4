/**
 * What a backend makes for meshes and gives back: the storage of dats, loops and sequences that are prepared, the
 * kernels that build patterns of sparse matrices. What it is asked by, {@link org.trellis.mesh.LoopKernels}, lies one
 * level above, since it sees declared loops. Users of meshes rarely meet these types.
 */
package org.trellis.mesh.device;
