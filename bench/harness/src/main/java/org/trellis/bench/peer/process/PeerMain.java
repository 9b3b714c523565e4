package org.trellis.bench.peer.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.measure.CacheFlush;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Preparation;
import org.trellis.bench.measure.Reading;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.bench.peer.Peers;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** The main class of a process in which a peer computes. Requests come from the standard input, until it ends. */
public final class PeerMain {
    private static final int BUFFER = 1 << 16;
    /** What {@link DataOutputStream#writeUTF} takes in any language. */
    private static final int LONGEST_MESSAGE = 10_000;

    private final Peer peer;
    private final Map<Integer, TimedProduct> products = new HashMap<>();
    private final Map<Integer, TimedMatrixProduct> matrixProducts = new HashMap<>();
    private CacheFlush flush;
    private int next;

    private PeerMain(Peer peer) {
        this.peer = peer;
    }

    /**
     * Answers requests.
     *
     * @param arguments the name of the peer
     * @throws IOException if the process that measures is gone in the middle of a request
     */
    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, BUFFER));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, BUFFER));
        // What libraries print must not get into the answers.
        System.setOut(System.err);
        new PeerMain(Peers.named(arguments[0])).serve(in, out);
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        for (int request = in.read(); request >= 0; request = in.read()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            answer(Request.of(request), in, bytes, out);
            out.flush();
        }
    }

    // The peer is anybody's code: whatever it throws is its failure, and is reported.
    @SuppressWarnings("checkstyle:IllegalCatch")
    private void answer(Request request, DataInputStream in, ByteArrayOutputStream bytes, DataOutputStream out)
            throws IOException {
        try {
            answer(request, in, new DataOutputStream(bytes));
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            String message = e.getMessage() == null ? e.toString() : e.getMessage();
            out.writeBoolean(false);
            out.writeUTF(message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
            return;
        }
        out.writeBoolean(true);
        bytes.writeTo(out);
    }

    private void answer(Request request, DataInputStream in, DataOutputStream out) throws IOException {
        switch (request) {
            case PREPARE -> prepare(in, out);
            case RUN -> {
                TimedProduct product = product(in);
                out.writeDouble(product.seconds(in.readInt()));
            }
            case WARM_UP -> {
                TimedProduct product = product(in);
                out.writeDouble(product.warmUp(in.readDouble()));
            }
            case FLUSH -> {
                flush = flush == null ? new CacheFlush(MeasureSettings.Caches.FLUSHED) : flush;
                flush.run();
            }
            case RESULT -> Wire.write(product(in).result(), out);
            case COLLECTIONS -> out.writeLong(TimedProduct.collectionsHere());
            case CLOSE -> products.remove(in.readInt()).close();
            case PREPARE_MATRIX -> prepareMatrix(in, out);
            case RUN_MATRIX -> out.writeDouble(matrixProducts.get(in.readInt()).seconds());
            case MATRIX -> Wire.write(matrixProducts.get(in.readInt()).result(), out);
            case CLOSE_MATRIX -> matrixProducts.remove(in.readInt()).close();
            case READ -> read(Path.of(in.readUTF()), out);
        }
    }

    private void read(Path file, DataOutputStream out) throws IOException {
        // As the process that measures does before it reads: no contender pays for another's garbage.
        System.gc();
        Reading reading;
        try {
            reading = peer.timeReading(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        out.writeLong(reading.entries());
        out.writeDouble(reading.seconds());
    }

    /** All operands are read before anything can fail, so that the next request is found. */
    private void prepareMatrix(DataInputStream in, DataOutputStream out) throws IOException {
        int threads = in.readInt();
        List<CsrMatrix> factors = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            factors.add(Wire.readMatrix(in));
        }
        TimedMatrixProduct product = peer.prepareMatrixProduct(factors, threads);
        matrixProducts.put(next, product);
        out.writeInt(next++);
        out.writeInt(product.lingerMilliseconds());
    }

    private TimedProduct product(DataInputStream in) throws IOException {
        return products.get(in.readInt());
    }

    /** All operands are read before anything can fail, so that the next request is found. */
    @SuppressWarnings("MustBeClosed") // closed when that is asked for, or with the process
    private void prepare(DataInputStream in, DataOutputStream out) throws IOException {
        PeerVariant variant = new PeerVariant(in.readUTF(), in.readInt());
        CsrMatrix matrix = Wire.readMatrix(in);
        HostVector x = Wire.readVector(in);
        Preparation prepared = Preparation.of(() -> peer.prepare(variant, matrix, x));
        products.put(next, prepared.product());
        out.writeInt(next++);
        out.writeDouble(prepared.seconds());
        out.writeLong(prepared.product().preparedBytes());
        out.writeInt(prepared.product().lingerMilliseconds());
    }
}
