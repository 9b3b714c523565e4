package org.trellis.bench.peer.process;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A peer whose products run in a process of its own, started for the first of them. Everything else happens in this
 * process.
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
    @SuppressWarnings("MustBeClosed") // the process is closed with this
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        if (process != null && !process.isAlive()) {
            close();
        }
        if (process == null) {
            process = PeerProcess.start(peer.name());
        }
        return ProcessProduct.prepare(process, out -> {
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

    @Override
    public TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        return peer.prepareMatrixProduct(factors, threads);
    }

    @Override
    public boolean reads() {
        return peer.reads();
    }

    @Override
    public long read(Path file) throws IOException {
        return peer.read(file);
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
