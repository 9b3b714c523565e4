package org.trellis.bench;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;

/** The entry point of the command line {@code trellis}. */
public final class Main {
    /** Set by the launcher to the process that passes on what comes on the standard error. */
    private static final String READER = "TRELLIS_STANDARD_ERROR_READER";
    private static final long MOST_SECONDS = 5;

    private Main() {}

    /**
     * Runs a command and ends the JVM with its exit code.
     *
     * @param arguments the command and its arguments
     */
    public static void main(String[] arguments) {
        int code = TrellisCommand.run(Console.ofProcess(), arguments);
        String reader = System.getenv(READER);
        if (reader != null) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> waitFor(Long.parseLong(reader))));
        }
        System.exit(code);
    }

    /** Closes the standard error and waits until all of it has been passed on. */
    private static void waitFor(long reader) {
        System.err.flush();
        try (FileOutputStream errors = new FileOutputStream(FileDescriptor.err)) {
            errors.flush();
        } catch (IOException e) {
            return; // No reader is left to pass anything on.
        }
        ProcessHandle.of(reader).ifPresent(process -> {
            try {
                process.onExit().get(MOST_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // The rest comes a moment after the command.
            }
        });
    }
}
