/** Finite elements on the command line: Poisson's equation in every storage and formulation, and elastic bodies. */
package org.trellis.examples.fem;
