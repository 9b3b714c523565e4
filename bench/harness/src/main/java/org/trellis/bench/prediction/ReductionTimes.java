package org.trellis.bench.prediction;

/**
 * What all-reduces of a few numbers take once the last rank has come.
 *
 * @param blocking seconds of one that all wait for
 * @param started  seconds of one that is begun, and finished at once
 */
public record ReductionTimes(double blocking, double started) {
    /**
     * Takes what a network says.
     *
     * @param network between ranks
     * @param ranks   how many
     * @return its tree of messages; nothing for one rank
     */
    public static ReductionTimes of(Network network, int ranks) {
        double seconds = ranks == 1 ? 0 : network.allReduce(ranks);
        return new ReductionTimes(seconds, seconds);
    }
}
