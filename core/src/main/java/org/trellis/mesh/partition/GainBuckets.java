package org.trellis.mesh.partition;

import java.util.Arrays;

/**
 * Vertices by the gain of moving them: a list for each gain, the last one put into a list first (C. M. Fiduccia, R. M.
 * Mattheyses, "A linear-time heuristic for improving network partitions", 1982). Gains beyond the limit share the
 * outermost lists.
 */
final class GainBuckets {
    private static final int MAX_BUCKETS = 1 << 12;
    private static final int NONE = -1;
    private static final int OUT = -2;

    private final int limit;
    private final int[] heads;
    private final int[] next;
    /** The vertex before; {@link #NONE} for the first of a list, {@link #OUT} for a vertex in no list. */
    private final int[] previous;
    private final int[] bucketOf;
    private int top;
    private int size;

    GainBuckets(int vertices, int greatestGain) {
        limit = Math.min(greatestGain, MAX_BUCKETS);
        heads = new int[2 * limit + 1];
        Arrays.fill(heads, NONE);
        next = new int[vertices];
        previous = new int[vertices];
        Arrays.fill(previous, OUT);
        bucketOf = new int[vertices];
        top = NONE;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(int vertex) {
        return previous[vertex] != OUT;
    }

    void put(int vertex, int gain) {
        if (contains(vertex)) {
            remove(vertex);
        }
        int bucket = Math.clamp(gain, -limit, limit) + limit;
        bucketOf[vertex] = bucket;
        next[vertex] = heads[bucket];
        previous[vertex] = NONE;
        if (heads[bucket] != NONE) {
            previous[heads[bucket]] = vertex;
        }
        heads[bucket] = vertex;
        top = Math.max(top, bucket);
        size++;
    }

    void remove(int vertex) {
        if (previous[vertex] == NONE) {
            heads[bucketOf[vertex]] = next[vertex];
        } else {
            next[previous[vertex]] = next[vertex];
        }
        if (next[vertex] != NONE) {
            previous[next[vertex]] = previous[vertex];
        }
        previous[vertex] = OUT;
        size--;
    }

    /** Returns the greatest gain, cut off at the limit; only if not empty. */
    int topGain() {
        while (heads[top] == NONE) {
            top--;
        }
        return top - limit;
    }

    /** Returns the vertex that {@link #take} takes out; only if not empty. */
    int top() {
        topGain();
        return heads[top];
    }

    /** Takes out the vertex that was put last among those of greatest gain; only if not empty. */
    int take() {
        int vertex = top();
        remove(vertex);
        return vertex;
    }

    void clear() {
        for (; top >= 0; top--) {
            for (int vertex = heads[top]; vertex != NONE; vertex = next[vertex]) {
                previous[vertex] = OUT;
            }
            heads[top] = NONE;
        }
        size = 0;
    }
}
