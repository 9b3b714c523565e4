package org.trellis.distributed.powers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.HaloStatistics;
import org.trellis.distributed.halo.ReceiveList;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.halo.SendList;

/**
 * Predicts what a step costs with each number of rings. With k rings, k steps take
 *
 * <pre>{@code max(L + B b(k), I) + k W − I + R(k)}</pre>
 *
 * seconds on a rank, where L is what an exchange takes however small it is, B what a byte takes, b(k) the bytes that
 * come or go, W the work of the owned rows, I that of the interior ones, which runs beside the exchange, and R(k) the
 * redundant work. The slowest rank counts. The constants are measured on the ranks, their neighbours and the matrix
 * that the plan is of: exchanges of the fewest and of the most rings, and products or sweeps without an exchange.
 *
 * @param latency           L, in seconds, of the slowest rank
 * @param secondsPerByte    B, of the slowest rank
 * @param secondsPerNonZero work of a non-zero of the slowest rank in a step, its share of vectors and rows included
 * @param secondsPerStep    predictions, for one ring first
 */
public record RingModel(double latency, double secondsPerByte, double secondsPerNonZero, double[] secondsPerStep) {
    private static final int EXCHANGES = 12;
    private static final int PRODUCTS = 10;
    /**
     * Exchanges, and products, that follow one another before the host waits where ranks are on devices: there they are
     * queued, as they are in programs, and waiting after each would cost more than most of them take.
     */
    private static final int QUEUED = 8;
    /** What exchanges that differ by fewer bytes take more is no bandwidth but a disturbance. */
    private static final long LEAST_BYTES = 4096;
    /** Products of small parts are repeated until that many non-zeros were multiplied, for compiled code. */
    private static final long WARM_UP = 2_000_000;

    /** Copies the predictions. */
    public RingModel {
        secondsPerStep = secondsPerStep.clone();
    }

    /**
     * Measures the constants and predicts products. Collective; takes some tens of exchanges and products.
     *
     * @param plan the halo of the matrix, with as many rings as are to be considered
     * @return the model, the same on all ranks
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static RingModel measure(HaloPlan plan) {
        return measure(plan, 1);
    }

    /**
     * Measures the constants and predicts steps that compute some of the rows only, such as the stages of sweeps by
     * colours. Collective; takes some tens of exchanges and products.
     *
     * @param plan  the halo of the matrix, with as many rings as are to be considered
     * @param share of the rows that a step computes, more than 0 and at most 1
     * @return the model, the same on all ranks
     * @throws IllegalArgumentException if the share is out of range
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static RingModel measure(HaloPlan plan, double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share of the rows of a step is " + share
                    + ", expected more than 0 and at most 1");
        }
        LocalKernels kernels = LocalKernels.of(plan);
        RingVector x = plan.vector(i -> 1);
        RingVector y = plan.vector();
        return measure(plan, () -> kernels.combine(0, plan.rowsWithin(0), 0.5, x.elements(), 0, x.elements(), 0,
                y.elements()), share);
    }

    /**
     * Measures the constants and predicts sweeps, which take longer than products. Collective; takes some tens of
     * exchanges and sweeps.
     *
     * @param smoother of a halo with as many rings as are to be considered; its iterate stays
     * @return the model, the same on all ranks
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static RingModel measure(RingSmoother smoother) {
        return measure(smoother.plan(), smoother.ownedSweep(), 1);
    }

    private static RingModel measure(HaloPlan plan, Runnable step, double share) {
        int most = plan.rings();
        int together = plan.communicator().greatest(plan.isOnDevice() ? 1 : 0) > 0 ? QUEUED : 1;
        RingVector vector = plan.vector(i -> 1);
        double few = exchangeSeconds(plan, vector, 1, together);
        double many = exchangeSeconds(plan, vector, most, together);
        plan.useRings(most);
        double growth = Math.max(0, many - few) / Math.max(LEAST_BYTES, bytes(plan, most) - bytes(plan, 1));
        double[] constants = {few - growth * bytes(plan, 1), growth, share * nonZeroSeconds(plan, step, together)};
        // One rank's clock may have been disturbed; a latency is never less than nothing.
        constants[0] = Math.max(0, constants[0]);
        plan.communicator().allReduce(Reduction.MAX, constants);
        double[] steps = new double[most];
        for (int k = 1; k <= most; k++) {
            steps[k - 1] = predict(plan, k, constants);
        }
        plan.communicator().allReduce(Reduction.MAX, steps);
        return new RingModel(constants[0], constants[1], constants[2], steps);
    }

    /**
     * Returns the fastest exchange, each as long as its slowest rank found it: one that comes late finds its messages
     * there, however long they took.
     */
    private static double exchangeSeconds(HaloPlan plan, RingVector vector, int rings, int together) {
        plan.useRings(rings);
        double[] seconds = new double[EXCHANGES];
        for (int i = 0; i < EXCHANGES; i++) {
            plan.synchronize();
            plan.communicator().barrier();
            long began = System.nanoTime();
            for (int each = 0; each < together; each++) {
                HaloExchange exchange = plan.exchange(1).with(0, vector);
                exchange.start();
                exchange.finish();
            }
            plan.synchronize();
            seconds[i] = (System.nanoTime() - began) * 1e-9 / together;
        }
        plan.communicator().allReduce(Reduction.MAX, seconds);
        return Arrays.stream(seconds).min().orElseThrow();
    }

    private static double nonZeroSeconds(HaloPlan plan, Runnable step, int together) {
        long nonZeros = Math.max(1, plan.statistics().ownedNonZeros());
        long repetitions = Math.ceilDiv(PRODUCTS + Math.min(1000, WARM_UP / nonZeros), together);
        long least = Long.MAX_VALUE;
        for (long i = 0; i < repetitions; i++) {
            long began = System.nanoTime();
            for (int each = 0; each < together; each++) {
                step.run();
            }
            plan.synchronize();
            least = Math.min(least, System.nanoTime() - began);
        }
        return plan.rowsWithin(0) == 0 ? 0 : least * 1e-9 / together / nonZeros;
    }

    /** The larger of what comes and what goes in an exchange of one vector. */
    private static long bytes(HaloPlan plan, int rings) {
        long come = plan.receives().stream().mapToLong((ReceiveList list) -> list.elements(rings)).sum();
        long go = plan.sends().stream().mapToLong((SendList list) -> list.offsets()[rings]).sum();
        return Math.max(come, go) * plan.precision().bytes();
    }

    private static double predict(HaloPlan plan, int rings, double[] constants) {
        HaloStatistics statistics = plan.statistics();
        double owned = statistics.ownedNonZeros() * constants[2];
        double interior = owned * statistics.interiorRows() / Math.max(1, statistics.ownedRows());
        double redundant = 0;
        for (int r = 1; r < rings; r++) {
            redundant += (rings - r) * statistics.ringNonZeros()[r - 1] * constants[2];
        }
        double exchange = plan.receives().isEmpty() && plan.sends().isEmpty()
                ? 0
                : constants[0] + constants[1] * bytes(plan, rings);
        return (Math.max(exchange, interior) + rings * owned - interior + redundant) / rings;
    }

    /**
     * Returns the predictions.
     *
     * @return a copy; seconds of a step with one ring, with two, and so on
     */
    @Override
    public double[] secondsPerStep() {
        return secondsPerStep.clone();
    }

    /**
     * Returns the number of rings whose steps are predicted to be the fastest.
     *
     * @return the smallest such number, at least 1
     */
    public int proposal() {
        int best = 0;
        for (int k = 1; k < secondsPerStep.length; k++) {
            if (secondsPerStep[k] < secondsPerStep[best]) {
                best = k;
            }
        }
        return best + 1;
    }

    /**
     * Lists the numbers of rings that are worth trying.
     *
     * @param slack how many times the time of the proposal a step may be predicted to take, at least 1
     * @return the proposal first, then one ring, which is always tried, then the others as they are predicted
     */
    public List<Integer> candidates(double slack) {
        int best = proposal();
        List<Integer> others = new ArrayList<>();
        for (int k = 2; k <= secondsPerStep.length; k++) {
            if (k != best && secondsPerStep[k - 1] <= slack * secondsPerStep[best - 1]) {
                others.add(k);
            }
        }
        others.sort((a, b) -> Double.compare(secondsPerStep[a - 1], secondsPerStep[b - 1]));
        List<Integer> all = new ArrayList<>(best == 1 ? List.of(1) : List.of(best, 1));
        all.addAll(others);
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RingModel that && latency == that.latency && secondsPerByte == that.secondsPerByte
                && secondsPerNonZero == that.secondsPerNonZero && Arrays.equals(secondsPerStep, that.secondsPerStep);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secondsPerStep);
    }

    @Override
    public String toString() {
        return "model of rings: latency " + latency + " s, " + secondsPerByte + " s a byte, " + secondsPerNonZero
                + " s a non-zero; steps " + Arrays.toString(secondsPerStep) + " s";
    }
}
