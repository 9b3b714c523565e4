/**
 * Iterative solvers, their preconditioners, stopping criteria and reports. Solvers run on the mesh runtime: rows are a
 * set, vectors are dats, updates are loops whose kernels ({@link org.trellis.solve.Vectors}) are written once, an
 * iteration is a sequence of steps.
 */
package org.trellis.solve;
