package org.trellis.distributed.powers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.RecordingCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.communicate.TimelineReport;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;

/** What ranks were at, as they note it themselves. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RankTimelineTest {
    private static final int STEPS = 12;

    private static PartitionedMatrix line(Communicator communicator, int n) {
        return PartitionedMatrix.generate(communicator, n, Precision.F64, (row, entries) -> {
            if (row > 0) {
                entries.add(row - 1, -1);
            }
            entries.add(row, 2.5);
            if (row < n - 1) {
                entries.add(row + 1, -1);
            }
        });
    }

    private static double[] products(Communicator communicator, int rings) {
        try (HaloPlan plan = HaloPlan.of(line(communicator, 90), rings)) {
            RingProduct product = new RingProduct(plan);
            RingVector[] vectors = {plan.vector(i -> i % 5), plan.vector()};
            for (int step = 0; step < STEPS; step++) {
                product.multiply(vectors[step % 2], vectors[1 - step % 2]);
            }
            return vectors[0].gather(0).toDoubleArray();
        }
    }

    /** Exact numbers of runs and messages, the waiting that a delay brings, and the bits of ranks without it. */
    @Test
    void countsMessagesAndFindsTheWaiting() {
        double[] plainly = ThreadRanks.run(3, communicator -> products(communicator, 3)).getFirst();
        List<double[]> found = new ArrayList<>();
        TimelineReport report = ThreadRanks.run(3, plain -> {
            RankTimeline timeline = RankTimeline.recording();
            Communicator late = new DelayedCommunicator(new RecordingCommunicator(plain, timeline),
                    Duration.ofMillis(2), 1e9);
            assertSame(timeline, late.timeline());
            plain.barrier();
            long origin = System.nanoTime();
            double[] result = products(late, 3);
            if (plain.rank() == 0) {
                found.add(result);
            }
            timeline.leave();
            late.sum(1);
            return TimelineReport.gather(plain, timeline, origin);
        }).getFirst();
        assertArrayEquals(plainly, found.getFirst());
        for (int rank = 0; rank < 3; rank++) {
            TimelineReport.Rank own = report.ranks().get(rank);
            int neighbours = rank == 1 ? 2 : 1;
            assertEquals(List.of("product, 1 ring", "product, 2 rings", "product, 3 rings"),
                    own.activities().stream().map(TimelineReport.Activity::name).toList());
            TimelineReport.Activity three = own.activities().getLast();
            assertEquals(STEPS, three.runs());
            assertEquals((long) STEPS / 3 * neighbours, three.messages());
            assertTrue(three.bytes() >= three.messages() * 3 * Double.BYTES, three::toString);
            // Four exchanges of two milliseconds, the interior of a few rows meanwhile.
            assertTrue(own.seconds(RankPhase.WAIT) > 4e-3, three::toString);
            assertTrue(own.seconds(RankPhase.INTERIOR) > 0 && own.seconds(RankPhase.BOUNDARY) > 0
                    && own.seconds(RankPhase.PACK) > 0, three::toString);
            assertEquals(0, own.seconds(RankPhase.REDUCE), "after leave() nothing is noted");
            assertTrue(own.seconds() >= own.seconds(RankPhase.WAIT));
        }
        TimelineReport.Iteration iteration = report.iteration();
        assertTrue(iteration.length() > 1e-3, iteration::toString);
        for (List<TimelineReport.Event> events : iteration.events()) {
            assertTrue(events.stream().anyMatch(event -> event.phase() == RankPhase.WAIT), events::toString);
            assertTrue(events.stream().allMatch(event -> event.begin() >= 0 && event.begin() <= event.end()
                    && event.end() <= iteration.length() + 1e-9), events::toString);
        }
        assertTrue(report.balance() > 0 && report.balance() <= 1);
    }

    @Test
    void nothingIsNotedWithoutOne() {
        ThreadRanks.run(1, communicator -> {
            RankTimeline off = communicator.timeline();
            assertFalse(off.isOn());
            assertEquals(0, off.begin());
            assertEquals(0, off.activity("anything"));
            off.enter(0);
            off.end(RankPhase.WAIT, off.begin());
            off.mark();
            off.leave();
            assertEquals("timeline that records nothing", off.toString());
            return null;
        });
    }

    /** Two all-reduces an iteration, which is what the model of ranks takes for granted; loops have names. */
    @Test
    void conjugateGradientsReduceTwice() {
        int iterations = 10;
        TimelineReport report = ThreadRanks.run(2, plain -> {
            RankTimeline timeline = RankTimeline.recording();
            long origin = System.nanoTime();
            Communicator communicator = new RecordingCommunicator(plain, timeline);
            PartitionedMatrix matrix = line(communicator, 300);
            Configuration one = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    Backend own = Backends.open("threads", one);
                    RankBackend backend = new RankBackend(communicator, own);
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver =
                            PartitionedSolver.prepare(SolverConfig.of("cg", "jacobi"), matrix, operator, backend)) {
                HostVector b = matrix.vector(i -> 1 + i % 5);
                solver.solve(b, matrix.vector(i -> 0), StoppingCriteria.relative(Double.MIN_NORMAL, iterations),
                        IterationObserver.NONE);
            }
            return TimelineReport.gather(plain, timeline, origin);
        }).getFirst();
        TimelineReport.Rank first = report.ranks().getFirst();
        TimelineReport.Activity residual = first.activities().stream()
                .filter(activity -> activity.name().contains("residual")).findFirst().orElseThrow();
        assertEquals(iterations, residual.runs());
        assertEquals(0, residual.messages());
        // Between two products in the middle: one reduction of each, and one of the new residual.
        List<TimelineReport.Event> events = first.events();
        List<Integer> marks = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).mark()) {
                marks.add(i);
            }
        }
        int middle = marks.size() / 2;
        assertEquals(2, events.subList(marks.get(middle), marks.get(middle + 1)).stream()
                .filter(event -> event.phase() == RankPhase.REDUCE).count());
    }

    /** More phases than are kept: sums go on, and nothing is allocated. */
    @Test
    void recordingAllocatesNothing() {
        RankTimeline timeline = RankTimeline.recording();
        int activity = timeline.activity("much");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 200_000; i++) {
            if (i == 1000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            timeline.enter(activity);
            timeline.mark();
            timeline.end(RankPhase.INTERIOR, timeline.begin());
        }
        assertTrue(threads.getCurrentThreadAllocatedBytes() - before < 1000);
        assertEquals(activity, timeline.activity("much"));
        assertTrue(timeline.toString().contains("600000 events in [much]"), timeline::toString);
    }

    /** Parts of a program have activities of their own, with the same names. */
    @Test
    void partsNameActivities() {
        RankTimeline timeline = RankTimeline.recording();
        int outside = timeline.activity("sweep");
        assertFalse(timeline.isNaming());
        timeline.naming("level 1");
        assertTrue(timeline.isNaming());
        int inside = timeline.activity("sweep");
        assertNotEquals(outside, inside);
        assertEquals(inside, timeline.activity("sweep"));
        timeline.naming("");
        assertEquals(outside, timeline.activity("sweep"));
        assertEquals(inside, timeline.activity("level 1: sweep"));
        RankTimeline.OFF.naming("level 1");
        assertFalse(RankTimeline.OFF.isNaming());
    }
}
