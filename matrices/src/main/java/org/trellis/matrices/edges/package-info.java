/** Graphs as lists of edges. */
package org.trellis.matrices.edges;
