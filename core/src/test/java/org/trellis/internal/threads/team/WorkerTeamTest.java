package org.trellis.internal.threads.team;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The team runs every unit once, whatever the number of threads, and passes failures on. */
final class WorkerTeamTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void runsEveryUnitOnce(int threads) {
        try (WorkerTeam team = new WorkerTeam(threads)) {
            assertEquals(threads, team.size());
            for (int count : new int[]{0, 1, 2, 5, 64, 1000}) {
                int[] runs = new int[count];
                for (int repetition = 0; repetition < 50; repetition++) {
                    team.run(count, unit -> runs[unit]++);
                }
                int[] expected = new int[count];
                Arrays.fill(expected, 50);
                assertArrayEquals(expected, runs, count + " units on " + threads + " threads");
            }
        }
    }

    @Test
    void wakesThreadsThatHaveGoneToSleep() throws InterruptedException {
        try (WorkerTeam team = new WorkerTeam(2)) {
            for (int repetition = 0; repetition < 3; repetition++) {
                TimeUnit.MILLISECONDS.sleep(5);
                Set<Thread> seen = ConcurrentHashMap.newKeySet();
                CountDownLatch both = new CountDownLatch(2);
                team.run(2, unit -> {
                    seen.add(Thread.currentThread());
                    both.countDown();
                    await(both);
                });
                assertEquals(2, seen.size());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void passesFailuresOnAndGoesOnWorking(int failing) {
        try (WorkerTeam team = new WorkerTeam(3)) {
            CountDownLatch all = new CountDownLatch(3);
            ArithmeticException e = assertThrows(ArithmeticException.class, () -> team.run(3, unit -> {
                all.countDown();
                await(all);
                if (unit == failing) {
                    throw new ArithmeticException("unit " + unit);
                }
            }));
            assertEquals("unit " + failing, e.getMessage());
            boolean[] done = new boolean[9];
            team.run(9, unit -> done[unit] = true);
            for (boolean unit : done) {
                assertTrue(unit);
            }
        }
    }

    @Test
    void refusesASecondCaller() throws InterruptedException {
        try (WorkerTeam team = new WorkerTeam(2)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            team.run(1, outer -> {
                Thread other = new Thread(() -> team.run(1, unit -> {}));
                other.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
                other.start();
                join(other);
            });
            assertTrue(thrown.get() instanceof IllegalStateException, () -> "thrown: " + thrown.get());
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesToWorkWhenClosed() {
        WorkerTeam team = new WorkerTeam(2);
        team.close();
        team.close();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> team.run(1, unit -> {}));
        assertEquals("worker team is closed", e.getMessage());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS), "all units run at once");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
