package org.trellis.bench.adapters.ejml;

import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DGrowArray;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.data.IGrowArray;
import org.ejml.sparse.csc.CommonOps_DSCC;
import org.ejml.sparse.csc.CommonOps_MT_DSCC;
import org.ejml.sparse.csc.mult.Workspace_MT_DSCC;
import org.trellis.bench.adapters.CompressedArrays;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import pabeles.concurrency.GrowArray;

/**
 * EJML's product of sparse matrices. Compressed rows are the compressed columns of the transpose, so factors are taken
 * as they are and multiplied in the opposite order.
 */
final class EjmlMatrixProduct implements TimedMatrixProduct {
    private final List<DMatrixSparseCSC> factors = new ArrayList<>();
    private final boolean concurrent;
    private final GrowArray<Workspace_MT_DSCC> workspaces = new GrowArray<>(Workspace_MT_DSCC::new);
    private final IGrowArray indices = new IGrowArray();
    private final DGrowArray values = new DGrowArray();
    private DMatrixSparseCSC result;

    EjmlMatrixProduct(List<CsrMatrix> factors, int threads) {
        this.concurrent = threads > 1;
        for (CsrMatrix factor : factors) {
            CompressedArrays arrays = CompressedArrays.of(factor);
            DMatrixSparseCSC transposed = new DMatrixSparseCSC(factor.columns(), factor.rows(), 0);
            transposed.col_idx = arrays.offsets();
            transposed.nz_rows = arrays.indices();
            transposed.nz_values = arrays.values().doubles();
            transposed.nz_length = arrays.indices().length;
            transposed.indicesSorted = true;
            this.factors.add(transposed);
        }
    }

    @Override
    public void run() {
        DMatrixSparseCSC product = factors.getLast();
        for (int f = factors.size() - 2; f >= 0; f--) {
            DMatrixSparseCSC left = factors.get(f);
            DMatrixSparseCSC next = new DMatrixSparseCSC(product.numRows, left.numCols, 0);
            if (concurrent) {
                CommonOps_MT_DSCC.mult(product, left, next, workspaces);
            } else {
                CommonOps_DSCC.mult(product, left, next, indices, values);
            }
            product = next;
        }
        result = product;
    }

    @Override
    public CsrMatrix result() {
        DMatrixSparseCSC sorted = result.copy();
        sorted.sortIndices(null);
        int[] columns = new int[sorted.nz_length];
        System.arraycopy(sorted.nz_rows, 0, columns, 0, columns.length);
        HostVector copied = HostVector.of(Precision.F64, sorted.nz_length, k -> sorted.nz_values[k]);
        return CsrMatrix.of(sorted.numCols, sorted.numRows, sorted.col_idx.clone(), columns, copied.doubles());
    }

    @Override
    public void close() {
        result = null;
    }
}
