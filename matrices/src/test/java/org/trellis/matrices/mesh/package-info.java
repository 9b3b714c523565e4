/** Tests of the mesh files. */
package org.trellis.matrices.mesh;
