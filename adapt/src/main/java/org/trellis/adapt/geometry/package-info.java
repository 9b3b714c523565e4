/**
 * Simplices: exact orientation, small symmetric tensors, quality in a metric, and meshes of triangles and tetrahedra.
 */
package org.trellis.adapt.geometry;
