package org.trellis.bench.peer;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A peer whose library may be missing. It counts as available only if it can also report its version and its
 * variants; what goes wrong later is an exception of that peer's, never an error that ends the run.
 */
final class GuardedPeer implements Peer {
    private final Peer peer;
    private final String name;
    private Availability found;

    GuardedPeer(Peer peer) {
        this.peer = peer;
        this.name = peer.name();
    }

    /** A sentence about a class that could not be loaded or used. */
    static String reason(Throwable problem) {
        Throwable root = problem;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? "" : ": " + root.getMessage();
        return "its library is missing or does not fit (" + root.getClass().getSimpleName() + message + ")";
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return peer.version();
    }

    @Override
    public synchronized Availability probe() {
        if (found == null) {
            try {
                found = peer.probe();
                if (found.available()) {
                    peer.version();
                    peer.variants(Precision.F64, 1);
                }
            } catch (LinkageError | RuntimeException e) {
                // Some libraries wrap the errors of their loading.
                found = Availability.no(reason(e));
            }
        }
        return found;
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
        try {
            return peer.constraint(variant, matrix);
        } catch (LinkageError | RuntimeException e) {
            return Optional.of(reason(e));
        }
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        try {
            return peer.prepare(variant, matrix, x);
        } catch (LinkageError e) {
            throw new IllegalStateException(reason(e), e);
        }
    }

    @Override
    public boolean multipliesMatrices(Precision precision) {
        return peer.multipliesMatrices(precision);
    }

    @Override
    public TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        try {
            return peer.prepareMatrixProduct(factors, threads);
        } catch (LinkageError e) {
            throw new IllegalStateException(reason(e), e);
        }
    }

    @Override
    public boolean reads() {
        return peer.reads();
    }

    @Override
    public long read(Path file) throws IOException {
        try {
            return peer.read(file);
        } catch (LinkageError e) {
            throw new IOException(reason(e), e);
        }
    }
}
