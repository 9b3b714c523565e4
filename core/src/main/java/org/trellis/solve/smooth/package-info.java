/**
 * Smoothers and preconditioners: approximate inverses of a matrix that are applied once an iteration, or as sweeps that
 * improve an iterate in place. {@link org.trellis.solve.smooth.Preconditioners} makes them by name. What an application
 * does is a list of bound steps, so that it can become part of a sequence.
 */
package org.trellis.solve.smooth;
