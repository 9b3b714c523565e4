/** The flow solver on the mesh runtime: data and loops of a level, transfers between levels, cycles. */
package org.trellis.examples.rotor.solver;
