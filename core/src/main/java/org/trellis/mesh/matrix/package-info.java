/**
 * Matrices whose rows and columns are elements of mesh sets. They follow the numbering of their sets, and multiply
 * vectors of these sets only.
 */
package org.trellis.mesh.matrix;
