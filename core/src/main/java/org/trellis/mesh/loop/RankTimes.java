package org.trellis.mesh.loop;

/**
 * What a loop did on one rank: computing what needs nothing of others, the rest, and messages.
 *
 * @param loop      the kernel
 * @param set       the name of the set
 * @param rank      the rank
 * @param runs      how often it ran
 * @param core      seconds in interior elements, while messages travel; of runs without messages, in all elements
 * @param boundary  seconds in the other elements, after messages have come
 * @param exchange  seconds in packing, starting and unpacking messages
 * @param waiting   seconds in waiting for messages, and for reductions over all ranks
 * @param exchanges runs that had to bring something up to date
 * @param messages  messages that this rank sent
 * @param bytes     bytes that this rank sent
 * @param redundant elements of other ranks that were run
 * @param elements  elements that were run in all
 * @param after     those of them that were run after messages had come, in {@code boundary}
 */
public record RankTimes(String loop, String set, int rank, long runs, double core, double boundary, double exchange,
        double waiting, long exchanges, long messages, long bytes, long redundant, long elements,
        long after) {
    /**
     * Returns the wall time.
     *
     * @return in seconds
     */
    public double seconds() {
        return core + boundary + exchange + waiting;
    }
}
