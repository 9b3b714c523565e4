/**
 * Mesh files. {@link org.trellis.matrices.mesh.MeshFiles} reads and writes general formats through one model,
 * {@link org.trellis.matrices.mesh.MeshData}; {@link org.trellis.matrices.mesh.AirfoilMesh} is the mesh of the Airfoil
 * benchmark with its tables. What is accepted is written down in {@code docs/reference/mesh-files.md}.
 */
package org.trellis.matrices.mesh;
