package org.trellis.distributed.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trellis.common.Checks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshRanks;
import org.trellis.mesh.loop.RanksReport;

/**
 * Balances a mesh over ranks of different speed while a program iterates on it: measures some iterations, asks the
 * {@link BalanceModel}, and divides the mesh again if the iterations that are left gain more than that costs. Times are
 * measured again then, since a prediction is one.
 *
 * <p>All ranks call {@link #iterated} after each iteration, and decide alike. What ranks compute depends on what they
 * have: where times decide, two runs differ in the last bits.
 */
public final class Balancer {
    /** Iterations that are measured together; the first of them after a division are not. */
    private static final int ROUND = 10;
    private static final int MOST_DIVISIONS = 4;
    /** What another division has to gain of an iteration. */
    private static final double WORTHWHILE = 0.02;
    /** Another division that makes iterations so many times longer is taken back. */
    private static final double WORSE = 1.05;
    private static final double MOST_CHANGE = 4;

    private final Mesh mesh;
    private final LoopSequence sequence;
    private final MeshRanks ranks;
    private final long iterations;
    private final List<Round> rounds = new ArrayList<>();
    private double[] shares;
    private long done;
    private int counted;
    private boolean fresh = true;
    private int divisions;
    private double cost;
    private long start = System.nanoTime();
    private boolean settled;
    private double leastMeasured;
    private double[] sharesOfLeast;

    /**
     * What was measured, and what the model makes of it.
     *
     * @param shares    what the ranks had
     * @param measured  seconds of an iteration
     * @param modelled  what the model says of the same
     * @param proposed  the shares that it proposes
     * @param predicted seconds of an iteration that it predicts for them
     * @param alone     seconds that it predicts for the fastest rank alone
     * @param fastest   that rank
     */
    public record Round(double[] shares, double measured, double modelled, double[] proposed, double predicted,
            double alone, int fastest) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT,
                    "shares %s: %.4f ms an iteration, the model says %.4f; proposes %s with %.4f, rank %d alone %.4f",
                    text(shares), 1e3 * measured, 1e3 * modelled, text(proposed), 1e3 * predicted, fastest,
                    1e3 * alone);
        }

        private static String text(double... shares) {
            return Arrays.stream(shares).mapToObj(share -> String.format(Locale.ROOT, "%.3f", share))
                    .collect(Collectors.joining(":"));
        }
    }

    /**
     * Begins with a mesh.
     *
     * @param mesh       a mesh over ranks, divided with shares
     * @param sequence   an iteration
     * @param iterations how many there will be
     * @param shares     what each rank has
     * @throws IllegalArgumentException if the mesh is on one rank, or there are more or fewer shares
     */
    public Balancer(Mesh mesh, LoopSequence sequence, long iterations, double... shares) {
        this.mesh = mesh;
        this.sequence = sequence;
        this.iterations = iterations;
        this.ranks = mesh.ranks().orElseThrow(() -> new IllegalArgumentException(
                "a mesh on one rank was to be balanced, expected one of DistributedMesh.on with shares"));
        Checks.length("number of shares", shares.length, ranks.ranks());
        this.shares = shares.clone();
    }

    /** An iteration is over. Called by all ranks; forgets the times of loops now and then. */
    public void iterated() {
        done++;
        counted++;
        if (!settled && counted == ROUND) {
            look(ROUND, 1e-9 * (System.nanoTime() - start));
            mesh.resetTimes();
            counted = 0;
            start = System.nanoTime();
        }
    }

    /**
     * Some iterations are over, for programs that forget the times of loops themselves: before these iterations, and
     * not since. Called by all ranks, instead of {@link #iterated}.
     *
     * @param count   how many
     * @param seconds what they took on this rank
     */
    public void measured(int count, double seconds) {
        done += count;
        if (!settled) {
            look(count, seconds);
        }
    }

    private void look(int count, double seconds) {
        if (fresh) {
            fresh = false; // The JVM compiles, and loops are prepared.
            return;
        }
        double measured = highest(seconds / count);
        RanksReport report = mesh.report().ranks().orElseThrow();
        BalanceModel model = BalanceModel.of(sequence, report, shares);
        double[] proposed = model.proposal();
        rounds.add(new Round(shares, measured, model.predict(shares), proposed, model.predict(proposed),
                model.alone(model.fastest()), model.fastest()));
        if (rounds.size() > 1 && measured > WORSE * leastMeasured) {
            divide(sharesOfLeast); // The model has promised too much: back to what was best.
            settled = true;
            return;
        }
        if (rounds.size() == 1 || measured < leastMeasured) {
            leastMeasured = measured;
            sharesOfLeast = shares;
        }
        double[] next = near(proposed);
        double gain = model.predict(shares) - model.predict(next);
        double estimate = divisions == 0 ? DistributedMesh.division(mesh).seconds() : cost;
        boolean pays = gain > WORTHWHILE * measured && gain * (iterations - done) > estimate;
        if (pays && divisions < MOST_DIVISIONS) {
            divide(next);
        } else {
            settled = true;
        }
    }

    /** Times of a small part say little of a large one: no share grows or shrinks more than so many times at once. */
    private double[] near(double... proposed) {
        double[] next = proposed.clone();
        double sum = 0;
        double before = Arrays.stream(shares).sum();
        for (int rank = 0; rank < next.length; rank++) {
            double now = shares[rank] / before;
            // A rank that is to have nothing has had little already.
            next[rank] = proposed[rank] == 0 && now * MOST_CHANGE < 1.0 / next.length
                    ? 0
                    : Math.clamp(proposed[rank], now / MOST_CHANGE, Math.min(1, now * MOST_CHANGE));
            sum += next[rank];
        }
        for (int rank = 0; rank < next.length; rank++) {
            next[rank] /= sum;
        }
        return next;
    }

    private void divide(double... wanted) {
        long before = System.nanoTime();
        DistributedMesh.divideAgain(mesh, wanted);
        cost = highest(1e-9 * (System.nanoTime() - before));
        divisions++;
        shares = wanted.clone();
        // A rank without anything has no times from which it could get something again.
        settled = Arrays.stream(wanted).anyMatch(share -> share == 0);
        fresh = true;
    }

    private double highest(double seconds) {
        long[] most = {Math.round(1e9 * seconds)};
        ranks.highest(most);
        return 1e-9 * most[0];
    }

    /**
     * Returns what the ranks have now.
     *
     * @return the shares; a new array
     */
    public double[] shares() {
        return shares.clone();
    }

    /**
     * Returns what was measured and proposed.
     *
     * @return one round for each time that the model was asked
     */
    public List<Round> rounds() {
        return List.copyOf(rounds);
    }

    /**
     * Says whether balancing has ended.
     *
     * @return true once nothing more is gained, or not enough iterations are left
     */
    public boolean isSettled() {
        return settled;
    }

    @Override
    public String toString() {
        String rest = divisions == 0
                ? "not divided again"
                : divisions + " times divided again, the last in "
                        + String.format(Locale.ROOT, "%.3f s", cost);
        return rounds.stream().map(Round::toString).collect(Collectors.joining("\n")) + "\n" + rest + "\n";
    }
}
