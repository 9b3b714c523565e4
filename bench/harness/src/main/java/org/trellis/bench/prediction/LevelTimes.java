package org.trellis.bench.prediction;

/**
 * What a rank's computations on a level of multigrid take on the machine where they were measured, at the size of a
 * part of that level.
 *
 * @param nonZeros entries of the part that was measured
 * @param product  seconds of an entry in a residual
 * @param sweep    the same in a sweep of Chebyshev's method
 * @param row      seconds of a row in a first sweep from zero, which has no product
 * @param transfer seconds of an entry in a prolongation or a restriction
 */
public record LevelTimes(long nonZeros, double product, double sweep, double row, double transfer) {
    /**
     * Returns the times with more ranks than processors, which take turns.
     *
     * @param share how many ranks share a processor, at least 1
     * @return times that are as much longer
     */
    public LevelTimes shared(double share) {
        return new LevelTimes(nonZeros, share * product, share * sweep, share * row, share * transfer);
    }
}
