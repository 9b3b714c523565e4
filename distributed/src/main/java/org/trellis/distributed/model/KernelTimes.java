package org.trellis.distributed.model;

/**
 * What a rank's computations take on the machine where they were measured, at the size of a part.
 *
 * @param rows      rows of the part that was measured
 * @param nonZeros  its entries
 * @param product   seconds of an entry in a product, its share of vectors and rows included
 * @param sweep     the same in a sweep of Jacobi's method
 * @param iteration seconds of an iteration of conjugate gradients beyond its product: vectors, scalars and calls
 * @param element   seconds to pack an element into a message, and as much to take it out
 */
public record KernelTimes(int rows, long nonZeros, double product, double sweep, double iteration, double element) {
    /**
     * Returns the times with more ranks than processors, which take turns.
     *
     * @param share how many ranks share a processor, at least 1
     * @return times that are as much longer
     */
    public KernelTimes shared(double share) {
        return new KernelTimes(rows, nonZeros, share * product, share * sweep, share * iteration, share * element);
    }
}
