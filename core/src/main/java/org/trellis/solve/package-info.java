/** Iterative solvers, their preconditioners, stopping criteria and reports. */
package org.trellis.solve;
