/**
 * How a parallel loop runs, and what its runs took, as values: parameters, layouts, schemes and parts of sets, and the
 * reports on loops, sequences and meshes. Nothing here refers to a mesh that is declared.
 */
package org.trellis.mesh.loop;
