package org.trellis.bench.adapters.ejml;

import com.google.errorprone.annotations.MustBeClosed;
import org.ejml.data.DGrowArray;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.sparse.csc.CommonOps_MT_DSCC;
import org.ejml.sparse.csc.mult.MatrixVectorMult_DSCC;
import org.trellis.bench.adapters.CompressedArrays;
import org.trellis.bench.adapters.HeapProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import pabeles.concurrency.GrowArray;

/** EJML's products in double precision. */
final class EjmlDoubleProducts {
    private final DMatrixSparseCSC matrix;
    private final DMatrixRMaj x;
    private final DMatrixRMaj y;
    private final GrowArray<DGrowArray> workspace = new GrowArray<>(DGrowArray::new);

    private EjmlDoubleProducts(DMatrixSparseCSC matrix, double[] x, int rows) {
        this.matrix = matrix;
        this.x = DMatrixRMaj.wrap(x.length, 1, x);
        this.y = new DMatrixRMaj(rows, 1);
    }

    @MustBeClosed
    static TimedProduct prepare(String variant, CsrMatrix matrix, HostVector x) {
        boolean byRows = variant.startsWith("rows");
        CompressedArrays arrays = CompressedArrays.of(byRows ? matrix : matrix.transpose());
        DMatrixSparseCSC ejml = byRows
                ? wrap(arrays, matrix.columns(), matrix.rows())
                : wrap(arrays, matrix.rows(), matrix.columns());
        EjmlDoubleProducts products = new EjmlDoubleProducts(ejml, x.doubles().clone(), matrix.rows());
        Runnable run = switch (variant) {
            case "columns" -> products::columns;
            case "rows" -> products::rows;
            case "columns-concurrent" -> products::columnsConcurrent;
            case "rows-concurrent" -> products::rowsConcurrent;
            default -> throw new IllegalArgumentException("EJML has no variant '" + variant + "'");
        };
        return new HeapProduct(run, () -> HostVector.of(products.y.data.clone()), arrays.bytes());
    }

    private static DMatrixSparseCSC wrap(CompressedArrays arrays, int rows, int columns) {
        DMatrixSparseCSC result = new DMatrixSparseCSC(rows, columns, 0);
        result.col_idx = arrays.offsets();
        result.nz_rows = arrays.indices();
        result.nz_values = arrays.values().doubles();
        result.nz_length = arrays.indices().length;
        result.indicesSorted = true;
        return result;
    }

    private void columns() {
        MatrixVectorMult_DSCC.mult(matrix, x.data, 0, y.data, 0);
    }

    private void rows() {
        MatrixVectorMult_DSCC.mult(x.data, 0, matrix, y.data, 0);
    }

    private void columnsConcurrent() {
        CommonOps_MT_DSCC.mult(matrix, x, y, workspace);
    }

    private void rowsConcurrent() {
        CommonOps_MT_DSCC.multTransA(matrix, x, y, workspace);
    }
}
