package org.trellis.distributed.balance;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Checks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshRanks;
import org.trellis.mesh.loop.RanksReport;

/**
 * Balances a mesh over ranks of different speed while a program iterates on it: measures some iterations, asks the
 * {@link BalanceModel}, and divides the mesh again if the iterations that are left gain more than that costs. Times are
 * measured again then, since a prediction is one, and as long as iterations become faster by themselves. Once, before
 * the first other division, ranks compute one after the other for some iterations: ranks that use the same processors
 * slow each other down, and what one of them takes alone is predicted from times without that. Where the
 * fastest rank alone may be as fast as all together, it is given everything and measured, too; finally the ranks
 * have what was fastest.
 *
 * <p>All ranks call {@link #iterated} after each iteration, and decide alike. What ranks compute depends on what they
 * have: where times decide, two runs differ in the last bits.
 */
public final class Balancer {
    /** Iterations that are measured together; the first of them after a division are not. */
    private static final int ROUND = 10;
    /** A round that takes less than this part of the one before is followed by another, so many times. */
    private static final double WARM = 0.9;
    private static final int MOST_REPEATS = 4;
    /** So many rounds one rank alone may take to come to what was predicted, where it is the fastest anyway. */
    private static final int MOST_ROUNDS_ALONE = 20;

    private final Mesh mesh;
    private final LoopSequence sequence;
    private final MeshRanks ranks;
    private final long iterations;
    private final BalancePlan plan;
    private long done;
    private int counted;
    private boolean fresh = true;
    private double lastMeasured;
    /** What was measured and modelled before ranks took turns. */
    private double untilTurns;
    private Optional<BalanceModel> beforeTurns = Optional.empty();
    private int repeats;
    private double cost;
    private long start = System.nanoTime();

    /**
     * What was measured, and what the model makes of it.
     *
     * @param shares    what the ranks had
     * @param measured  seconds of an iteration
     * @param modelled  what the model says of the same; with everything on one rank, what it said before
     * @param proposed  the shares of all ranks for which it predicts least
     * @param predicted seconds of an iteration that it predicts for them
     * @param alone     seconds that it predicts for the fastest rank alone
     * @param fastest   that rank
     */
    public record Round(double[] shares, double measured, double modelled, double[] proposed, double predicted,
            double alone, int fastest) {
        /**
         * Says whether one rank had everything.
         *
         * @return true if all shares but one are 0
         */
        public boolean isAlone() {
            return Arrays.stream(shares).filter(share -> share > 0).count() == 1;
        }

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
        this.plan = new BalancePlan(shares);
    }

    /** An iteration is over. Called by all ranks; forgets the times of loops now and then. */
    public void iterated() {
        done++;
        counted++;
        if (!plan.isSettled() && counted == ROUND) {
            mesh.backend().optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
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
        if (!plan.isSettled()) {
            look(count, seconds);
        }
    }

    private void look(int count, double seconds) {
        if (fresh) {
            fresh = false; // The JVM compiles, and loops are prepared.
            repeats = 0;
            lastMeasured = highest(seconds / count);
            return;
        }
        if (beforeTurns.isPresent()) {
            BalanceModel undisturbed = BalanceModel.of(sequence, ranks(), plan.shares());
            DistributedMesh.takeTurns(mesh, false);
            BalanceModel together = beforeTurns.get();
            beforeTurns = Optional.empty();
            decide(untilTurns, Optional.of(together.withUndisturbed(undisturbed)), Optional.empty());
            return;
        }
        double before = lastMeasured;
        double measured = highest(seconds / count);
        if (faster(measured)) {
            return;
        }
        measured = Math.min(measured, before); // the other round had nothing else to do either
        if (plan.isAlone()) {
            if (warmsUp(measured)) {
                return;
            }
            decide(measured, Optional.empty(), Optional.of(BalanceModel.seconds(sequence, ranks(), plan.sole())));
            return;
        }
        Optional<BalanceModel> model = Optional.of(BalanceModel.of(sequence, ranks(), plan.shares()));
        if (plan.rounds().isEmpty()) {
            untilTurns = measured;
            beforeTurns = model;
            DistributedMesh.takeTurns(mesh, true);
        } else {
            decide(measured, model, Optional.empty());
        }
    }

    /**
     * Says whether one rank alone, which has just been given everything, is still slower than predicted, and may become
     * faster: its code is new. If it is the fastest already, waiting for that costs nothing.
     */
    private boolean warmsUp(double measured) {
        int most = measured < plan.leastTogether() ? MOST_ROUNDS_ALONE : MOST_REPEATS;
        boolean goesOn = measured > plan.model().orElseThrow().predict(plan.shares()) / WARM && repeats < most;
        if (goesOn) {
            repeats++;
            lastMeasured = measured;
        }
        return goesOn;
    }

    private RanksReport ranks() {
        return mesh.report().ranks().orElseThrow();
    }

    private void decide(double measured, Optional<BalanceModel> model, Optional<double[]> lonely) {
        double estimate = plan.divisions() == 0 ? DistributedMesh.division(mesh).seconds() : cost;
        plan.next(measured, model, lonely, iterations - done, estimate).ifPresent(this::divide);
    }

    /**
     * Says whether iterations still become faster, as long as the JVM compiles: then what a rank takes is not known.
     * Not for ever, since iterations that are not balanced cost time.
     */
    private boolean faster(double measured) {
        double before = lastMeasured;
        lastMeasured = measured;
        boolean goesOn = measured < WARM * before && repeats < MOST_REPEATS;
        repeats += goesOn ? 1 : 0;
        return goesOn;
    }

    private void divide(double... wanted) {
        long before = System.nanoTime();
        DistributedMesh.divideAgain(mesh, wanted);
        cost = highest(1e-9 * (System.nanoTime() - before));
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
     * @return the shares, with sum 1; a new array
     */
    public double[] shares() {
        return plan.shares();
    }

    /**
     * Returns what was measured and proposed.
     *
     * @return one round for each time that the model was asked
     */
    public List<Round> rounds() {
        return plan.rounds();
    }

    /**
     * Returns the model from the last measurement in which every rank had something.
     *
     * @return empty before the first
     */
    public Optional<BalanceModel> model() {
        return plan.model();
    }

    /**
     * Says whether balancing has ended.
     *
     * @return true once nothing more is gained, or not enough iterations are left
     */
    public boolean isSettled() {
        return plan.isSettled();
    }

    /**
     * Returns the rank that has been given everything because the others cannot help it.
     *
     * @return empty if several ranks have something, or balancing goes on
     */
    public OptionalInt alone() {
        return plan.isSettled() && plan.isAlone()
                ? IntStream.range(0, ranks.ranks()).filter(rank -> plan.shares()[rank] > 0).findFirst()
                : OptionalInt.empty();
    }

    @Override
    public String toString() {
        String rest = plan.divisions() == 0
                ? "not divided again"
                : plan.divisions() + " times divided again, the last in "
                        + String.format(Locale.ROOT, "%.3f s", cost);
        String verdict = alone().isEmpty()
                ? ""
                : String.format(Locale.ROOT, "%nthe others cannot help rank %d, which has everything: %.4f ms an "
                        + "iteration, with the others at least %.4f", alone().getAsInt(),
                        1e3 * rounds().stream().filter(Round::isAlone).mapToDouble(Round::measured).min().orElse(0),
                        1e3 * plan.leastTogether())
                        + DistributedMesh.needOfOthers(mesh)
                                .map(why -> String.format(Locale.ROOT, "%nthe others still meet it, since %s", why))
                                .orElse("");
        return rounds().stream().map(Round::toString).collect(Collectors.joining("\n")) + "\n" + rest + verdict
                + "\n";
    }
}
