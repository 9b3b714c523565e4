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
 * <p>Times of interior elements grow with a rank's share, but for what a run takes however few there are. That is found
 * from loops that run in two parts of different size, and later from measurements with different shares
 * ({@link #refined}). Times of boundaries and of messages are taken to stay, since where two parts meet, both have the
 * same border. How long messages travel is not in the loops' times: the model predicts too little, until it knows
 * what an iteration took ({@link #calibrated}). A rank that has everything exchanges nothing, and starts each loop
 * once; once it has been measured so, that says what it takes ({@link #withAlone}).
 */
public final class BalanceModel {
    /** How finely shares are looked for. */
    private static final double FINEST = 1e-4;
    private static final double COARSEST = 0.25;
    /** What the ranks together have to gain over the fastest of them alone. */
    private static final double WORTHWHILE = 0.01;
    /** Shares that differ by less say nothing of what does not grow with them. */
    private static final double APART = 1.2;

    private final List<Part> parts;
    private final double[] shares;
    private final boolean[][] neighbours;
    /** Seconds of an iteration on several ranks that the loops do not explain. */
    private final double unexplained;
    /** For each rank, seconds of an iteration with everything on it, if they are known better than from its loops. */
    private final double[] known;

    /**
     * A loop in an iteration.
     *
     * @param name      the loop
     * @param exchanges whether it brings values of other ranks' elements
     * @param reduces   whether all ranks meet after it
     * @param interior  for each rank, seconds of a run in elements that need nothing of others; of a loop without
     *                  exchanges, in all elements
     * @param boundary  for each rank, seconds in the others
     * @param exchange  for each rank, seconds of packing, starting and unpacking messages
     * @param fixed     for each rank, what of the interior's seconds does not depend on how many elements it has
     */
    public record Part(String name, boolean exchanges, boolean reduces, double[] interior, double[] boundary,
            double[] exchange, double[] fixed) {
        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if there are not as many times of all kinds
         */
        public Part {
            Checks.length("boundary times of " + name, boundary.length, interior.length);
            Checks.length("exchange times of " + name, exchange.length, interior.length);
            Checks.length("fixed times of " + name, fixed.length, interior.length);
        }

        /**
         * Makes a loop whose messages take no time of a rank, and whose interior's seconds grow with the elements.
         *
         * @param name      the loop
         * @param exchanges whether it brings values of other ranks' elements
         * @param reduces   whether all ranks meet after it
         * @param interior  for each rank, seconds in elements that need nothing of others
         * @param boundary  for each rank, seconds in the others
         * @throws IllegalArgumentException if there are not as many times of both kinds
         */
        public Part(String name, boolean exchanges, boolean reduces, double[] interior, double[] boundary) {
            this(name, exchanges, reduces, interior, boundary, new double[interior.length],
                    new double[interior.length]);
        }

        /** Returns the time of the whole set on one rank, if it has so many times what it had. */
        private double whole(int rank, double scale) {
            return fixed[rank] + scale * (interior[rank] - fixed[rank] + Math.max(0, boundary[rank] - fixed[rank]));
        }

        /** Gives a rank the line through its time and that of the whole set. */
        private Part through(int rank, double share, double seconds) {
            double all = interior[rank] + Math.max(0, boundary[rank] - fixed[rank]);
            double stays = Math.clamp((all - share * seconds) / (1 - share), 0, Math.min(interior[rank], seconds));
            double[] changed = fixed.clone();
            changed[rank] = stays;
            return new Part(name, exchanges, reduces, interior, boundary, exchange, changed);
        }

        /** Returns the time of interior elements if a rank has so many times what it had. */
        private double interior(int rank, double scale) {
            return fixed[rank] + scale * (interior[rank] - fixed[rank]);
        }

        /** Returns the time that stays whatever a rank has. */
        private double border(int rank) {
            return boundary[rank] + exchange[rank];
        }

        /** Says what does not grow with the elements, from times of other shares: a line through both. */
        private Part refined(Part other, double[] shares, double[] others) {
            double[] stays = fixed.clone();
            for (int rank = 0; rank < stays.length; rank++) {
                double more = shares[rank] / others[rank];
                if (Math.max(more, 1 / more) >= APART) {
                    double slope = (interior[rank] - other.interior[rank]) / (shares[rank] - others[rank]);
                    stays[rank] = Math.clamp(interior[rank] - slope * shares[rank], 0,
                            Math.min(interior[rank], other.interior[rank]));
                }
            }
            return new Part(name, exchanges, reduces, interior, boundary, exchange, stays);
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
        this.unexplained = 0;
        this.known = new double[shares.length];
        Arrays.fill(known, Double.NaN);
    }

    private BalanceModel(BalanceModel from, List<Part> parts, double unexplained, double... known) {
        this.parts = List.copyOf(parts);
        this.neighbours = from.neighbours;
        this.shares = from.shares;
        this.unexplained = unexplained;
        this.known = known;
    }

    /**
     * Separates what of the loops' times grows with the elements and what does not.
     *
     * @param earlier a model of the same loops from times with other shares
     * @return a model with the times of this one
     * @throws IllegalArgumentException if the other one has more or fewer loops
     */
    public BalanceModel refined(BalanceModel earlier) {
        Checks.length("loops of an earlier model", earlier.parts.size(), parts.size());
        return new BalanceModel(this, IntStream.range(0, parts.size())
                .mapToObj(p -> parts.get(p).refined(earlier.parts.get(p), shares, earlier.shares)).toList(),
                unexplained, known(earlier));
    }

    private double[] known(BalanceModel earlier) {
        double[] all = known.clone();
        Arrays.setAll(all, rank -> Double.isNaN(all[rank]) ? earlier.known[rank] : all[rank]);
        return all;
    }

    /**
     * Takes in what was measured with everything on one rank: its loops' times there separate what grows with the
     * elements.
     *
     * @param rank     the rank
     * @param seconds  for each loop of an iteration, what a run took
     * @param measured seconds of an iteration
     * @return a model that predicts that for the rank alone
     * @throws IllegalArgumentException if there are more or fewer loops
     */
    public BalanceModel withAlone(int rank, double[] seconds, double measured) {
        Checks.length("times of loops on one rank", seconds.length, parts.size());
        double[] all = known.clone();
        all[rank] = measured;
        return new BalanceModel(this, IntStream.range(0, parts.size())
                .mapToObj(p -> parts.get(p).through(rank, shares[rank], seconds[p])).toList(), unexplained, all);
    }

    /**
     * Takes over what another model predicts for each rank alone: one from times of ranks that computed one after the
     * other, and so did not slow each other down.
     *
     * @param undisturbed the other model
     * @return a model with the loops of this one
     * @throws IllegalArgumentException if there are more or fewer ranks
     */
    public BalanceModel withUndisturbed(BalanceModel undisturbed) {
        Checks.length("ranks of another model", undisturbed.shares.length, shares.length);
        return new BalanceModel(this, parts, unexplained,
                IntStream.range(0, shares.length).mapToDouble(undisturbed::alone).toArray());
    }

    /**
     * Adds what an iteration on several ranks takes besides its loops' own times: messages that are on their way,
     * reductions, what the program does. On one rank that is not added.
     *
     * @param measured seconds of an iteration, for the shares that were measured
     * @return a model that predicts that for these shares, or more if the loops alone take more
     */
    public BalanceModel calibrated(double measured) {
        return new BalanceModel(this, parts, Math.max(0, measured - (predict(shares) - unexplained)), known);
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
        double[] starts = starts(report);
        List<Part> parts = new ArrayList<>();
        for (Step step : sequence.steps()) {
            if (step instanceof LoopStep loop) {
                parts.add(part(loop.loop().declaration(), report, starts));
            }
        }
        return new BalanceModel(parts, shares);
    }

    /**
     * Returns what runs of an iteration's loops took on one rank.
     *
     * @param sequence the loops of an iteration
     * @param report   what they did
     * @param rank     the rank
     * @return seconds of a run of each loop, for {@link #withAlone}
     * @throws IllegalArgumentException if a loop of the sequence has not been run
     */
    public static double[] seconds(LoopSequence sequence, RanksReport report, int rank) {
        return sequence.steps().stream().filter(LoopStep.class::isInstance).map(LoopStep.class::cast)
                .map(step -> part(step.loop().declaration(), report, new double[report.ranks()]))
                .mapToDouble(part -> part.interior()[rank] + part.boundary()[rank]).toArray();
    }

    private static double[] starts(RanksReport report) {
        StartTimes[] starts = new StartTimes[report.ranks()];
        Arrays.setAll(starts, rank -> new StartTimes());
        for (RankTimes times : report.times()) {
            if (times.exchanges() > 0) {
                starts[times.rank()].add((double) (times.elements() - times.after()) / times.runs(),
                        times.core() / times.runs(), (double) times.after() / times.exchanges(),
                        times.boundary() / times.exchanges());
            }
        }
        return Arrays.stream(starts).mapToDouble(StartTimes::median).toArray();
    }

    private static Part part(LoopDeclaration loop, RanksReport report, double[] starts) {
        double[] interior = new double[report.ranks()];
        double[] boundary = new double[report.ranks()];
        double[] exchange = new double[report.ranks()];
        long[] runs = new long[report.ranks()];
        boolean exchanges = false;
        for (RankTimes times : report.times()) {
            if (times.loop().equals(loop.name()) && times.set().equals(loop.set().name())) {
                interior[times.rank()] += times.core();
                boundary[times.rank()] += times.boundary();
                exchange[times.rank()] += times.exchange();
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
            exchange[rank] /= runs[rank];
        }
        boolean reduces = IntStream.range(0, loop.arity()).mapToObj(loop::access).anyMatch(Access::reduces);
        double[] fixed = new double[runs.length];
        Arrays.setAll(fixed, rank -> Math.min(starts[rank], interior[rank]));
        return new Part(loop.name(), exchanges, reduces, interior, boundary, exchange, fixed);
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
        int[] with = IntStream.range(0, given.length).filter(rank -> given[rank] > 0).toArray();
        if (with.length == 1 && !Double.isNaN(known[with[0]])) {
            return known[with[0]];
        }
        double[] clock = new double[given.length];
        double[] sent = new double[given.length];
        for (Part part : parts) {
            System.arraycopy(clock, 0, sent, 0, clock.length); // t_send (6.2)
            for (int i = 0; i < clock.length; i++) {
                if (given[i] > 0) {
                    clock[i] = after(part, i, given, sent, with.length > 1);
                }
            }
            if (part.reduces()) {
                Arrays.fill(clock, Arrays.stream(clock).max().orElse(0)); // the end of a region (6.6)
            }
        }
        return Arrays.stream(clock).max().orElse(0) + (with.length > 1 ? unexplained : 0);
    }

    /** When a rank is done with a loop. */
    private double after(Part part, int rank, double[] given, double[] sent, boolean several) {
        double scale = given[rank] / shares[rank];
        if (!several) {
            return sent[rank] + part.whole(rank, scale);
        }
        double received = sent[rank] + part.interior(rank, scale); // t_recv (6.3)
        if (!part.exchanges()) {
            return received + part.border(rank);
        }
        double waited = received;
        for (int other = 0; other < sent.length; other++) {
            if (neighbours[rank][other] && given[other] > 0) {
                waited = Math.max(waited, sent[other]); // t_wait (6.4)
            }
        }
        return waited + part.border(rank); // t_fin (6.5)
    }

    /**
     * Predicts what an iteration takes if all ranks wait for each other after each loop, as without latency hiding
     * (equation 6.1).
     *
     * @return seconds, for the shares that were measured
     */
    public double synchronous() {
        return parts.stream().mapToDouble(part -> IntStream.range(0, shares.length)
                .mapToDouble(rank -> part.interior()[rank] + part.border(rank)).max().orElse(0)).sum();
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
