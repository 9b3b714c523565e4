/**
 * Multigrid: hierarchies of matrices, set up from a matrix alone (aggregation, classical coarsening) or given, and
 * cycles over them as sequences of steps that run on every backend.
 */
package org.trellis.solve.multigrid;
