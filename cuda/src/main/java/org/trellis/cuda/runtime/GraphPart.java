package org.trellis.cuda.runtime;

/**
 * Work that can be part of a graph: what it launches when it runs alone, it can add to a graph instead. Implemented by
 * the prepared steps of this backend (loops, products); {@code cuda.mesh} joins them.
 */
public interface GraphPart {
    /**
     * Adds all launches, which get consecutive numbers, with arguments as they are now.
     *
     * @param graph a graph that is not finished
     */
    void addTo(CudaGraph graph);

    /**
     * Gives the launches in a graph the arguments that a run would have now, and does whatever else a run does besides
     * queueing them. Queues nothing, and allocates nothing.
     *
     * @param graph the graph, finished
     * @param first the number of the first launch
     */
    void update(CudaGraph graph, int first);

    /**
     * Returns the number of launches.
     *
     * @return how many {@link #addTo} adds
     */
    int launchCount();
}
