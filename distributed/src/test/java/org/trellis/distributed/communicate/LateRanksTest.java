package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.distributed.testing.ErraticCommunicator;
import org.trellis.distributed.testing.RankPrograms;
import org.trellis.distributed.testing.RankPrograms.Program;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/**
 * Every place where a rank waits for others, with one rank that is late at random places, dies at one, or never comes
 * there: all end, with what ranks in time have, or with a sentence that names the rank. Programs run at the same time,
 * for most of theirs they wait.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LateRanksTest {
    private static final int RANKS = 3;
    private static final int AT_ONCE = 16;
    private static final Duration LONG = Duration.ofSeconds(60);
    /** How long others wait for a rank that never comes, at first: twice as long where a rank that works came late. */
    private static final Duration SHORT = Duration.ofSeconds(3);
    /** For each program, places where a rank dies. */
    private static final int DEATHS = TestLength.cases(1, 2);

    @TempDir
    private Path folder;

    /** What a rank dies of. */
    private static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Died() {
            super("no more ink");
        }
    }

    /** A check of one program. */
    private interface Check {
        void run(String name, Maker maker);
    }

    /** Makes a program anew, with a folder of its own. */
    private interface Maker {
        Program make();
    }

    /** The programs, those of the contract among them. */
    private Map<String, Maker> programs() {
        Map<String, Maker> makers = new LinkedHashMap<>();
        for (String name : CommunicatorContract.names()) {
            makers.put(name, () -> communicator -> {
                CommunicatorContract.check(name, communicator);
                return new double[0];
            });
        }
        for (String name : RankPrograms.all(folder).keySet()) {
            makers.put(name, () -> {
                try {
                    return RankPrograms.all(Files.createTempDirectory(folder, "run")).get(name);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return makers;
    }

    private Stream<DynamicTest> each(Check check) {
        List<DynamicTest> tests = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        programs().forEach((name, maker) -> {
            Future<?> done = pool.submit(() -> check.run(name, maker));
            tests.add(DynamicTest.dynamicTest(name, () -> {
                try {
                    done.get();
                } catch (ExecutionException e) {
                    throw e.getCause();
                }
            }));
        });
        pool.shutdown();
        return tests.stream();
    }

    /** Runs a program of which one rank does something before each of its calls. */
    private static double[] run(Program program, Duration patience, int rank, Runnable before) {
        return ThreadRanks.run(RANKS, patience, communicator -> program.run(communicator.rank() == rank
                ? ErraticCommunicator.of(communicator, before)
                : communicator)).getFirst();
    }

    @TestFactory
    Stream<DynamicTest> lateRanksChangeNothing() {
        return each((name, maker) -> {
            SplittableRandom random = TestSeed.random("late " + name);
            double[] expected = run(maker.make(), LONG, 0, () -> {});
            int late = random.nextInt(RANKS);
            double[] found = delayed(maker.make(), late, random);
            // bits are alike but where a method is chosen by its times
            assertArrayEquals(expected, found, name.contains("auto") ? 1e-6 : 0,
                    name + " with rank " + late + " late, seed " + TestSeed.value());
        });
    }

    private static double[] delayed(Program program, int late, SplittableRandom random) {
        return ThreadRanks.run(RANKS, LONG, communicator -> program.run(communicator.rank() == late
                ? ErraticCommunicator.of(communicator, random, 60)
                : communicator)).getFirst();
    }

    /** Counts the calls of a rank, and does something from one of them on. */
    private static final class Turn implements Runnable {
        private final long call;
        private final Runnable action;
        private long calls;
        private volatile boolean reached;

        Turn(long call, Runnable action) {
            this.call = call;
            this.action = action;
        }

        @Override
        public void run() {
            if (calls++ >= call) {
                reached = true;
                action.run();
            }
        }
    }

    /** Runs a program until a rank has come to a call, of which there are more or fewer where times decide. */
    private static JobFailedException failure(String name, Maker maker, Duration patience, int rank,
            SplittableRandom random, Runnable action) {
        Turn all = new Turn(Long.MAX_VALUE, action);
        run(maker.make(), LONG, rank, all);
        if (all.calls == 0) {
            return null;
        }
        long call = random.nextLong(all.calls);
        Duration wait = patience;
        while (true) {
            Turn turn = new Turn(call, action);
            Program program = maker.make();
            try {
                run(program, wait, rank, turn);
                assertTrue(call > 0 && !turn.reached,
                        name + " went on without call " + call + " of rank " + rank + ", seed " + TestSeed.value());
                call /= 2;
            } catch (JobFailedException e) {
                if (turn.reached) {
                    return e;
                }
                // On a busy machine a rank that works may keep others waiting for too long.
                assertTrue(wait.compareTo(LONG) < 0,
                        name + " failed before call " + call + " of rank " + rank + ": " + e);
                wait = wait.multipliedBy(2);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> ranksThatDieEndAll() {
        return each((name, maker) -> {
            SplittableRandom random = TestSeed.random("dead " + name);
            for (int death = 0; death < DEATHS; death++) {
                int rank = random.nextInt(RANKS);
                JobFailedException failure = failure(name, maker, LONG, rank, random, () -> {
                    throw new Died();
                });
                if (failure != null) {
                    String text = failure.getMessage();
                    // one check of the contract looks at exceptions itself
                    assertTrue(text.contains("rank " + rank) && (text.contains("no more ink")
                            || text.contains(Died.class.getSimpleName())), name + ": " + text);
                    assertTrue(!text.contains("still runs"), name + ": " + text);
                }
            }
        });
    }

    private static final Pattern WAITED = Pattern.compile("waited \\d+ s for rank \\d+, expected that to be enough "
            + "\\(trellis.distributed.timeout\\)(; .* waits for rank \\d+)*; rank (\\d+) waits for none");

    @TestFactory
    Stream<DynamicTest> ranksThatNeverComeAreNamed() {
        return each((name, maker) -> {
            SplittableRandom random = TestSeed.random("lost " + name);
            int rank = random.nextInt(RANKS);
            JobFailedException failure = failure(name, maker, SHORT, rank, random, () -> {
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.park(name);
                }
                throw new Died();
            });
            if (failure != null) {
                Matcher waited = WAITED.matcher(failure.getMessage());
                assertTrue(waited.find(), name + ": " + failure.getMessage());
                assertEquals(rank, Integer.parseInt(waited.group(2)), name + ": " + failure.getMessage());
            }
        });
    }

    @Test
    void ranksThatWaitForEachOtherAreNamed() {
        JobFailedException failure = assertThrows(JobFailedException.class,
                () -> ThreadRanks.run(2, Duration.ofMillis(300), communicator -> {
                    ReceiveChannel in = communicator.receiveFrom(1 - communicator.rank(), 4, 8);
                    in.start();
                    in.await();
                    return null;
                }));
        String waits = "rank 1 to rank 0 .* waited 300 ms for rank 1.*; .*rank 0 to rank 1 with tag 4 waits for rank 0|"
                + "rank 0 to rank 1 .* waited 300 ms for rank 0.*; .*rank 1 to rank 0 with tag 4 waits for rank 1";
        assertTrue(Pattern.compile(waits).matcher(failure.getMessage()).find(), failure.getMessage());
    }

    /** A call of a library that does not return is ended by what the caller has for that. */
    @Test
    void watchedCallsAreEnded() {
        Thread caller = Thread.currentThread();
        AtomicBoolean ended = new AtomicBoolean();
        WatchedCall.run(Duration.ofMillis(50), () -> {
            while (!ended.get()) {
                LockSupport.park("library");
            }
        }, () -> {
            ended.set(true);
            LockSupport.unpark(caller);
        });
        WatchedCall.run(LONG, () -> {}, () -> {
            throw new AssertionError("not too long");
        });
        assertTrue(ended.get());
    }
}
