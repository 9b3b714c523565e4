package org.trellis.bench.prediction;

/**
 * What a step of the slowest rank is predicted to take, in seconds, and what it is made of. A step is the k-th part of
 * what is done from one exchange of k rings to the next.
 *
 * @param rings     k
 * @param seconds   the whole step
 * @param interior  rows that are computed while messages travel
 * @param boundary  the other owned rows, and all of them in steps without an exchange
 * @param redundant rows of rings
 * @param packing   messages made, taken out, and what processors do for each
 * @param waiting   what is left of the time of messages when the interior is done
 * @param reduction all-reduces
 * @param vectors   what is done to vectors beside products
 * @param balance   the mean of the ranks' steps over the slowest's, 1 if all are alike
 * @param messages  messages that the slowest rank receives in a step
 * @param bytes     bytes that it receives in a step
 */
public record StepTimes(int rings, double seconds, double interior, double boundary, double redundant, double packing,
        double waiting, double reduction, double vectors, double balance, double messages, double bytes) {
    /** Adds what comes with an iteration. */
    StepTimes with(double moreReduction, double moreVectors) {
        double more = moreReduction + moreVectors;
        double mean = balance * seconds + more;
        return new StepTimes(rings, seconds + more, interior, boundary, redundant, packing, waiting,
                reduction + moreReduction, vectors + moreVectors, mean / (seconds + more), messages, bytes);
    }
}
