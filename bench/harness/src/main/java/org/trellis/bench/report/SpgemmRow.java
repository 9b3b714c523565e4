package org.trellis.bench.report;

import org.trellis.bench.measure.SampleStatistics;

/**
 * What was measured of a contender.
 *
 * @param contender     who
 * @param threads       threads that it may use
 * @param nonZeros      entries of its result
 * @param sameStructure whether they are where Trellis has them
 * @param largestError  the largest difference of an element from Trellis' as a share of the largest element
 * @param samples       seconds of each time
 */
public record SpgemmRow(String contender, int threads, long nonZeros, boolean sameStructure, double largestError,
        double[] samples) {
    /**
     * Returns the statistics of the times.
     *
     * @return of all samples
     */
    public SampleStatistics statistics() {
        return SampleStatistics.of(samples);
    }
}
