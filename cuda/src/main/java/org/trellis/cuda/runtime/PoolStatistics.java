package org.trellis.cuda.runtime;

/**
 * What a device memory pool has done so far.
 *
 * @param usedBytes   bytes of blocks in use, rounded up to their size classes
 * @param cachedBytes bytes of free blocks that are kept for reuse
 * @param peakBytes   the most bytes that were in use at a time
 * @param allocations blocks that the driver was asked for
 * @param reuses      requests served by a kept block
 */
public record PoolStatistics(long usedBytes, long cachedBytes, long peakBytes, long allocations, long reuses) {}
