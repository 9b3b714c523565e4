package org.trellis.bench.adapters.ojalgo;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.ojalgo.matrix.store.R064CSC;
import org.ojalgo.matrix.store.R064CSR;
import org.ojalgo.matrix.store.R064Store;
import org.trellis.backend.Availability;
import org.trellis.bench.adapters.HeapProduct;
import org.trellis.bench.adapters.Libraries;
import org.trellis.bench.adapters.Versions;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * ojAlgo with its compressed rows and columns, the latter also on the transpose. It has compressed matrices in double
 * precision only, multiplies by one thread, and does not read Matrix Market files.
 */
public final class OjAlgoPeer implements Peer {
    /** Creates the adapter. */
    public OjAlgoPeer() {}

    @Override
    public String name() {
        return "ojalgo";
    }

    @Override
    public String version() {
        return Versions.of("ojalgo");
    }

    @Override
    public Availability probe() {
        return Libraries.probe("ojAlgo " + version(), "org.ojalgo.matrix.store.R064CSR");
    }

    @Override
    public boolean runsInJava() {
        return true;
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        return precision == Precision.F64
                ? List.of(new PeerVariant("rows", 1), new PeerVariant("columns", 1),
                        new PeerVariant("columns-of-transpose", 1))
                : List.of();
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        return switch (variant.name()) {
            case "rows" -> rows(matrix, x.doubles().clone());
            case "columns" -> columns(matrix, x.doubles().clone());
            case "columns-of-transpose" -> transposed(matrix, x.doubles().clone());
            default -> throw new IllegalArgumentException("ojAlgo has no variant '" + variant.name() + "'");
        };
    }

    private static TimedProduct rows(CsrMatrix matrix, double[] x) {
        R064CSR.Builder builder = R064CSR.newBuilder(matrix.rows(), matrix.columns());
        matrix.forEachEntry((row, column, value) -> builder.set(row, column, value));
        R064CSR own = builder.build();
        R064Store ownX = R064Store.FACTORY.column(x);
        R064Store ownY = R064Store.FACTORY.make(matrix.rows(), 1);
        return product(() -> own.multiply(ownX, ownY), ownY.data, matrix);
    }

    private static TimedProduct columns(CsrMatrix matrix, double[] x) {
        R064CSC.Builder builder = R064CSC.newBuilder(matrix.rows(), matrix.columns());
        matrix.forEachEntry((row, column, value) -> builder.set(row, column, value));
        R064CSC own = builder.build();
        double[] y = new double[matrix.rows()];
        return product(() -> R064CSC.multiply(y, own, x), y, matrix);
    }

    private static TimedProduct transposed(CsrMatrix matrix, double[] x) {
        R064CSC.Builder builder = R064CSC.newBuilder(matrix.columns(), matrix.rows());
        matrix.forEachEntry((row, column, value) -> builder.set(column, row, value));
        R064CSC own = builder.build();
        double[] y = new double[matrix.rows()];
        return product(() -> R064CSC.multiply(y, x, own), y, matrix);
    }

    private static TimedProduct product(Runnable run, double[] y, CsrMatrix matrix) {
        return new HeapProduct(run, () -> HostVector.of(y.clone()), matrix.storedBytes());
    }
}
