/** A few eigenvalues of large sparse symmetric matrices. */
package org.trellis.solve.eigen;
