package org.trellis.distributed.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.LoopStep;
import org.trellis.mesh.Step;
import org.trellis.mesh.loop.RankTimes;
import org.trellis.mesh.loop.RanksReport;

/**
 * What an iteration takes on ranks of different speed (I. Z. Reguly, PhD thesis, 2014, section 6.3, equations 6.1 to
 * 6.6): a rank computes interior elements while messages travel, waits for neighbours that have sent later, and
 * computes the rest; reductions wait for all. Between such points a rank with more than it should have makes others
 * wait.
 *
 * <p>Times of interior elements grow with a rank's share; those of boundaries and of messages are taken to stay, since
 * where two parts meet, both have the same border. How long messages travel is not in the model: it predicts too
 * little, not too much.
 */
public final class BalanceModel {
    /** How finely shares are looked for. */
    private static final double FINEST = 1e-4;
    private static final double COARSEST = 0.25;
    /** What the ranks together have to gain over the fastest of them alone. */
    private static final double WORTHWHILE = 0.01;

    private final List<Part> parts;
    private final double[] shares;
    private final boolean[][] neighbours;

    /**
     * A loop in an iteration.
     *
     * @param name      the loop
     * @param exchanges whether it brings values of other ranks' elements
     * @param reduces   whether all ranks meet after it
     * @param interior  for each rank, seconds of a run in elements that need nothing of others; of a loop without
     *                  exchanges, in all elements
     * @param boundary  for each rank, seconds in the others, with packing and unpacking
     */
    public record Part(String name, boolean exchanges, boolean reduces, double[] interior, double[] boundary) {
        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if there are not as many times of both kinds
         */
        public Part {
            Checks.length("boundary times of " + name, boundary.length, interior.length);
        }
    }

    /**
     * Makes a model in which every rank may wait for every other.
     *
     * @param parts  the loops of an iteration, in order
     * @param shares what each rank had when they were timed, above 0
     * @throws IllegalArgumentException if there is no loop, or numbers of ranks differ, or a share is not above 0
     */
    public BalanceModel(List<Part> parts, double... shares) {
        this(parts, all(shares.length), shares);
    }

    /**
     * Makes a model.
     *
     * @param parts      the loops of an iteration, in order
     * @param neighbours for each rank, from which others it gets messages
     * @param shares     what each rank had when they were timed, above 0
     * @throws IllegalArgumentException if there is no loop, or numbers of ranks differ, or a share is not above 0
     */
    public BalanceModel(List<Part> parts, boolean[][] neighbours, double... shares) {
        if (parts.isEmpty() || !Arrays.stream(shares).allMatch(share -> share > 0)) {
            throw new IllegalArgumentException("a model of " + parts.size() + " loops on ranks with shares "
                    + Arrays.toString(shares) + ", expected at least one loop and shares above 0");
        }
        for (Part part : parts) {
            Checks.length("times of " + part.name(), part.interior().length, shares.length);
        }
        this.parts = List.copyOf(parts);
        this.neighbours = Arrays.stream(neighbours).map(boolean[]::clone).toArray(boolean[][]::new);
        this.shares = normal(shares);
    }

    private static boolean[][] all(int ranks) {
        boolean[][] all = new boolean[ranks][ranks];
        for (int rank = 0; rank < ranks; rank++) {
            Arrays.fill(all[rank], true);
            all[rank][rank] = false;
        }
        return all;
    }

    private static double[] normal(double... shares) {
        double sum = Arrays.stream(shares).sum();
        return Arrays.stream(shares).map(share -> share / sum).toArray();
    }

    /**
     * Makes a model of what has been measured.
     *
     * @param sequence the loops of an iteration
     * @param report   what they did on each rank, in some runs of the sequence
     * @param shares   what each rank had, above 0
     * @return the model
     * @throws IllegalArgumentException if a loop of the sequence has not been run
     */
    public static BalanceModel of(LoopSequence sequence, RanksReport report, double... shares) {
        List<Part> parts = new ArrayList<>();
        for (Step step : sequence.steps()) {
            if (step instanceof LoopStep loop) {
                parts.add(part(loop.loop().declaration(), report));
            }
        }
        return new BalanceModel(parts, shares);
    }

    private static Part part(LoopDeclaration loop, RanksReport report) {
        double[] interior = new double[report.ranks()];
        double[] boundary = new double[report.ranks()];
        long[] runs = new long[report.ranks()];
        boolean exchanges = false;
        for (RankTimes times : report.times()) {
            if (times.loop().equals(loop.name()) && times.set().equals(loop.set().name())) {
                interior[times.rank()] += times.core();
                boundary[times.rank()] += times.boundary() + times.exchange();
                runs[times.rank()] += times.runs();
                exchanges |= times.exchanges() > 0;
            }
        }
        for (int rank = 0; rank < runs.length; rank++) {
            if (runs[rank] == 0) {
                throw new IllegalArgumentException(loop + " has no times of rank " + rank
                        + ", expected them of some runs");
            }
            interior[rank] /= runs[rank];
            boundary[rank] /= runs[rank];
        }
        boolean reduces = IntStream.range(0, loop.arity()).mapToObj(loop::access).anyMatch(Access::reduces);
        return new Part(loop.name(), exchanges, reduces, interior, boundary);
    }

    /**
     * Returns the shares for which times were measured.
     *
     * @return with sum 1; a new array
     */
    public double[] shares() {
        return shares.clone();
    }

    /**
     * Predicts what an iteration takes.
     *
     * @param wanted what each rank is to have, relative to their sum; a rank without anything takes part in nothing
     * @return seconds
     * @throws IllegalArgumentException if there are more or fewer ranks, or a share is negative
     */
    public double predict(double... wanted) {
        Checks.length("number of shares", wanted.length, shares.length);
        if (!Arrays.stream(wanted).allMatch(share -> share >= 0)) {
            throw new IllegalArgumentException("shares " + Arrays.toString(wanted) + ", expected none below 0");
        }
        double[] given = normal(wanted);
        long with = Arrays.stream(given).filter(share -> share > 0).count();
        double[] clock = new double[given.length];
        double[] sent = new double[given.length];
        for (Part part : parts) {
            System.arraycopy(clock, 0, sent, 0, clock.length); // t_send (6.2)
            for (int i = 0; i < clock.length; i++) {
                if (given[i] > 0) {
                    clock[i] = after(part, i, given, sent, with > 1);
                }
            }
            if (part.reduces()) {
                Arrays.fill(clock, Arrays.stream(clock).max().orElse(0)); // the end of a region (6.6)
            }
        }
        return Arrays.stream(clock).max().orElse(0);
    }

    /** When a rank is done with a loop. */
    private double after(Part part, int rank, double[] given, double[] sent, boolean several) {
        double scale = given[rank] / shares[rank];
        if (!several) {
            return sent[rank] + scale * (part.interior()[rank] + part.boundary()[rank]);
        }
        double received = sent[rank] + scale * part.interior()[rank]; // t_recv (6.3)
        if (!part.exchanges()) {
            return received + part.boundary()[rank];
        }
        double waited = received;
        for (int other = 0; other < sent.length; other++) {
            if (neighbours[rank][other] && given[other] > 0) {
                waited = Math.max(waited, sent[other]); // t_wait (6.4)
            }
        }
        return waited + part.boundary()[rank]; // t_fin (6.5)
    }

    /**
     * Predicts what an iteration takes if all ranks wait for each other after each loop, as without latency hiding
     * (equation 6.1).
     *
     * @return seconds, for the shares that were measured
     */
    public double synchronous() {
        return parts.stream().mapToDouble(part -> IntStream.range(0, shares.length)
                .mapToDouble(rank -> part.interior()[rank] + part.boundary()[rank]).max().orElse(0)).sum();
    }

    /**
     * Finds the shares for which the model predicts the least time, moving less and less from one rank to another as
     * long as that helps.
     *
     * @return with sum 1, all above 0
     */
    public double[] optimum() {
        double[] best = shares.clone();
        double least = predict(best);
        for (double moved = COARSEST; moved > FINEST; moved /= 2) {
            boolean better = true;
            while (better) {
                better = false;
                for (int from = 0; from < best.length; from++) {
                    for (int to = 0; to < best.length; to++) {
                        double[] other = moved(best, from, to, moved);
                        double time = other == null ? Double.POSITIVE_INFINITY : predict(other);
                        if (time < least * (1 - 1e-12)) {
                            best = other;
                            least = time;
                            better = true;
                        }
                    }
                }
            }
        }
        return best;
    }

    private static double[] moved(double[] from, int source, int target, double share) {
        if (source == target || from[source] <= share) {
            return null;
        }
        double[] other = from.clone();
        other[source] -= share;
        other[target] += share;
        return other;
    }

    /**
     * Finds the rank that would be fastest if it had everything.
     *
     * @return its number
     */
    public int fastest() {
        int best = 0;
        for (int rank = 1; rank < shares.length; rank++) {
            best = alone(rank) < alone(best) ? rank : best;
        }
        return best;
    }

    /**
     * Predicts what an iteration takes on one rank.
     *
     * @param rank the rank that has everything
     * @return seconds
     */
    public double alone(int rank) {
        double[] only = new double[shares.length];
        only[rank] = 1;
        return predict(only);
    }

    /**
     * Proposes shares: those of {@link #optimum}, or everything on the {@link #fastest} rank if the others gain less
     * than one per cent.
     *
     * @return with sum 1
     */
    public double[] proposal() {
        double[] best = optimum();
        int fastest = fastest();
        if (predict(best) < (1 - WORTHWHILE) * alone(fastest)) {
            return best;
        }
        double[] only = new double[shares.length];
        only[fastest] = 1;
        return only;
    }
}
