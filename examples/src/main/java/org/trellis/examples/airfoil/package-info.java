/**
 * Airfoil, the benchmark of OP2, on the mesh runtime: the two-dimensional Euler equations by finite volumes. {@code
 * Airfoil} holds the kernels, {@code AirfoilSolver} the loops, {@code PlainC} the same as a C program to measure
 * against.
 */
package org.trellis.examples.airfoil;
