/** Systems of equations whose matrices are assembled by loops over a mesh, on one rank and over several. */
package org.trellis.solve.assembled;
