/**
 * Anisotropic mesh adaptation: triangles and tetrahedra are refined, coarsened, swapped and smoothed until their
 * edges have unit
 * length in a metric. {@link org.trellis.adapt.Adaptation} is where to begin.
 *
 * <p>Everything that changes the mesh is a cavity operation: a few elements around a vertex, an edge or a face are
 * replaced by
 * others with the same hull. Operations whose cavities share no vertex do not disturb each other; such sets are found
 * in
 * rounds, by priorities that do not depend on threads, and run in parallel. So the result is the same, bit by bit, for
 * any number of threads.
 */
package org.trellis.adapt;
