/**
 * Meshes over ranks: the sets of a mesh divided, halos derived from its maps, loops that exchange what their access
 * descriptors say they need, while elements that need nothing run. {@link org.trellis.distributed.mesh.DistributedMesh}
 * is the door; everything else of a program is what it is on one rank.
 */
package org.trellis.distributed.mesh;
