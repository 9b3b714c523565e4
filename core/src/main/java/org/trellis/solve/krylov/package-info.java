/**
 * Krylov methods, written once over operators and dats: what an iteration does with vectors are loops whose kernels are
 * plain Java ({@link org.trellis.solve.krylov.KrylovMethod} lists the methods), so that one method runs on every
 * backend. {@link org.trellis.solve.krylov.SolverConfig} is method, preconditioner and criteria as a value.
 */
package org.trellis.solve.krylov;
