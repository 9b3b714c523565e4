/**
 * A Poisson problem on an unstructured mesh of triangles, solved in three variants: without a matrix, with one, and by
 * multigrid on a hierarchy of refined meshes without one.
 */
package org.trellis.examples.poisson;
