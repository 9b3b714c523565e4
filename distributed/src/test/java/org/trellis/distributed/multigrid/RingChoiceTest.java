package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingContest;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;

/** Numbers of rings of levels: given, proposed, or chosen by the times of visits. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RingChoiceTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    private static final CsrMatrix MATRIX =
            MatrixSpec.parse("poisson2d:nx=18").generate(Precision.F64, ProgressListener.NONE);

    /** What is done with multigrid on each rank. */
    private interface Work<T> {
        T run(RankMultigrid multigrid, PartitionedMatrix matrix);
    }

    /** Two ranks, messages delayed by a millisecond; levels of 324 rows and fewer on both. */
    private static <T> List<T> onSlowRanks(RingChoice rings, Map<String, String> options, Work<T> work) {
        return ThreadRanks.run(2, inner -> {
            Communicator communicator = new DelayedCommunicator(inner, Duration.ofMillis(1), 1e9);
            int[] partOf = new int[MATRIX.rows()];
            Arrays.setAll(partOf, i -> 2 * i / partOf.length);
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, MATRIX, new Partition(partOf, 2));
            try (Backend backend = Backends.open("threads", ONE_THREAD);
                    RankMultigrid multigrid = RankMultigrid.of(matrix, null,
                            RankMultigridOptions.parse(options, rings).rowsPerRank(10), backend)) {
                return work.run(multigrid, matrix);
            }
        });
    }

    private static Map<String, String> degree(int degree) {
        return Map.of("coarse-rows", "10", "smoother", "chebyshev,kind=4,degree=" + degree);
    }

    private static double[] apply(RankMultigrid multigrid, PartitionedMatrix matrix) {
        HostVector z = matrix.vector(i -> 0);
        multigrid.apply(matrix.vector(i -> 1 + i % 7), z);
        return z.toDoubleArray();
    }

    /** Visits of a level from the second on are turns; they change nothing but times, and all ranks agree. */
    @Test
    void visitsDecide() {
        List<List<double[]>> expected = onSlowRanks(RingChoice.of(1), degree(4),
                (multigrid, matrix) -> List.of(apply(multigrid, matrix)));
        List<List<LevelRings>> found = onSlowRanks(RingChoice.TUNED, degree(4), (multigrid, matrix) -> {
            // One to warm up, four rounds of at most three numbers, four of two.
            for (int i = 0; i < 1 + 4 * 3 + 4 * 2; i++) {
                assertArrayEquals(expected.get(matrix.communicator().rank()).getFirst(), apply(multigrid, matrix));
            }
            multigrid.report();
            List<LevelRings> settled = multigrid.settleRings();
            for (LevelRings level : settled) {
                assertEquals(level.rings(), multigrid.rings(level.level()));
            }
            multigrid.refresh(matrix);
            assertEquals(settled, multigrid.settleRings(), "the choice outlives a refresh");
            assertEquals(settled.getFirst().rings(), multigrid.rings(0));
            return settled;
        });
        assertEquals(found.getFirst(), found.getLast());
        assertTrue(found.getFirst().size() > 1, found::toString);
        LevelRings finest = found.getFirst().getFirst();
        // With one ring a visit waits eight times for a millisecond, with four twice.
        assertEquals(4, finest.rings(), finest::toString);
        int turns = finest.trials().stream().mapToInt(trial -> trial.seconds().size()).sum();
        assertEquals(4 * finest.trials().size() + 8, turns, finest::toString);
        assertTrue(finest.trials().stream().anyMatch(trial -> trial.rings() == 1 && trial.leastSeconds() > 7e-3),
                finest::toString);
    }

    /** A program that ends early has the model's proposal, or what complete rounds have shown. */
    @Test
    void fewVisitsSettle() {
        onSlowRanks(RingChoice.TUNED, degree(2), (multigrid, matrix) -> {
            apply(multigrid, matrix);
            LevelRings untried = multigrid.settleRings().getFirst();
            assertEquals(2, untried.rings(), untried::toString);
            assertTrue(untried.trials().stream().allMatch(trial -> trial.seconds().isEmpty()), untried::toString);
            apply(multigrid, matrix);
            return assertDoesNotChange(multigrid, untried);
        });
        onSlowRanks(RingChoice.TUNED, degree(2), (multigrid, matrix) -> {
            for (int i = 0; i < 6; i++) {
                apply(multigrid, matrix);
            }
            LevelRings tried = multigrid.settleRings().getFirst();
            assertEquals(List.of(2, 1), tried.trials().stream().map(RingContest.Trial::rings).toList());
            assertTrue(tried.trials().stream().allMatch(trial -> trial.seconds().size() == 2), tried::toString);
            return assertDoesNotChange(multigrid, tried);
        });
    }

    private static Void assertDoesNotChange(RankMultigrid multigrid, LevelRings settled) {
        assertEquals(settled, multigrid.settleRings().getFirst());
        return null;
    }

    /** What a profile knows is used and not tried. */
    @Test
    void knownNumbersAreNotTried() {
        List<LevelRings> found = onSlowRanks(RingChoice.knowing(List.of(3)), degree(4), (multigrid, matrix) -> {
            for (int i = 0; i < 3; i++) {
                apply(multigrid, matrix);
            }
            return multigrid.settleRings();
        }).getFirst();
        assertEquals(new LevelRings(0, 3, List.of()), found.getFirst());
        assertTrue(found.get(1).trials().size() > 1, found::toString);
    }

    /** Three rings exchange as often as two for four products; a number that is slow by far is not tried. */
    @Test
    void candidatesSaveExchanges() {
        assertArrayEquals(new int[]{4, 1, 2}, RingChoice.candidates(new double[]{10, 7, 5, 4}, 4));
        assertArrayEquals(new int[]{1}, RingChoice.candidates(new double[]{1, 9, 9, 9}, 4));
        assertArrayEquals(new int[]{3, 1, 2}, RingChoice.candidates(new double[]{3, 1.4, 1.1}, 3));
        assertArrayEquals(new int[]{1}, RingChoice.candidates(new double[]{1}, 4));
    }

    @Test
    void turnsEndWithTheChoice() {
        ThreadRanks.run(1, communicator -> {
            RingContest contest = new RingContest(2, 1);
            assertEquals(2, contest.rings());
            for (int turn = 0; !contest.isFinished(); turn++) {
                assertTrue(turn < 16, contest::toString);
                contest.endTurn(contest.rings() == 2 ? 1 : 2, communicator);
            }
            assertEquals(2, contest.rings());
            assertEquals(List.of(8, 8), contest.trials().stream().map(trial -> trial.seconds().size()).toList());
            assertThrows(IllegalStateException.class, () -> contest.endTurn(1, communicator));
            RingContest halfway = new RingContest(2, 1);
            for (int turn = 0; turn < 11; turn++) {
                halfway.endTurn(halfway.rings() == 2 ? 1 : 2, communicator);
            }
            halfway.settle(communicator);
            assertEquals(List.of(5, 5), halfway.trials().stream().map(trial -> trial.seconds().size()).toList());
            assertEquals(2, halfway.rings());
            return null;
        });
    }

    @Test
    void wordsAndNumbersAreReadAndRefused() {
        assertEquals(RingChoice.AUTOMATIC, RingChoice.parse("auto"));
        assertEquals(RingChoice.TUNED, RingChoice.parse("tuned"));
        assertEquals(RingChoice.of(1, 2, 4), RingChoice.parse("1,2,4"));
        assertEquals(4, RingChoice.parse("1,2,4").given(7));
        assertEquals(0, RingChoice.knowing(List.of(2, 0, 3)).given(7));
        assertEquals(0, RingChoice.AUTOMATIC.given(0));
        for (String wrong : List.of("", "0", "two", "1,,2", "-1", "100")) {
            assertThrows(IllegalArgumentException.class, () -> RingChoice.parse(wrong), wrong);
        }
        assertThrows(IllegalArgumentException.class, () -> RingChoice.of(0));
        assertThrows(IllegalArgumentException.class, () -> RingChoice.knowing(List.of(-1)));
    }
}
