package org.trellis.bench.measure;

/**
 * What the memory and the processor gave in this run.
 *
 * @param threads   threads at work
 * @param triadGBs  best rate of {@code a = b + s c}, in 10⁹ bytes a second, counted as STREAM does: 24 bytes an element
 * @param readGBs   best rate of a sum over an array, which only reads, as a product mostly does
 * @param peakGflops best rate of fused multiply-adds on data in the first-level cache, in double precision
 * @param arrayBytes size of each array
 */
public record Bandwidth(int threads, double triadGBs, double readGBs, double peakGflops, long arrayBytes) {}
