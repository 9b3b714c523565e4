package org.trellis.bench.adapters.ejml;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.List;
import org.ejml.concurrency.EjmlConcurrency;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.ops.DConvertMatrixStruct;
import org.ejml.ops.MatrixIO;
import org.trellis.backend.Availability;
import org.trellis.bench.adapters.Libraries;
import org.trellis.bench.adapters.TextFiles;
import org.trellis.bench.adapters.Versions;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * EJML, whose sparse matrices have compressed columns. Its product is measured on the matrix and, as {@code xᵀ Aᵀ}, on
 * the transpose, whose columns are the rows; each by one thread and by its concurrent classes.
 */
public final class EjmlPeer implements Peer {
    /** Creates the adapter. */
    public EjmlPeer() {}

    @Override
    public String name() {
        return "ejml";
    }

    @Override
    public String version() {
        return Versions.of("ejml");
    }

    @Override
    public Availability probe() {
        return Libraries.probe("EJML " + version(), "org.ejml.data.DMatrixSparseCSC",
                "org.ejml.sparse.csc.mult.MatrixVectorMult_DSCC",
                "org.ejml.sparse.csc.mult.MatrixVectorMult_FSCC");
    }

    @Override
    public boolean runsInJava() {
        return true;
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        List<PeerVariant> sequential = List.of(new PeerVariant("columns", 1), new PeerVariant("rows", 1));
        return threads == 1
                ? sequential
                : List.of(sequential.get(0), sequential.get(1), new PeerVariant("columns-concurrent", threads),
                        new PeerVariant("rows-concurrent", threads));
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        EjmlConcurrency.setMaxThreads(variant.threads());
        return x.precision() == Precision.F64
                ? EjmlDoubleProducts.prepare(variant.name(), matrix, x)
                : EjmlFloatProducts.prepare(variant.name(), matrix, x);
    }

    @Override
    public boolean multipliesMatrices(Precision precision) {
        return precision == Precision.F64;
    }

    @Override
    public TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        EjmlConcurrency.setMaxThreads(threads);
        return new EjmlMatrixProduct(factors, threads);
    }

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public long read(Path file) throws IOException {
        try (Reader reader = TextFiles.open(file)) {
            DMatrixSparseCSC matrix = DConvertMatrixStruct.convert(MatrixIO.loadMatrixMarketDSTR(reader),
                    (DMatrixSparseCSC) null);
            return matrix.getNonZeroLength();
        }
    }
}
