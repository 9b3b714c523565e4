package org.trellis.bench.peer.process;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.Reading;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A peer that multiplies and reads in a process of its own, started when it first has to. Everything else happens in
 * this process.
 */
public final class SeparatePeer implements Peer, AutoCloseable {
    private final Peer peer;
    private PeerProcess process;

    /**
     * Creates the peer; starts nothing.
     *
     * @param peer a peer that {@link org.trellis.bench.peer.Peers#named} finds in the other process too
     */
    public SeparatePeer(Peer peer) {
        this.peer = peer;
    }

    /**
     * Sets peers apart that run in Java.
     *
     * @param peers any peers
     * @return those, in their order; to be closed by {@link #closeAll}
     */
    public static List<Peer> apart(List<Peer> peers) {
        return peers.stream().map(peer -> peer.runsInJava() ? new SeparatePeer(peer) : peer).toList();
    }

    /**
     * Names the peers that are measured in processes of their own.
     *
     * @param peers any peers
     * @return the names of those that are set apart
     */
    public static List<String> names(List<Peer> peers) {
        return peers.stream().filter(SeparatePeer.class::isInstance).map(Peer::name).toList();
    }

    /**
     * Ends the processes of peers that were set apart.
     *
     * @param peers any peers
     */
    public static void closeAll(List<Peer> peers) {
        for (Peer peer : peers) {
            if (peer instanceof SeparatePeer separate) {
                separate.close();
            }
        }
    }

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public String version() {
        return peer.version();
    }

    @Override
    public Availability probe() {
        return peer.probe();
    }

    @Override
    public boolean runsInJava() {
        return peer.runsInJava();
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        return peer.variants(precision, threads);
    }

    @Override
    public Optional<String> constraint(PeerVariant variant, CsrMatrix matrix) {
        return peer.constraint(variant, matrix);
    }

    /**
     * Sends the matrix to the other process, which prepares the product.
     *
     * @throws IllegalStateException if that process cannot be started, or the library fails there
     */
    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        return ProcessProduct.prepare(started(), out -> {
            out.writeUTF(variant.name());
            out.writeInt(variant.threads());
            Wire.write(matrix, out);
            Wire.write(x, out);
        });
    }

    @Override
    public boolean multipliesMatrices(Precision precision) {
        return peer.multipliesMatrices(precision);
    }

    /**
     * Sends the factors to the other process, which prepares the product.
     *
     * @throws IllegalStateException if that process cannot be started, or the library fails there
     */
    @Override
    public TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        return ProcessMatrixProduct.prepare(started(), out -> {
            out.writeInt(threads);
            out.writeInt(factors.size());
            for (CsrMatrix factor : factors) {
                Wire.write(factor, out);
            }
        });
    }

    @Override
    public boolean reads() {
        return peer.reads();
    }

    @Override
    public long read(Path file) throws IOException {
        return timeReading(file).entries();
    }

    /**
     * Has the file read by the other process.
     *
     * @throws IOException if that process cannot be started, or the library cannot read the file
     */
    @Override
    public Reading timeReading(Path file) throws IOException {
        try {
            return started().ask(Request.READ, out -> out.writeUTF(file.toAbsolutePath().toString()),
                    in -> new Reading(in.readLong(), in.readDouble()));
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @SuppressWarnings("MustBeClosed") // the process is closed with this
    private PeerProcess started() {
        if (process != null && !process.isAlive()) {
            close();
        }
        if (process == null) {
            process = PeerProcess.start(peer.name());
        }
        return process;
    }

    /** Returns the process, for tests; null before the first product. */
    PeerProcess process() {
        return process;
    }

    /** Ends the other process. Products in it are of no use any more. */
    @Override
    public void close() {
        if (process != null) {
            process.close();
            process = null;
        }
    }
}
