/**
 * Solvers that tune themselves: the choice of method, preconditioner and cycle as a value, the space of such choices
 * for a system, and a solver that tries them within the solutions that a program needs anyway.
 */
package org.trellis.tuner.solver;
