package org.trellis.distributed.fakempi;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Messages between threads, each of which is a rank of one network. */
public final class Network {
    private static final ThreadLocal<Endpoint> HERE = new ThreadLocal<>();

    private final int size;
    private final Map<String, Queue<byte[]>> messages = new ConcurrentHashMap<>();
    private volatile boolean aborted;

    private record Endpoint(Network network, int rank) {}

    /**
     * Makes a network.
     *
     * @param size number of ranks
     */
    public Network(int size) {
        this.size = size;
    }

    /**
     * Makes this thread a rank of this network.
     *
     * @param rank which
     */
    public void join(int rank) {
        HERE.set(new Endpoint(this, rank));
    }

    /** Returns this thread's network. */
    public static Network here() {
        return HERE.get().network;
    }

    /** Returns this thread's rank. */
    public static int rank() {
        return HERE.get().rank;
    }

    /** Returns the number of ranks. */
    public int size() {
        return size;
    }

    private Queue<byte[]> queue(int from, int to, int tag) {
        return messages.computeIfAbsent(from + " " + to + " " + tag, key -> new ConcurrentLinkedQueue<>());
    }

    /** Sends a message of this thread's rank. */
    public void send(int to, int tag, byte[] message) {
        requireRunning();
        queue(rank(), to, tag).add(message.clone());
    }

    /** Takes the next message for this thread's rank, or returns null. */
    public byte[] take(int from, int tag) {
        requireRunning();
        return queue(from, rank(), tag).poll();
    }

    /** Ends everything. */
    public void abort() {
        aborted = true;
    }

    private void requireRunning() {
        if (aborted) {
            throw new IllegalStateException("aborted");
        }
    }
}
