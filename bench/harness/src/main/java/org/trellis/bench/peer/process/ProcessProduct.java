package org.trellis.bench.peer.process;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.OptionalDouble;
import org.trellis.bench.measure.CacheFlush;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.memory.HostVector;

/** A product in another process, timed by that process. */
final class ProcessProduct implements TimedProduct {
    private final PeerProcess process;
    private final int number;
    private final double preparationSeconds;
    private final long preparedBytes;
    private final int linger;
    private boolean closed;

    private ProcessProduct(PeerProcess process, DataInputStream in) throws IOException {
        this.process = process;
        this.number = in.readInt();
        this.preparationSeconds = in.readDouble();
        this.preparedBytes = in.readLong();
        this.linger = in.readInt();
    }

    static ProcessProduct prepare(PeerProcess process, PeerProcess.Operands operands) {
        return process.ask(Request.PREPARE, operands, in -> new ProcessProduct(process, in));
    }

    @Override
    public void run() {
        seconds(1);
    }

    @Override
    public double seconds(int times) {
        return process.ask(Request.RUN, out -> {
            out.writeInt(number);
            out.writeInt(times);
        }, DataInputStream::readDouble);
    }

    @Override
    public double warmUp(double seconds) {
        return process.ask(Request.WARM_UP, out -> {
            out.writeInt(number);
            out.writeDouble(seconds);
        }, DataInputStream::readDouble);
    }

    @Override
    public void flush(CacheFlush flush) {
        if (flush.isNeeded()) {
            process.ask(Request.FLUSH, out -> {}, in -> true);
        }
    }

    @Override
    public long collections() {
        return process.ask(Request.COLLECTIONS, out -> {}, DataInputStream::readLong);
    }

    @Override
    public OptionalDouble preparationSeconds() {
        return OptionalDouble.of(preparationSeconds);
    }

    @Override
    public HostVector result() {
        return process.ask(Request.RESULT, out -> out.writeInt(number), Wire::readVector);
    }

    @Override
    public long preparedBytes() {
        return preparedBytes;
    }

    @Override
    public int lingerMilliseconds() {
        return linger;
    }

    @Override
    public void close() {
        if (!closed && process.isAlive()) {
            process.ask(Request.CLOSE, out -> out.writeInt(number), in -> true);
        }
        closed = true;
    }
}
