package org.trellis.distributed.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.common.Checks;

/**
 * Decides how to divide a mesh over ranks, from one measurement to the next: towards the model's optimum in small
 * steps, and to the fastest rank alone where the others promise little, which is measured as well. Ends with the best
 * of what was measured. Knows no clock and no mesh.
 */
final class BalancePlan {
    private static final int MOST_DIVISIONS = 7;
    /** What another division has to gain of an iteration. */
    private static final double WORTHWHILE = 0.02;
    /** Another division that makes iterations so many times longer is taken back. */
    private static final double WORSE = 1.05;
    /** Times of a small part say little of a large one: no share grows or shrinks more at once. */
    private static final double MOST_CHANGE = 4;
    /** One rank alone is measured right away if it promises hardly less than all together. */
    private static final double CLOSE_RATIO = 1.1;
    /** It is measured at the end if it may still win, since predictions are not exact. */
    private static final double HOPEFUL = 1.3;
    /** What measuring that may cost of the time that is left. */
    private static final double TRIAL = 0.05;
    /** What it may cost of the time that it promises to save. */
    private static final double HOPED = 0.5;

    private final List<Balancer.Round> rounds = new ArrayList<>();
    private double[] shares;
    private double[] best;
    private double leastMeasured = Double.POSITIVE_INFINITY;
    private double leastTogether = Double.POSITIVE_INFINITY;
    private BalanceModel model;
    private boolean aloneTried;
    private int divisions;
    private boolean settled;

    /**
     * Begins.
     *
     * @param shares what each rank has, above 0
     */
    BalancePlan(double... shares) {
        double sum = Arrays.stream(shares).sum();
        this.shares = Arrays.stream(shares).map(share -> share / sum).toArray();
        this.best = this.shares;
    }

    /**
     * Says what to do after a measurement.
     *
     * @param measured seconds of an iteration with the shares that the ranks have
     * @param fresh    a model from the loops' times, unless one rank has everything
     * @param lonely   if one rank has everything, what runs of its loops took; empty if that is not known
     * @param left     how many iterations are left
     * @param cost     seconds that a division takes
     * @return other shares, if the mesh is to be divided again
     */
    Optional<double[]> next(double measured, Optional<BalanceModel> fresh, Optional<double[]> lonely, long left,
            double cost) {
        boolean alone = isAlone();
        double before = alone ? model.predict(shares) : 0;
        if (!alone) {
            BalanceModel now = fresh.orElseThrow(() -> new IllegalArgumentException(
                    "no times of loops of ranks with shares " + Arrays.toString(shares) + ", expected a model"));
            model = (model == null ? now : now.refined(model)).calibrated(measured);
        } else if (lonely.isPresent()) {
            model = model.withAlone(sole(), lonely.get(), measured);
        }
        boolean worse = !alone && measured > WORSE * leastTogether;
        double[] optimum = model.optimum();
        double promise = model.predict(optimum);
        int fastest = model.fastest();
        double lone = model.alone(fastest);
        note(measured, alone ? before : model.predict(shares), optimum, promise, lone, fastest);
        Optional<double[]> wanted = Optional.empty();
        if (divisions < MOST_DIVISIONS - 1) {
            wanted = alone
                    ? afterTrial(measured, optimum, promise, left, cost)
                    : together(measured, optimum, promise, lone, left, cost);
        }
        if (worse && wanted.filter(BalancePlan::isAlone).isEmpty()) {
            wanted = Optional.empty(); // the model has promised too much
        }
        if (wanted.isEmpty()) {
            settled = true;
            wanted = Arrays.equals(best, shares) ? wanted : Optional.of(best);
        }
        wanted.ifPresent(given -> {
            shares = given;
            divisions++;
        });
        return wanted.map(double[]::clone);
    }

    private void note(double measured, double modelled, double[] optimum, double promise, double lone, int fastest) {
        rounds.add(new Balancer.Round(shares, measured, modelled, optimum, promise, lone, fastest));
        if (measured < leastMeasured) {
            leastMeasured = measured;
            best = shares;
        }
        if (!isAlone()) {
            leastTogether = Math.min(leastTogether, measured);
        }
    }

    /** One rank has been measured alone: all together go on only if they promise more. */
    private Optional<double[]> afterTrial(double measured, double[] optimum, double promise, long left, double cost) {
        double gain = measured - Math.min(promise, leastTogether);
        return promise < leastTogether && pays(gain, measured, left, cost)
                ? Optional.of(near(optimum, model.shares()))
                : Optional.empty();
    }

    private Optional<double[]> together(double measured, double[] optimum, double promise, double lone, long left,
            double cost) {
        double hope = Math.min(measured, leastMeasured) - lone;
        boolean affordable = !aloneTried && 2 * cost < left * Math.max(TRIAL * measured, HOPED * hope);
        if (affordable && lone < CLOSE_RATIO * promise && pays(measured - lone, measured, left, cost)) {
            return Optional.of(trial());
        }
        double[] wanted = near(optimum, shares);
        if (promise < leastMeasured && pays(measured - model.predict(wanted), measured, left, cost)) {
            return Optional.of(wanted);
        }
        return affordable && lone < HOPEFUL * measured ? Optional.of(trial()) : Optional.empty();
    }

    private static boolean pays(double gain, double measured, long left, double cost) {
        return gain > WORTHWHILE * measured && gain * left > cost;
    }

    private double[] trial() {
        aloneTried = true;
        double[] only = new double[shares.length];
        only[model.fastest()] = 1;
        return only;
    }

    private static double[] near(double[] wanted, double... now) {
        double[] next = new double[wanted.length];
        Checks.length("number of shares", now.length, next.length);
        double sum = 0;
        for (int rank = 0; rank < next.length; rank++) {
            next[rank] = Math.clamp(wanted[rank], now[rank] / MOST_CHANGE, Math.min(1, now[rank] * MOST_CHANGE));
            sum += next[rank];
        }
        for (int rank = 0; rank < next.length; rank++) {
            next[rank] /= sum;
        }
        return next;
    }

    private static boolean isAlone(double... given) {
        return Arrays.stream(given).filter(share -> share > 0).count() == 1;
    }

    /** Returns the rank that has everything. */
    int sole() {
        return IntStream.range(0, shares.length).filter(rank -> shares[rank] > 0).findFirst().orElseThrow();
    }

    /** Says whether one rank has everything. */
    boolean isAlone() {
        return isAlone(shares);
    }

    double[] shares() {
        return shares.clone();
    }

    List<Balancer.Round> rounds() {
        return List.copyOf(rounds);
    }

    /** Returns what the loops' times say, once there are some. */
    Optional<BalanceModel> model() {
        return Optional.ofNullable(model);
    }

    boolean isSettled() {
        return settled;
    }

    int divisions() {
        return divisions;
    }

    /** Returns the least that was measured on several ranks, in seconds. */
    double leastTogether() {
        return leastTogether;
    }
}
