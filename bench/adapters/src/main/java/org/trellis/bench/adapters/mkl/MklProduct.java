package org.trellis.bench.adapters.mkl;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.mkl.global.mkl_rt;
import org.bytedeco.mkl.global.mkl_rt.matrix_descr;
import org.bytedeco.mkl.global.mkl_rt.sparse_matrix;
import org.trellis.bench.adapters.CompressedArrays;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** A matrix handle of MKL with its arrays and vectors outside the Java heap. */
final class MklProduct implements TimedProduct {
    /** What MKL is set to expect; large, so that it finds every conversion worth its while. */
    private static final int EXPECTED_PRODUCTS = 100_000;
    /** MKL's threads look for work for 200 ms (KMP_BLOCKTIME) before they sleep. */
    private static final int LINGER_MILLISECONDS = 220;

    private final int rows;
    private final Precision precision;
    private final long bytes;
    private final int threads;
    private final IntPointer offsets;
    private final IntPointer indices;
    private final Pointer values;
    private final Pointer x;
    private final Pointer y;
    private final sparse_matrix handle = new sparse_matrix();
    private final matrix_descr description = new matrix_descr();

    private MklProduct(int rows, CompressedArrays arrays, HostVector x, int threads) {
        this.rows = rows;
        this.precision = x.precision();
        this.threads = threads;
        this.bytes = arrays.bytes();
        this.offsets = new IntPointer(arrays.offsets());
        this.indices = new IntPointer(arrays.indices());
        this.values = copyOf(arrays.values());
        this.x = copyOf(x);
        this.y = copyOf(HostVector.zeros(precision, rows));
    }

    private static Pointer copyOf(HostVector vector) {
        return vector.precision() == Precision.F64
                ? new DoublePointer(vector.doubles())
                : new FloatPointer(vector.floats());
    }

    static MklProduct of(CsrMatrix matrix, HostVector x, boolean optimised, int threads) {
        MklProduct product = new MklProduct(matrix.rows(), CompressedArrays.of(matrix), x, threads);
        product.create(matrix.columns());
        if (optimised) {
            product.optimise();
        }
        return product;
    }

    private void create(int columns) {
        IntPointer ends = offsets.getPointer(1);
        if (precision == Precision.F64) {
            require("mkl_sparse_d_create_csr", mkl_rt.mkl_sparse_d_create_csr(handle, mkl_rt.SPARSE_INDEX_BASE_ZERO,
                    rows, columns, offsets, ends, indices, (DoublePointer) values));
        } else {
            require("mkl_sparse_s_create_csr", mkl_rt.mkl_sparse_s_create_csr(handle, mkl_rt.SPARSE_INDEX_BASE_ZERO,
                    rows, columns, offsets, ends, indices, (FloatPointer) values));
        }
        description.type(mkl_rt.SPARSE_MATRIX_TYPE_GENERAL);
    }

    private void optimise() {
        require("mkl_sparse_set_mv_hint", mkl_rt.mkl_sparse_set_mv_hint(handle,
                mkl_rt.SPARSE_OPERATION_NON_TRANSPOSE, description, EXPECTED_PRODUCTS));
        require("mkl_sparse_set_memory_hint",
                mkl_rt.mkl_sparse_set_memory_hint(handle, mkl_rt.SPARSE_MEMORY_AGGRESSIVE));
        require("mkl_sparse_optimize", mkl_rt.mkl_sparse_optimize(handle));
    }

    @Override
    public void run() {
        if (precision == Precision.F64) {
            require("mkl_sparse_d_mv", mkl_rt.mkl_sparse_d_mv(mkl_rt.SPARSE_OPERATION_NON_TRANSPOSE, 1, handle,
                    description, (DoublePointer) x, 0, (DoublePointer) y));
        } else {
            require("mkl_sparse_s_mv", mkl_rt.mkl_sparse_s_mv(mkl_rt.SPARSE_OPERATION_NON_TRANSPOSE, 1, handle,
                    description, (FloatPointer) x, 0, (FloatPointer) y));
        }
    }

    private static void require(String call, int status) {
        if (status != 0) {
            throw new IllegalStateException(call + " returned status " + status + ", expected 0");
        }
    }

    @Override
    public HostVector result() {
        HostVector copy = HostVector.zeros(precision, rows);
        if (precision == Precision.F64) {
            ((DoublePointer) y).get(copy.doubles());
        } else {
            ((FloatPointer) y).get(copy.floats());
        }
        return copy;
    }

    /** Returns the size of the arrays that MKL was given; what it makes of them it does not say. */
    @Override
    public long preparedBytes() {
        return bytes;
    }

    @Override
    public int lingerMilliseconds() {
        return threads > 1 ? LINGER_MILLISECONDS : 0;
    }

    @Override
    public void close() {
        mkl_rt.mkl_sparse_destroy(handle);
        for (Pointer pointer : new Pointer[]{offsets, indices, values, x, y}) {
            pointer.deallocate();
        }
    }
}
