package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Ranks that are threads: the contract, and every way in which a job can fail, which must never hang. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThreadRanksTest {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final Duration SHORT = Duration.ofMillis(300);

    @TestFactory
    Stream<DynamicTest> keepsTheContract() {
        List<DynamicTest> tests = new ArrayList<>();
        for (int ranks : new int[]{1, 2, 3, 5, 9}) {
            for (String name : CommunicatorContract.names()) {
                tests.add(DynamicTest.dynamicTest(name + ", " + ranks + " ranks", () -> ThreadRanks.run(ranks, LONG,
                        communicator -> {
                            CommunicatorContract.check(name, communicator);
                            return null;
                        })));
            }
        }
        return tests.stream();
    }

    @Test
    void resultsComeByRank() {
        assertEquals(List.of("0 of 3", "1 of 3", "2 of 3"),
                ThreadRanks.run(3, c -> c.rank() + " of " + c.size()));
    }

    @Test
    void rejectsNoRanks() {
        assertThrows(IllegalArgumentException.class, () -> ThreadRanks.run(0, c -> null));
        assertThrows(IllegalArgumentException.class, () -> ThreadRanks.run(1, Duration.ZERO, c -> null));
    }

    /** Runs a job that fails, and returns the message that all ranks and the caller got. */
    private static JobFailedException failureOf(int ranks, Duration patience, ThreadRanks.RankTask<Void> task,
            int... deadRanks) {
        ConcurrentHashMap<Integer, String> messages = new ConcurrentHashMap<>();
        JobFailedException failure = assertThrows(JobFailedException.class, () -> ThreadRanks.run(ranks, patience,
                communicator -> {
                    try {
                        task.run(communicator);
                    } catch (JobFailedException e) {
                        messages.put(communicator.rank(), e.getMessage());
                        throw e;
                    }
                    return null;
                }));
        assertEquals(ranks - deadRanks.length, messages.size(), () -> "got a message: " + messages);
        messages.values().forEach(message -> assertEquals(failure.getMessage(), message));
        return failure;
    }

    @Test
    void rankThatThrowsEndsAll() {
        IllegalStateException thrown = new IllegalStateException("no more ink");
        JobFailedException failure = failureOf(4, LONG, communicator -> {
            if (communicator.rank() == 2) {
                throw thrown;
            }
            communicator.barrier();
            return null;
        }, 2);
        assertSame(thrown, failure.getCause());
        assertEquals("the job of 4 ranks failed: rank 2 ended with java.lang.IllegalStateException: no more ink",
                failure.getMessage());
    }

    @Test
    void errorOfRankEndsThoseThatWaitForMessages() {
        JobFailedException failure = failureOf(3, LONG, communicator -> {
            if (communicator.rank() == 0) {
                throw new AssertionError("wrong");
            }
            ReceiveChannel in = communicator.receiveFrom(0, 0, 8);
            in.start();
            in.await();
            return null;
        }, 0);
        assertInstanceOf(AssertionError.class, failure.getCause());
    }

    @Test
    void rankThatEndsWhileOthersWaitForItsMessageFailsTheJob() {
        JobFailedException failure = failureOf(2, LONG, communicator -> {
            if (communicator.rank() == 1) {
                ReceiveChannel in = communicator.receiveFrom(0, 5, 80);
                in.start();
                in.await();
            }
            return null;
        }, 0);
        assertTrue(failure.getMessage().contains("rank 0 has ended, and the receiver of message 1 of 80 bytes of the "
                + "channel from rank 0 to rank 1 with tag 5 waits for it"), failure.getMessage());
    }

    @Test
    void rankThatEndsWhileOthersCallCollectivelyFailsTheJob() {
        JobFailedException failure = failureOf(3, LONG, communicator -> {
            if (communicator.rank() != 1) {
                communicator.allReduce(Reduction.SUM, new double[3]);
            }
            return null;
        }, 1);
        assertTrue(failure.getMessage().contains("rank 1 has ended, and rank "), failure.getMessage());
        assertTrue(failure.getMessage().contains("all-reduce of doubles by SUM of 3 elements"), failure.getMessage());
    }

    @Test
    void messageThatDoesNotComeInTimeFailsTheJob() {
        long began = System.nanoTime();
        JobFailedException failure = failureOf(2, SHORT, communicator -> {
            int other = 1 - communicator.rank();
            ReceiveChannel in = communicator.receiveFrom(other, 0, 8);
            in.start();
            in.await();
            return null;
        });
        assertTrue(failure.getMessage().contains("waited 300 ms for rank"), failure.getMessage());
        assertTrue(failure.getMessage().contains("trellis.distributed.timeout"), failure.getMessage());
        assertTrue(System.nanoTime() - began < 5_000_000_000L);
    }

    @Test
    void messageThatNobodyTakesFailsTheJob() {
        JobFailedException failure = failureOf(2, SHORT, communicator -> {
            if (communicator.rank() == 0) {
                SendChannel out = communicator.sendTo(1, 0, 8);
                out.start();
                out.await();
            }
            communicator.barrier();
            return null;
        });
        assertTrue(failure.getMessage().contains("waited 300 ms"), failure.getMessage());
    }

    @Test
    void collectivesOfDifferentSizesFailTheJob() {
        JobFailedException failure = failureOf(3, LONG, communicator -> {
            communicator.allReduce(Reduction.SUM, new double[communicator.rank() == 1 ? 4 : 3]);
            return null;
        });
        assertTrue(failure.getMessage().contains("rank 1 all-reduce of doubles by SUM of 4 elements"),
                failure.getMessage());
    }

    @Test
    void collectivesOfDifferentKindsFailTheJob() {
        JobFailedException failure = failureOf(2, LONG, communicator -> {
            if (communicator.rank() == 0) {
                communicator.barrier();
            } else {
                communicator.broadcast(1, new byte[3]);
            }
            return null;
        });
        assertEquals("the job of 2 ranks failed: ranks called different collective operations: rank 0 barrier, rank 1 "
                + "broadcast from rank 1", failure.getMessage());
    }

    @Test
    void differentReductionsFailTheJob() {
        JobFailedException failure = failureOf(2, LONG, communicator -> {
            communicator.allReduce(communicator.rank() == 0 ? Reduction.SUM : Reduction.MIN, new long[1]);
            return null;
        });
        assertTrue(failure.getMessage().contains("rank 1 all-reduce of longs by MIN of 1 elements"),
                failure.getMessage());
    }

    @Test
    void channelEndsOfDifferentSizesFailTheJob() {
        JobFailedException failure = failureOf(2, LONG, communicator -> {
            if (communicator.rank() == 0) {
                communicator.sendTo(1, 9, 16);
            } else {
                communicator.receiveFrom(0, 9, 24);
            }
            communicator.barrier();
            return null;
        });
        assertTrue(failure.getMessage().contains("channel from rank 0 to rank 1 with tag 9"), failure.getMessage());
        assertTrue(failure.getMessage().contains("16") && failure.getMessage().contains("24"), failure.getMessage());
    }

    @Test
    void abortEndsAll() {
        JobFailedException failure = failureOf(3, LONG, communicator -> {
            if (communicator.rank() == 1) {
                throw communicator.abort("the disk is full");
            }
            communicator.barrier();
            return null;
        });
        assertEquals("the job of 3 ranks failed: rank 1 aborted it: the disk is full", failure.getMessage());
    }

    @Test
    void rankThatDoesNotEndIsLeftBehindAndNamed() {
        JobFailedException failure = assertThrows(JobFailedException.class, () -> ThreadRanks.run(2, SHORT, c -> {
            if (c.rank() == 0) {
                throw new IllegalStateException("done for");
            }
            long until = System.nanoTime() + 3_000_000_000L;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return null;
        }));
        assertTrue(failure.getMessage().endsWith("; rank 1 still runs after 300 ms"), failure.getMessage());
    }

    @Test
    void closedCommunicatorRefuses() {
        ThreadRanks.run(1, communicator -> {
            communicator.close();
            communicator.close();
            assertThrows(IllegalStateException.class, communicator::barrier);
            assertThrows(IllegalStateException.class, () -> communicator.sum(1));
            return null;
        });
    }
}
