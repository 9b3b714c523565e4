package org.trellis.distributed.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.trellis.distributed.balance.BalanceModel.Part;

/**
 * Ranks whose clocks are computed: what an iteration takes on them is the same each time. They do what the model leaves
 * out, too: messages travel for a while, starting a loop takes a while however few elements it has, and so does a
 * meeting of all ranks.
 */
final class SimulatedRanks {
    private static final int ELEMENTS = 100_000;
    /** Elements at a border, whatever the shares. */
    private static final int BORDER = 600;

    private final double[] perElement;
    private final double[] start;
    private final double[] packing;
    private final double latency;
    private final double meeting;
    private final boolean[] exchanges;
    private final boolean[] reduces;
    private final double[] work;

    /**
     * Makes ranks.
     *
     * @param perElement seconds of an element on each
     * @param start      seconds to start a loop on each
     * @param packing    seconds to pack a border on each
     * @param latency    seconds of a message
     * @param meeting    seconds of a reduction over all
     */
    SimulatedRanks(double[] perElement, double[] start, double[] packing, double latency, double meeting) {
        this.perElement = perElement;
        this.start = start;
        this.packing = packing;
        this.latency = latency;
        this.meeting = meeting;
        // As Airfoil: a copy, then twice a time step, two sums over edges and an update that reduces.
        this.exchanges = new boolean[]{false, false, true, false, false, false, true, false, false};
        this.reduces = new boolean[]{false, false, false, false, true, false, false, false, true};
        this.work = new double[]{0.3, 1, 2.5, 0.05, 0.8, 1, 2.5, 0.05, 0.8};
    }

    static SimulatedRanks random(SplittableRandom random, int ranks) {
        double[] perElement = random.doubles(ranks, 1e-9, 8e-9).toArray();
        return new SimulatedRanks(perElement, random.doubles(ranks, 0, 5e-6).toArray(),
                random.doubles(ranks, 1e-6, 8e-6).toArray(), random.nextDouble(2e-5), random.nextDouble(1e-5));
    }

    /** What an iteration took, and what its loops did. */
    record Iteration(double seconds, List<Part> parts) {}

    Iteration run(double... shares) {
        int ranks = shares.length;
        int with = (int) Arrays.stream(shares).filter(share -> share > 0).count();
        double[] clock = new double[ranks];
        List<Part> parts = new ArrayList<>();
        StartTimes[] starts = new StartTimes[ranks];
        Arrays.setAll(starts, rank -> new StartTimes());
        for (int loop = 0; loop < work.length; loop++) {
            double[] interior = new double[ranks];
            double[] boundary = new double[ranks];
            double[] exchange = new double[ranks];
            double[] sent = new double[ranks];
            boolean message = exchanges[loop] && with > 1;
            for (int rank = 0; rank < ranks; rank++) {
                boolean takesPart = shares[rank] > 0;
                double border = message && takesPart ? BORDER : 0;
                exchange[rank] = message && takesPart ? packing[rank] : 0;
                boundary[rank] = border == 0 ? 0 : start[rank] + work[loop] * perElement[rank] * border;
                interior[rank] = takesPart
                        ? start[rank] + work[loop] * perElement[rank] * (shares[rank] * ELEMENTS - border)
                        : 0;
                sent[rank] = clock[rank] + exchange[rank];
                starts[rank].add(shares[rank] * ELEMENTS - border, interior[rank], border, boundary[rank]);
            }
            double last = Arrays.stream(sent).max().orElseThrow() + latency;
            for (int rank = 0; rank < ranks; rank++) {
                double ready = sent[rank] + interior[rank];
                clock[rank] = (message && shares[rank] > 0 ? Math.max(ready, last) : ready) + boundary[rank];
            }
            if (reduces[loop]) {
                Arrays.fill(clock, Arrays.stream(clock).max().orElseThrow() + (with > 1 ? meeting : 0));
            }
            parts.add(new Part("loop " + loop, exchanges[loop], reduces[loop], interior, boundary, exchange,
                    new double[ranks]));
        }
        return new Iteration(Arrays.stream(clock).max().orElseThrow(),
                parts.stream().map(part -> started(part, starts)).toList());
    }

    /** What the loops' two parts say of starting one, as {@link BalanceModel#of} does. */
    private static Part started(Part part, StartTimes... starts) {
        double[] fixed = new double[starts.length];
        Arrays.setAll(fixed, rank -> Math.min(starts[rank].median(), part.interior()[rank]));
        return new Part(part.name(), part.exchanges(), part.reduces(), part.interior(), part.boundary(),
                part.exchange(), fixed);
    }

    /** Returns the least time of two ranks with any shares, each of them alone included. */
    double least() {
        double least = Double.POSITIVE_INFINITY;
        for (int thousandths = 0; thousandths <= 1000; thousandths++) {
            if (thousandths == 0 || thousandths == 1000 || Math.min(thousandths, 1000 - thousandths) >= 7) {
                least = Math.min(least, run(thousandths * 1e-3, 1 - thousandths * 1e-3).seconds());
            }
        }
        return least;
    }

    /** Balances, and returns the plan when it has settled. */
    BalancePlan balanced(double... shares) {
        BalancePlan plan = new BalancePlan(shares);
        for (int round = 0; round < 20 && !plan.isSettled(); round++) {
            double[] now = plan.shares();
            Iteration iteration = run(now);
            boolean alone = plan.isAlone();
            plan.next(iteration.seconds(), alone
                    ? Optional.empty()
                    : Optional.of(new BalanceModel(iteration.parts(), now)),
                    alone
                            ? Optional.of(iteration.parts().stream()
                                    .mapToDouble(part -> part.interior()[plan.sole()]).toArray())
                            : Optional.empty(),
                    1_000_000, 1e-3);
        }
        return plan;
    }
}
