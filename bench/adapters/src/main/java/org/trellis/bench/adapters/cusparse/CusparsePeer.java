package org.trellis.bench.adapters.cusparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * cuSPARSE on the first GPU: each of its algorithms for compressed rows, with and without its preprocessing, and sliced
 * ELLPACK with slices of 32 rows. Matrix, vectors and work space are on the device before anything is timed.
 */
public final class CusparsePeer implements Peer {
    /** Creates the adapter. */
    public CusparsePeer() {}

    @Override
    public String name() {
        return "cusparse";
    }

    @Override
    public String version() {
        return CusparseLibrary.get().version();
    }

    @Override
    public Availability probe() {
        Availability cuda = Backends.providers().stream().filter(provider -> provider.name().equals("cuda")).findFirst()
                .map(BackendProvider::probe)
                .orElse(Availability.no("the cuda backend is not on the class path"));
        if (!cuda.available()) {
            return cuda;
        }
        try {
            return Availability.yes("cuSPARSE " + version());
        } catch (BackendUnavailableException e) {
            return Availability.no(e.getMessage());
        }
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        List<PeerVariant> variants = new ArrayList<>();
        for (CusparseAlgorithm algorithm : CusparseAlgorithm.values()) {
            if (!algorithm.preprocessed() || CusparseLibrary.get().preprocesses()) {
                variants.add(new PeerVariant(algorithm.label(), 1));
            }
        }
        return variants;
    }

    @Override
    public Optional<String> constraint(PeerVariant variant, CsrMatrix matrix) {
        if (matrix.segments().size() > 1) {
            return Optional.of("the matrix has " + matrix.nonZeros() + " non-zeros, expected fewer than 2^31");
        }
        return CusparseAlgorithm.of(variant.name()) == CusparseAlgorithm.SELL
                ? SlicedEll.objection(matrix.segments().getFirst().rowOffsets())
                : Optional.empty();
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        constraint(variant, matrix).ifPresent(reason -> {
            throw new IllegalArgumentException("cuSPARSE with " + variant.name() + ": " + reason);
        });
        return CusparseProduct.prepare(CusparseLibrary.get(), CusparseAlgorithm.of(variant.name()), matrix, x);
    }

    @Override
    public boolean multipliesMatrices(Precision precision) {
        return true;
    }

    @Override
    public TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        return CusparseMatrixProduct.of(CusparseLibrary.get(), factors);
    }
}
