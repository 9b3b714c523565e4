package org.trellis.bench.adapters.ejml;

import com.google.errorprone.annotations.MustBeClosed;
import org.ejml.data.FGrowArray;
import org.ejml.data.FMatrixRMaj;
import org.ejml.data.FMatrixSparseCSC;
import org.ejml.sparse.csc.CommonOps_MT_FSCC;
import org.ejml.sparse.csc.mult.MatrixVectorMult_FSCC;
import org.trellis.bench.adapters.CompressedArrays;
import org.trellis.bench.adapters.HeapProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import pabeles.concurrency.GrowArray;

/** EJML's products in single precision. */
final class EjmlFloatProducts {
    private final FMatrixSparseCSC matrix;
    private final FMatrixRMaj x;
    private final FMatrixRMaj y;
    private final GrowArray<FGrowArray> workspace = new GrowArray<>(FGrowArray::new);

    private EjmlFloatProducts(FMatrixSparseCSC matrix, float[] x, int rows) {
        this.matrix = matrix;
        this.x = FMatrixRMaj.wrap(x.length, 1, x);
        this.y = new FMatrixRMaj(rows, 1);
    }

    @MustBeClosed
    static TimedProduct prepare(String variant, CsrMatrix matrix, HostVector x) {
        boolean byRows = variant.startsWith("rows");
        CompressedArrays arrays = CompressedArrays.of(byRows ? matrix : matrix.transpose());
        FMatrixSparseCSC ejml = byRows
                ? wrap(arrays, matrix.columns(), matrix.rows())
                : wrap(arrays, matrix.rows(), matrix.columns());
        EjmlFloatProducts products = new EjmlFloatProducts(ejml, x.floats().clone(), matrix.rows());
        Runnable run = switch (variant) {
            case "columns" -> products::columns;
            case "rows" -> products::rows;
            case "columns-concurrent" -> products::columnsConcurrent;
            case "rows-concurrent" -> products::rowsConcurrent;
            default -> throw new IllegalArgumentException("EJML has no variant '" + variant + "'");
        };
        return new HeapProduct(run, () -> HostVector.of(products.y.data.clone()), arrays.bytes());
    }

    private static FMatrixSparseCSC wrap(CompressedArrays arrays, int rows, int columns) {
        FMatrixSparseCSC result = new FMatrixSparseCSC(rows, columns, 0);
        result.col_idx = arrays.offsets();
        result.nz_rows = arrays.indices();
        result.nz_values = arrays.values().floats();
        result.nz_length = arrays.indices().length;
        result.indicesSorted = true;
        return result;
    }

    private void columns() {
        MatrixVectorMult_FSCC.mult(matrix, x.data, 0, y.data, 0);
    }

    private void rows() {
        MatrixVectorMult_FSCC.mult(x.data, 0, matrix, y.data, 0);
    }

    private void columnsConcurrent() {
        CommonOps_MT_FSCC.mult(matrix, x, y, workspace);
    }

    private void rowsConcurrent() {
        CommonOps_MT_FSCC.multTransA(matrix, x, y, workspace);
    }
}
