/**
 * Mesh files: a general model, {@link org.trellis.matrices.mesh.MeshData}, and the mesh of the Airfoil benchmark with
 * its
 * tables, {@link org.trellis.matrices.mesh.AirfoilMesh}.
 */
package org.trellis.matrices.mesh;
