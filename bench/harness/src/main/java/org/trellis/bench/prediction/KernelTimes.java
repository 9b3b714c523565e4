package org.trellis.bench.prediction;

/**
 * What a rank's computations take where they were measured, at the size of a part.
 *
 * @param rows      rows of the part that was measured
 * @param nonZeros  its entries
 * @param step      seconds of a product or sweep before its first entry: what it takes to start kernels on a device,
 *                  nothing on a processor, where the calls of small parts are within the next two
 * @param product   seconds of an entry in a product, its share of vectors and rows included
 * @param sweep     the same in a sweep of Jacobi's method
 * @param iteration seconds of an iteration of conjugate gradients beyond its product: vectors, scalars and calls
 * @param element   seconds to pack an element into a message, and as much to take it out
 * @param hides     whether interior rows are computed while messages travel
 */
public record KernelTimes(int rows, long nonZeros, double step, double product, double sweep, double iteration,
        double element, boolean hides) {
    /**
     * Creates the times of a rank on a processor, which computes its interior rows while messages travel.
     *
     * @param rows      rows of the part that was measured
     * @param nonZeros  its entries
     * @param product   seconds of an entry in a product, its share of vectors and rows included
     * @param sweep     the same in a sweep of Jacobi's method
     * @param iteration seconds of an iteration of conjugate gradients beyond its product
     * @param element   seconds to pack an element into a message, and as much to take it out
     * @return the times
     */
    public static KernelTimes ofProcessor(int rows, long nonZeros, double product, double sweep, double iteration,
            double element) {
        return new KernelTimes(rows, nonZeros, 0, product, sweep, iteration, element, true);
    }

    /**
     * Returns the times with more ranks than processors, which take turns.
     *
     * @param share how many ranks share a processor, at least 1
     * @return times that are as much longer
     */
    public KernelTimes shared(double share) {
        return new KernelTimes(rows, nonZeros, share * step, share * product, share * sweep, share * iteration,
                share * element, hides);
    }
}
