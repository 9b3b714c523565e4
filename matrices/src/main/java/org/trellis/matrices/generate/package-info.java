/**
 * Matrices made by formula: stencils, diffusion, elasticity, random rows, bands, blocks and graphs.
 *
 * <p>A generator is a {@link org.trellis.matrices.generate.MatrixGenerator}. Most are
 * {@link org.trellis.matrices.generate.RowSource row sources}: they give any row on demand, from its number and a seed
 * alone, so that {@link org.trellis.matrices.generate.RowAssembler} fills the arrays of the matrix in parallel and the
 * result does not depend on the number of threads. Beside the matrix itself this takes one row per thread.
 *
 * <p>{@link org.trellis.matrices.generate.GeneratorKind} names the generators and their parameters for programs that
 * take them as text, and {@link org.trellis.matrices.generate.MatrixSpec} parses specifications such as
 * {@code poisson2d:nx=1000,ny=1000}.
 */
package org.trellis.matrices.generate;
