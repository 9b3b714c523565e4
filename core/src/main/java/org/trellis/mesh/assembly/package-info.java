/** Matrices whose values are dats of a mesh. */
package org.trellis.mesh.assembly;
