package org.trellis.bench.adapters.smile;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import org.trellis.backend.Availability;
import org.trellis.bench.adapters.CompressedArrays;
import org.trellis.bench.adapters.HeapProduct;
import org.trellis.bench.adapters.Libraries;
import org.trellis.bench.adapters.Versions;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import smile.math.blas.Transpose;
import smile.math.matrix.DMatrix;
import smile.math.matrix.FloatSparseMatrix;
import smile.math.matrix.SparseMatrix;

/**
 * Smile, whose sparse matrices have compressed columns. Its product is measured on the matrix and, transposed, on the
 * transpose, whose columns are the rows. It multiplies by one thread.
 */
public final class SmilePeer implements Peer {
    /** Creates the adapter. */
    public SmilePeer() {}

    @Override
    public String name() {
        return "smile";
    }

    @Override
    public String version() {
        return Versions.of("smile");
    }

    @Override
    public Availability probe() {
        return Libraries.probe("Smile " + version(), "smile.math.matrix.SparseMatrix",
                "smile.math.matrix.FloatSparseMatrix", "org.slf4j.Logger");
    }

    @Override
    public boolean runsInJava() {
        return true;
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        return List.of(new PeerVariant("columns", 1), new PeerVariant("rows", 1));
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        boolean byRows = variant.name().equals("rows");
        CompressedArrays arrays = CompressedArrays.of(byRows ? matrix : matrix.transpose());
        Transpose transpose = byRows ? Transpose.TRANSPOSE : Transpose.NO_TRANSPOSE;
        int rows = byRows ? matrix.columns() : matrix.rows();
        int columns = byRows ? matrix.rows() : matrix.columns();
        return x.precision() == Precision.F64
                ? doubles(arrays, rows, columns, transpose, x, matrix.rows())
                : floats(arrays, rows, columns, transpose, x, matrix.rows());
    }

    private static TimedProduct doubles(CompressedArrays arrays, int rows, int columns, Transpose transpose,
            HostVector x, int length) {
        SparseMatrix own = new SparseMatrix(rows, columns, arrays.values().doubles(), arrays.indices(),
                arrays.offsets());
        double[] ownX = x.doubles().clone();
        double[] y = new double[length];
        return new HeapProduct(() -> own.mv(transpose, 1, ownX, 0, y), () -> HostVector.of(y.clone()),
                arrays.bytes());
    }

    private static TimedProduct floats(CompressedArrays arrays, int rows, int columns, Transpose transpose,
            HostVector x, int length) {
        FloatSparseMatrix own = new FloatSparseMatrix(rows, columns, arrays.values().floats(), arrays.indices(),
                arrays.offsets());
        float[] ownX = x.floats().clone();
        float[] y = new float[length];
        return new HeapProduct(() -> own.mv(transpose, 1, ownX, 0, y), () -> HostVector.of(y.clone()),
                arrays.bytes());
    }

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public long read(Path file) throws IOException {
        if (file.toString().endsWith(".gz")) {
            throw new IOException(file + ": Smile does not read compressed files");
        }
        try {
            DMatrix matrix = DMatrix.market(file);
            if (matrix instanceof SparseMatrix sparse) {
                return sparse.size();
            }
            return (long) matrix.nrows() * matrix.ncols();
        } catch (ParseException e) {
            throw new IOException(file + ": Smile does not understand it: " + e.getMessage(), e);
        }
    }
}
