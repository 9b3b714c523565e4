package org.trellis.bench.powers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.HaloStatistics;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.halo.SendList;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowRanges;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.sparse.CsrMatrix;

/**
 * Times products in a row for several numbers of rings; runs on every rank alike.
 *
 * @param rings       the numbers of rings
 * @param steps       products in a row
 * @param seconds     measured time for each number of rings
 * @param partitioner how rows are divided, null for blocks of rows
 */
record PowersRun(int[] rings, int steps, double seconds, Partitioner partitioner) {
    private static final double TOLERANCE = 1.05;
    private static final int LEAST_PASSES = 5;

    /**
     * Runs.
     *
     * @param communicator the ranks
     * @param loader       gives the matrix; called on rank 0 only
     * @return the results, the same on all ranks but for the median times, which are rank 0's
     */
    PowersReport run(Communicator communicator, Supplier<CsrMatrix> loader) {
        CsrMatrix whole = communicator.rank() == 0 ? loader.get() : null;
        PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole,
                whole == null ? null : blocks(whole.rows(), communicator.size()));
        if (partitioner != null) {
            matrix = matrix.repartition(partitioner, TOLERANCE);
        }
        double factor = 1 / greatestRowSum(matrix);
        List<PowersReport.Rings> results = new ArrayList<>();
        for (int count : rings) {
            try (HaloPlan plan = HaloPlan.of(matrix, count)) {
                results.add(measure(plan, factor));
            }
        }
        return new PowersReport(matrix.globalRows(), communicator.sum(matrix.rows().nonZeros()), communicator.size(),
                communicator.transport(), results);
    }

    private static Partition blocks(int rows, int parts) {
        RowRanges ranges = new RowRanges(rows, parts);
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, ranges::blockOf);
        return new Partition(partOf, parts);
    }

    /** Steps divide by it, so that powers neither overflow nor vanish at once. */
    private static double greatestRowSum(PartitionedMatrix matrix) {
        double[] greatest = {Double.MIN_NORMAL};
        int[] offsets = matrix.rows().offsets();
        for (int row = 0; row < matrix.ownedRows(); row++) {
            double sum = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                sum += Math.abs(matrix.rows().values().get(k));
            }
            greatest[0] = Math.max(greatest[0], sum);
        }
        matrix.communicator().allReduce(Reduction.MAX, greatest);
        return greatest[0];
    }

    private PowersReport.Rings measure(HaloPlan plan, double factor) {
        Communicator communicator = plan.communicator();
        RingProduct product = new RingProduct(plan);
        RingVector[] vectors = {plan.vector(), plan.vector()};
        List<Double> samples = new ArrayList<>();
        double[] spent = {0};
        int passes = 0;
        double warmUp = Math.min(seconds, 1) / 4;
        while (spent[0] < seconds + warmUp || samples.size() < LEAST_PASSES) {
            vectors[0].set(i -> 1.0 / (1 + i % 7));
            communicator.barrier();
            long began = System.nanoTime();
            for (int step = 0; step < steps; step++) {
                product.combine(factor, vectors[step % 2], 0, vectors[step % 2], 0, vectors[1 - step % 2]);
            }
            communicator.barrier();
            double[] took = {(System.nanoTime() - began) / 1e9};
            communicator.allReduce(Reduction.MAX, took);
            passes++;
            spent[0] += took[0];
            if (spent[0] > warmUp) {
                samples.add(took[0] / steps);
            }
        }
        return result(plan, passes, samples, vectors[steps % 2]);
    }

    private PowersReport.Rings result(HaloPlan plan, int passes, List<Double> samples, RingVector last) {
        Communicator communicator = plan.communicator();
        HaloStatistics statistics = plan.statistics();
        long exchanges = plan.exchanges() / passes;
        long elements = plan.sends().stream().mapToLong((SendList list) -> list.places().length).sum();
        long redundant = 0;
        for (int step = 0; step < steps; step++) {
            // Steps since the last exchange: so many rings are used up.
            for (int ring = 1; ring < plan.rings() - step % plan.rings(); ring++) {
                redundant += statistics.ringNonZeros()[ring - 1];
            }
        }
        long[] sums = {exchanges * plan.sends().size(), exchanges * elements * plan.precision().bytes(), redundant,
            steps * statistics.ownedNonZeros()};
        communicator.allReduce(Reduction.SUM, sums);
        HostVector whole = last.gather(0);
        double median = SampleStatistics.of(samples.stream().mapToDouble(Double::doubleValue).toArray()).median();
        long checksum = whole.precision() == Precision.F64
                ? Arrays.hashCode(whole.doubles())
                : Arrays.hashCode(whole.floats());
        return new PowersReport.Rings(plan.rings(), median, exchanges, sums[0], sums[1],
                (double) sums[2] / Math.max(1, sums[3]), checksum);
    }
}
