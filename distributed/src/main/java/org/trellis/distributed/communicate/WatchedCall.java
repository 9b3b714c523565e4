package org.trellis.distributed.communicate;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Calls of a library that wait for other processes, for as long as these take, and cannot be ended from within: another
 * thread watches that they return in time.
 */
final class WatchedCall {
    private WatchedCall() {}

    /**
     * Makes a call, on this thread.
     *
     * @param limit   how long it may take
     * @param call    the call
     * @param tooLong ends this process, with a message; run by another thread, once, while the call still waits
     */
    static void run(Duration limit, Runnable call, Runnable tooLong) {
        CountDownLatch done = new CountDownLatch(1);
        Thread watch = new Thread(() -> {
            try {
                if (!done.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                    tooLong.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "trellis-mpi-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            call.run();
        } finally {
            done.countDown();
        }
    }
}
