package org.trellis.bench.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Standard output, and why it could not be written: the JDK's print streams keep only that something went wrong. */
final class ResultStream extends OutputStream {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    private final OutputStream output;
    private IOException failure;

    ResultStream(OutputStream output) {
        this.output = output;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[]{(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            output.write(bytes, offset, length);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        output.flush();
    }

    /** The first failure, or null if there was none. */
    IOException failure() {
        return failure;
    }

    /** Returns whether a failure came of a reader that has gone, the only one that a pipe knows. */
    boolean isClosedPipe() {
        return failure != null
                && (String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("pipe") || isPipe());
    }

    private static boolean isPipe() {
        try {
            return Files.isSymbolicLink(STANDARD_OUTPUT)
                    && Files.readSymbolicLink(STANDARD_OUTPUT).toString().startsWith("pipe:");
        } catch (IOException e) {
            // Not to be reported here: then the message decides.
            return false;
        }
    }
}
