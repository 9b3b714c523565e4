package org.trellis.bench.powers;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.ranks.RankJob;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.HaloStatistics;
import org.trellis.distributed.halo.SendList;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.InteriorRows;
import org.trellis.distributed.powers.RingModel;
import org.trellis.distributed.powers.RingTuner;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.online.TunedSpmvOperator;

/**
 * Times steps in a row for several numbers of rings, which take turns on one halo; runs on every rank alike.
 */
public final class PowersRun {
    private static final int ROUNDS = 5;
    private static final int LEAST_PASSES = 5;

    private final PowersSettings settings;
    private final PartitionedMatrix matrix;
    private final RankJob job;
    private final Backend backend;
    private final boolean tuned;
    private final Communicator communicator;
    private PowersReport.Choice choice;

    /**
     * Prepares a run.
     *
     * @param settings what is measured
     * @param matrix   the partitioned matrix
     * @param job      the ranks
     * @param backend  of this rank, whose device has the vectors; null for the host
     * @param tuned    whether interior rows have a tuned product
     */
    public PowersRun(PowersSettings settings, PartitionedMatrix matrix, RankJob job, Backend backend,
            boolean tuned) {
        this.tuned = tuned;
        this.settings = settings;
        this.job = job;
        this.backend = backend;
        this.matrix = matrix;
        this.communicator = matrix.communicator();
    }

    /** A number of rings, its times, and what its passes sent. */
    private static final class Entry {
        private final int rings;
        private final boolean chosen;
        private final List<Double> samples = new ArrayList<>();
        private long passes;
        private long exchanges;
        private long messages;
        private long checksum;

        Entry(int rings, boolean chosen) {
            this.rings = rings;
            this.chosen = chosen;
        }
    }

    /**
     * Runs. Collective.
     *
     * @param known the number of rings that a profile proposes, 0 for none; the same on all ranks
     * @return the results, the same on all ranks but for times, which are rank 0's
     */
    public PowersReport run(int known) {
        try (HaloPlan plan = backend == null
                ? HaloPlan.of(matrix, settings.ringsOfPlan())
                : HaloPlan.of(matrix, settings.ringsOfPlan(), backend);
                Backend own = tuned && backend == null ? Backends.open("threads", oneThread()) : null;
                LinearOperator interior = tuned ? interior(plan, backend == null ? own : backend) : null) {
            StepProgram program = settings.start(plan, RowBounds.of(matrix), interior);
            List<Entry> entries = new ArrayList<>();
            for (int rings : settings.rings()) {
                entries.add(rings == PowersSettings.AUTO
                        ? new Entry(choose(plan, program, known), true)
                        : new Entry(rings, false));
            }
            measure(plan, program, entries);
            return new PowersReport(matrix.globalRows(), communicator.sum(matrix.rows().nonZeros()),
                    communicator.size(), job.describe(communicator, plan.transport()),
                    entries.stream().map(entry -> result(plan, entry)).toList(), choice,
                    backend == null ? null : DeviceTransports.of(backend).orElse(null));
        }
    }

    private static Configuration oneThread() {
        return Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    }

    /** A product of interior rows that finds out within the products of this run how they are multiplied best. */
    @MustBeClosed
    private static LinearOperator interior(HaloPlan plan, Backend backend) {
        CsrMatrix rows = InteriorRows.of(plan);
        return TunedSpmvOperator.prepare(backend, rows, new Advisor(backend, List.of()).advise(rows),
                TuningSettings.DEFAULT);
    }

    /** The model proposes, steps of the program decide; both only if no profile knows. */
    private int choose(HaloPlan plan, StepProgram program, int known) {
        if (known > 0 && known <= plan.rings()) {
            choice = new PowersReport.Choice(known, null, List.of(), 0);
            return known;
        }
        RingModel model = program.model();
        RingTuner tuner = new RingTuner(plan, model);
        program.tunedBy(tuner);
        long steps = 0;
        while (!tuner.isFinished()) {
            program.begin();
            program.run(settings.steps());
            steps += settings.steps();
        }
        program.tunedBy(null);
        choice = new PowersReport.Choice(tuner.rings(), model, tuner.trials(), steps);
        return tuner.rings();
    }

    private void measure(HaloPlan plan, StepProgram program, List<Entry> entries) {
        double warmUp = Math.min(settings.seconds(), 1) / 4;
        for (Entry entry : entries) {
            turn(plan, program, entry, warmUp, 1);
            entry.samples.clear();
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Entry entry : entries) {
                turn(plan, program, entry, settings.seconds() / ROUNDS, Math.ceilDiv(LEAST_PASSES, ROUNDS));
            }
        }
    }

    private void turn(HaloPlan plan, StepProgram program, Entry entry, double seconds, int least) {
        plan.useRings(entry.rings);
        double[] took = {0};
        double spent = 0;
        for (int pass = 0; pass < least || spent < seconds; pass++) {
            program.begin();
            plan.synchronize();
            long exchanges = plan.exchanges();
            long messages = messages(plan);
            communicator.barrier();
            long began = System.nanoTime();
            program.run(settings.steps());
            plan.synchronize();
            communicator.barrier();
            took[0] = (System.nanoTime() - began) / 1e9;
            communicator.allReduce(Reduction.MAX, took);
            spent += took[0];
            entry.samples.add(took[0] / settings.steps());
            entry.passes++;
            entry.exchanges += plan.exchanges() - exchanges;
            entry.messages += messages(plan) - messages;
        }
        entry.checksum = checksum(program);
    }

    private static long messages(HaloPlan plan) {
        long sum = 0;
        for (int i = 0; i < plan.sends().size(); i++) {
            sum += plan.messages(i);
        }
        return sum;
    }

    private static long checksum(StepProgram program) {
        HostVector whole = program.result().gather(0);
        return whole.precision() == Precision.F64 ? Arrays.hashCode(whole.doubles()) : Arrays.hashCode(whole.floats());
    }

    private PowersReport.Rings result(HaloPlan plan, Entry entry) {
        HaloStatistics statistics = plan.statistics();
        long elements = plan.sends().stream().mapToLong((SendList list) -> list.offsets()[entry.rings]).sum();
        long exchanges = entry.exchanges / entry.passes;
        long redundant = 0;
        for (int step = 0; step < settings.steps(); step++) {
            // Steps since the last exchange: so many rings are used up.
            for (int ring = 1; ring < entry.rings - step % entry.rings; ring++) {
                redundant += statistics.ringNonZeros()[ring - 1];
            }
        }
        long[] sums = {entry.messages / entry.passes, exchanges * elements * plan.precision().bytes(), redundant,
            settings.steps() * statistics.ownedNonZeros()};
        communicator.allReduce(Reduction.SUM, sums);
        SampleStatistics times =
                SampleStatistics.of(entry.samples.stream().mapToDouble(Double::doubleValue).toArray());
        return new PowersReport.Rings(entry.rings, entry.chosen, times.median(), times.minimum(), exchanges, sums[0],
                sums[1], (double) sums[2] / Math.max(1, sums[3]), entry.checksum & 0xFFFF_FFFFL);
    }
}
