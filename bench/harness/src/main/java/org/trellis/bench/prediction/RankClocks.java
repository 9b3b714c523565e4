package org.trellis.bench.prediction;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * The clocks of all ranks while a program is replayed: each computes as long as it does, waits for the messages that it
 * needs and not for others, and for all ranks in an all-reduce. Messages travel as {@link RankModel} has it.
 */
final class RankClocks {
    private final Network network;
    private final double element;
    private final int bytesOfElement;
    private final double[] clock;
    private final double[] computing;
    private final double[] packing;
    private final double[] waiting;
    private final double[] reducing;
    private final ReductionTimes reductions;
    private double reduced;
    private long messages;

    /**
     * Begins at zero.
     *
     * @param ranks          how many
     * @param network        between them
     * @param element        seconds to pack an element, and as many to take it out
     * @param bytesOfElement its size
     * @param reductions     what all-reduces take
     */
    RankClocks(int ranks, Network network, double element, int bytesOfElement, ReductionTimes reductions) {
        this.reductions = reductions;
        this.network = network;
        this.element = element;
        this.bytesOfElement = bytesOfElement;
        this.clock = new double[ranks];
        this.computing = new double[ranks];
        this.packing = new double[ranks];
        this.waiting = new double[ranks];
        this.reducing = new double[ranks];
    }

    int ranks() {
        return clock.length;
    }

    private void pass(double[] what, int rank, double seconds) {
        what[rank] += seconds;
        clock[rank] += seconds;
    }

    /** Each rank computes. */
    void compute(IntToDoubleFunction seconds) {
        for (int rank = 0; rank < clock.length; rank++) {
            pass(computing, rank, seconds.applyAsDouble(rank));
        }
    }

    /** Ranks exchange messages and compute nothing meanwhile. */
    void exchange(RankMessages all) {
        exchange(all, rank -> 0);
    }

    /** Ranks send messages, compute something, wait for messages and take them out. */
    void exchange(RankMessages all, IntToDoubleFunction meanwhile) {
        double[] leaving = new double[Math.ceilDiv(clock.length, network.ranksOfNode())];
        double[] coming = new double[leaving.length];
        for (int to = 0; to < clock.length; to++) {
            int[] sources = all.sources(to);
            for (int s = 0; s < sources.length; s++) {
                long elements = all.elements(to, s);
                pass(packing, sources[s], network.overhead() + elements * element);
                messages++;
                if (!network.sameNode(sources[s], to)) {
                    leaving[sources[s] / network.ranksOfNode()] += (double) elements * bytesOfElement;
                    coming[to / network.ranksOfNode()] += (double) elements * bytesOfElement;
                }
            }
        }
        double[] sent = clock.clone();
        for (int to = 0; to < clock.length; to++) {
            double last = 0;
            double unpacking = 0;
            int[] sources = all.sources(to);
            for (int s = 0; s < sources.length; s++) {
                long elements = all.elements(to, s);
                double travel = network.travel(sources[s], to, (double) elements * bytesOfElement);
                if (!network.sameNode(sources[s], to)) {
                    double crowd = Math.max(leaving[sources[s] / network.ranksOfNode()],
                            coming[to / network.ranksOfNode()]);
                    travel = Math.max(travel, network.latency() + crowd / network.injection());
                }
                last = Math.max(last, sent[sources[s]] + travel);
                unpacking += network.overhead() + elements * element;
            }
            pass(computing, to, meanwhile.applyAsDouble(to));
            pass(waiting, to, Math.max(0, last - clock[to]));
            pass(packing, to, unpacking);
        }
    }

    /** Ranks combine a few numbers. */
    void reduce() {
        reduced = latest() + reductions.blocking();
        finishReduction();
    }

    /** Ranks begin to combine numbers. */
    void startReduction() {
        reduced = latest() + reductions.started();
    }

    /** Ranks wait for the numbers that they have begun to combine. */
    void finishReduction() {
        for (int rank = 0; rank < clock.length; rank++) {
            pass(reducing, rank, Math.max(0, reduced - clock[rank]));
        }
    }

    /** Returns the time of the rank that is the last. */
    double latest() {
        return Arrays.stream(clock).max().orElseThrow();
    }

    /** Returns what has been so far, times but the latest as means over ranks. */
    SolverTimes so(String program, int rings) {
        return new SolverTimes(program, rings, latest(), mean(computing), mean(packing), mean(waiting), mean(reducing),
                (double) messages / clock.length);
    }

    private static double mean(double[] times) {
        return Arrays.stream(times).sum() / times.length;
    }
}
