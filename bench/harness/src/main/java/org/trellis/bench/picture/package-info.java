/** Pictures of matrices, of meshes and of convergence, drawn without a display and written as PNG. */
package org.trellis.bench.picture;
