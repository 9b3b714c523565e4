package org.trellis.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Says in its exceptions which file was being written; the system's own say no more than "No space left on device". */
final class NamedOutput extends OutputStream {
    private final OutputStream output;
    private final Path file;

    NamedOutput(OutputStream output, Path file) {
        this.output = output;
        this.file = file;
    }

    private interface Step {
        void run() throws IOException;
    }

    @Override
    public void write(int value) throws IOException {
        named(() -> output.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        named(() -> output.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        named(output::flush);
    }

    @Override
    public void close() throws IOException {
        named(output::close);
    }

    private void named(Step step) throws IOException {
        try {
            step.run();
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            FileSystemException named = new FileSystemException(file.toString(), null, "writing failed: "
                    + (e.getMessage() == null ? e.toString() : e.getMessage()));
            named.initCause(e);
            throw named;
        }
    }
}
