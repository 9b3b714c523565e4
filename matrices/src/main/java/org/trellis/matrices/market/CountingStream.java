package org.trellis.matrices.market;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read through it. */
final class CountingStream extends FilterInputStream {

    private final boolean owner;
    private long count;

    /**
     * Creates a stream.
     *
     * @param owner whether closing closes the other stream too
     */
    CountingStream(InputStream input, boolean owner) {
        super(input);
        this.owner = owner;
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count += next < 0 ? 0 : 1;
        return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = super.read(bytes, from, length);
        count += Math.max(0, read);
        return read;
    }

    @Override
    public void close() throws IOException {
        if (owner) {
            super.close();
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
