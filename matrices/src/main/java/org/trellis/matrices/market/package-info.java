/**
 * The Matrix Market format: a parallel reader and writer.
 *
 * <p>{@link org.trellis.matrices.market.MatrixMarket} is the way in. A read takes these steps, each a class of its
 * own: the banner and the size line ({@code HeaderReader}), blocks of whole lines from a mapped file or a stream
 * ({@code MappedBlocks}, {@code StreamBlocks}), numbers and entries ({@code TextScanner}, {@code EntryParser}), the
 * workers that share the blocks ({@code ParallelParse}), and the assembly of the entries into rows
 * ({@code CsrAssembler}).
 *
 * <p>{@code docs/reference/file-formats.md} says what is accepted and refused. The format itself is R. F.
 * Boisvert, R. Pozo and K. A. Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935, 1996.
 */
package org.trellis.matrices.market;
