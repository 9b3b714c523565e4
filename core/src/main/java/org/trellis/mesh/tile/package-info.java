/**
 * Tiles of chains of loops, as data: which elements of which loop each tile runs, and which tiles may run at once. The
 * same for every backend, made once for chains with the same sets, maps and accesses, and kept by the mesh.
 *
 * <p>After I. Z. Reguly's thesis (2014, section 6.2, algorithm 9) for tiles with redundant work, and after sparse
 * tiling (Strout, Luporini et al., Generalizing run-time tiling with the loop chain abstraction, 2014) for tiles
 * without.
 * {@link org.trellis.mesh.tile.TilePlans} is where to start.
 */
package org.trellis.mesh.tile;
