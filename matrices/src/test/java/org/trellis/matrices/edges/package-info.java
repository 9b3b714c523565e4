/** Tests of lists of edges. */
package org.trellis.matrices.edges;
