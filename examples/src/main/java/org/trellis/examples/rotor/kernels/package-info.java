/**
 * The kernels of the flow solver, plain Java. States are {@code w = (ρ, u, v, w, p, ν̃)}, velocities those of a frame
 * at
 * rest, or {@code q = (ρ, ρu, ρv, ρw, ρE, ρν̃)}; densities and speeds are measured in those of sound at a reference
 * state, so that temperature is {@code T = γ p / ρ}. Residuals are what flows out of a volume.
 */
package org.trellis.examples.rotor.kernels;
