package org.trellis.bench.peer;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import org.trellis.bench.measure.Contender;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A peer that takes part in a measurement.
 *
 * @param peer      the library
 * @param variant   the way it computes
 * @param precision the type of the values
 */
public record PeerContender(Peer peer, PeerVariant variant, Precision precision) implements Contender {
    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public Map<String, Object> parameters() {
        return Map.of("variant", variant.name());
    }

    @Override
    public int threads() {
        return variant.threads();
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(CsrMatrix matrix, HostVector x) {
        return peer.prepare(variant, matrix, x);
    }
}
