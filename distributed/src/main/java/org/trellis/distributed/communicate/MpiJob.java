package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * What the communicators of one MPI process share: the library, how to wait, and how to end. A failure is logged and
 * ends all processes by {@code MPI_Abort}.
 */
final class MpiJob {
    private static final System.Logger LOGGER = System.getLogger(MpiJob.class.getName());
    private static final int EXIT_CODE = 1;
    /** How long a launcher has for reading a last message, in nanoseconds. */
    private static final long READING = 200_000_000L;
    /** How long a rank that has nothing to say waits for the one that does to end it. */
    private static final long GRACE = 5_000_000_000L;

    private final MpiLibrary library;
    private boolean devices;
    private final Backoff patience;
    private final MethodHandle test;
    private final MemorySegment flag = Arena.global().allocate(JAVA_INT);
    private final MemorySegment status;
    private int worldRank;
    private int worldSize;
    private volatile boolean over;

    MpiJob(MpiLibrary library, Backoff patience) {
        this.library = library;
        this.patience = patience;
        this.test = library.function("MPI_Test");
        this.status = Arena.global().allocate(library.abi().statusBytes(), Long.BYTES);
    }

    /** Says whether the library takes the memory of GPUs. */
    boolean takesDeviceMemory() {
        return devices;
    }

    void setTakesDeviceMemory(boolean wanted) {
        devices = wanted;
    }

    MpiLibrary library() {
        return library;
    }

    Backoff patience() {
        return patience;
    }

    MemorySegment status() {
        return status;
    }

    void setWorld(int rank, int size) {
        worldRank = rank;
        worldSize = size;
    }

    int worldSize() {
        return worldSize;
    }

    /** Says that the job has come to its end. */
    void finish() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Ends all processes with a message of this one; never returns normally. */
    JobFailedException fail(String message) {
        String text = failure(message);
        if (!over) {
            over = true;
            LOGGER.log(System.Logger.Level.ERROR, text);
            abort();
        }
        throw new JobFailedException(text);
    }

    /**
     * Ends all processes when this one ends although its task has not. The log is closed by then, so the message goes
     * straight to where a log goes that was not set up.
     */
    void endEarly() {
        over = true;
        String text = failure("rank " + worldRank + "'s process ended before its task did") + System.lineSeparator();
        try (FileOutputStream errors = new FileOutputStream(FileDescriptor.err)) {
            errors.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, text, e);
        }
        abort();
    }

    /** Ends all processes. Before that the launcher has time to pass on the message: it stops reading then. */
    private void abort() {
        LockSupport.parkNanos(READING);
        library.call("MPI_Abort", library.constant(MpiAbi.Constant.COMM_WORLD), EXIT_CODE);
    }

    /** Makes a call in which the library waits for other ranks, and ends all processes if it takes too long. */
    void within(String call, Duration limit, Runnable task) {
        WatchedCall.run(limit, task, () -> endWithin(this + " in " + call + " waited "
                + new Backoff(limit, worldSize) + " for the other ranks, expected that to be enough "
                + "(trellis.distributed.timeout)", worldSize));
    }

    /** Ends this process from within a call of the library that does not return; its launcher ends the others. */
    void endWithin(String message, int ranks) {
        over = true;
        String text = failure(message, ranks) + System.lineSeparator();
        try (FileOutputStream errors = new FileOutputStream(FileDescriptor.err)) {
            errors.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, text, e);
        }
        LockSupport.parkNanos(READING);
        Runtime.getRuntime().halt(EXIT_CODE);
    }

    private String failure(String message) {
        return failure(message, worldSize);
    }

    private static String failure(String message, int ranks) {
        return "the job of " + ranks + " ranks failed: " + message;
    }

    /** Lets another rank say why the job fails, and ends this process in case it does not. */
    JobFailedException failQuietly(String message) {
        long until = System.nanoTime() + GRACE;
        for (int round = 0; System.nanoTime() < until; round++) {
            patience.pause(round);
        }
        throw fail(message);
    }

    void check(int code, String function) {
        if (code != 0) {
            throw fail("rank " + worldRank + ": " + function + " returned " + library.errorText(code));
        }
    }

    /** Calls a function and checks its code. */
    void call(String function, Object... arguments) {
        check(library.call(function, arguments), function);
    }

    /**
     * Waits for a request.
     *
     * @param request where its handle is
     * @param what    what is waited for, for the message
     */
    void await(MemorySegment request, Object what) {
        long began = 0;
        for (int round = 0; !isComplete(request); round++) {
            if (patience.isTimeToLook(round)) {
                began = began == 0 ? System.nanoTime() : began;
                if (patience.isOver(began)) {
                    throw fail(what + " waited " + patience
                            + " in vain, expected that to be enough (trellis.distributed.timeout)");
                }
            }
            patience.pause(round);
        }
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    private boolean isComplete(MemorySegment request) {
        int code;
        try {
            code = (int) test.invokeExact(request, flag, status);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
        check(code, "MPI_Test");
        return flag.get(JAVA_INT, 0) != 0;
    }

    @Override
    public String toString() {
        return "rank " + worldRank + " of " + worldSize;
    }
}
