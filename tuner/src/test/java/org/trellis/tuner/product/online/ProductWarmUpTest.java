package org.trellis.tuner.product.online;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When a warm-up ends. */
class ProductWarmUpTest {
    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void waitsForWhatIsCompiledLate() {
        AtomicInteger runs = new AtomicInteger();
        long start = System.nanoTime();
        // slow for 0.25 s without getting faster, as loops of the Vector API are while they are being compiled
        ProductWarmUp.run(() -> {
            runs.incrementAndGet();
            sleep(System.nanoTime() - start < 250_000_000L ? 20 : 1);
        }, 0.4, 4);
        assertTrue(runs.get() > 50, "stopped after " + runs + " runs, before the fast ones came");
    }

    @Test
    void stopsAtTheLatestWhenItWasTold() {
        AtomicInteger runs = new AtomicInteger(64);
        ProductWarmUp.run(() -> sleep(runs.getAndDecrement()), 10, 0.3);
        assertTrue(runs.get() > 50, "went on for " + (64 - runs.get()) + " runs of some 60 ms");
    }

    @Test
    void runsAtLeastOnce() {
        AtomicInteger runs = new AtomicInteger();
        ProductWarmUp.run(runs::incrementAndGet, 1e-12, 1e-12);
        assertEquals(1, runs.get());
    }
}
