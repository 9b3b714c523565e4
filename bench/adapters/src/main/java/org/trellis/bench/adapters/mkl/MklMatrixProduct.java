package org.trellis.bench.adapters.mkl;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.mkl.global.mkl_rt;
import org.bytedeco.mkl.global.mkl_rt.sparse_matrix;
import org.trellis.bench.adapters.CompressedArrays;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * MKL's product of sparse matrices ({@code mkl_sparse_spmm}). It leaves columns in no order, so the last product is put
 * in order ({@code mkl_sparse_order}), as Trellis' products are; factors between need none.
 */
final class MklMatrixProduct implements TimedMatrixProduct {
    /** MKL's threads look for work for 200 ms (KMP_BLOCKTIME) before they sleep. */
    private static final int LINGER_MILLISECONDS = 220;

    private final Precision precision;
    private final int threads;
    private final List<Pointer> arrays = new ArrayList<>();
    private final List<sparse_matrix> factors = new ArrayList<>();
    private sparse_matrix result;

    private MklMatrixProduct(Precision precision, int threads) {
        this.precision = precision;
        this.threads = threads;
    }

    static MklMatrixProduct of(List<CsrMatrix> factors, int threads) {
        MklMatrixProduct product = new MklMatrixProduct(factors.getFirst().precision(), threads);
        factors.forEach(product::create);
        return product;
    }

    private <P extends Pointer> P own(P pointer) {
        arrays.add(pointer);
        return pointer;
    }

    private void create(CsrMatrix matrix) {
        CompressedArrays compressed = CompressedArrays.of(matrix);
        IntPointer offsets = own(new IntPointer(compressed.offsets()));
        IntPointer indices = own(new IntPointer(compressed.indices()));
        sparse_matrix handle = new sparse_matrix();
        if (precision == Precision.F64) {
            DoublePointer values = own(new DoublePointer(compressed.values().doubles()));
            require("mkl_sparse_d_create_csr", mkl_rt.mkl_sparse_d_create_csr(handle, mkl_rt.SPARSE_INDEX_BASE_ZERO,
                    matrix.rows(), matrix.columns(), offsets, offsets.getPointer(1), indices, values));
        } else {
            FloatPointer values = own(new FloatPointer(compressed.values().floats()));
            require("mkl_sparse_s_create_csr", mkl_rt.mkl_sparse_s_create_csr(handle, mkl_rt.SPARSE_INDEX_BASE_ZERO,
                    matrix.rows(), matrix.columns(), offsets, offsets.getPointer(1), indices, values));
        }
        factors.add(handle);
    }

    @Override
    public void run() {
        release();
        sparse_matrix product = factors.getLast();
        for (int f = factors.size() - 2; f >= 0; f--) {
            sparse_matrix next = new sparse_matrix();
            require("mkl_sparse_spmm", mkl_rt.mkl_sparse_spmm(mkl_rt.SPARSE_OPERATION_NON_TRANSPOSE, factors.get(f),
                    product, next));
            if (f < factors.size() - 2) {
                mkl_rt.mkl_sparse_destroy(product);
            }
            product = next;
        }
        require("mkl_sparse_order", mkl_rt.mkl_sparse_order(product));
        result = product;
    }

    @Override
    public CsrMatrix result() {
        try (IntPointer base = new IntPointer(1);
                IntPointer rows = new IntPointer(1);
                IntPointer columns = new IntPointer(1);
                PointerPointer<IntPointer> starts = new PointerPointer<>(1);
                PointerPointer<IntPointer> ends = new PointerPointer<>(1);
                PointerPointer<IntPointer> indices = new PointerPointer<>(1);
                PointerPointer<Pointer> values = new PointerPointer<>(1)) {
            boolean doubles = precision == Precision.F64;
            require("mkl_sparse_export_csr", doubles
                    ? mkl_rt.mkl_sparse_d_export_csr(result, base, rows, columns, starts, ends, indices, values)
                    : mkl_rt.mkl_sparse_s_export_csr(result, base, rows, columns, starts, ends, indices, values));
            int[] offsets = new int[rows.get() + 1];
            if (rows.get() > 0) {
                new IntPointer(ends.get(0)).get(offsets, 1, rows.get());
            }
            int[] copied = new int[offsets[rows.get()]];
            HostVector elements = HostVector.zeros(precision, copied.length);
            if (copied.length > 0) {
                new IntPointer(indices.get(0)).get(copied);
                if (doubles) {
                    new DoublePointer(values.get(0)).get(elements.doubles());
                } else {
                    new FloatPointer(values.get(0)).get(elements.floats());
                }
            }
            return CsrMatrix.of(rows.get(), columns.get(), offsets, copied, elements);
        }
    }

    private static void require(String call, int status) {
        if (status != 0) {
            throw new IllegalStateException(call + " returned status " + status + ", expected 0");
        }
    }

    @Override
    public int lingerMilliseconds() {
        return threads > 1 ? LINGER_MILLISECONDS : 0;
    }

    private void release() {
        if (result != null) {
            mkl_rt.mkl_sparse_destroy(result);
            result = null;
        }
    }

    @Override
    public void close() {
        release();
        factors.forEach(mkl_rt::mkl_sparse_destroy);
        arrays.forEach(Pointer::deallocate);
    }
}
