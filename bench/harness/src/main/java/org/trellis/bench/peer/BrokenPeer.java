package org.trellis.bench.peer;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Locale;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A peer that could not even be created, so that it can be named with the reason.
 *
 * @param name   its name, as far as it is known
 * @param reason what went wrong
 */
record BrokenPeer(String name, String reason) implements Peer {
    /** By the name of its class, such as {@code EjmlPeer}. */
    static String nameOf(Class<?> type) {
        return type.getSimpleName().replaceFirst("Peer$", "").toLowerCase(Locale.ROOT);
    }

    @Override
    public String version() {
        return "unknown";
    }

    @Override
    public Availability probe() {
        return Availability.no(reason);
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        return List.of();
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        throw new IllegalStateException("peer '" + name + "' cannot be used here: " + reason);
    }
}
