package org.trellis.bench.adapters.cusparse;

import static org.trellis.bench.adapters.cusparse.CusparseLibrary.check;
import static org.trellis.bench.adapters.cusparse.CusparseProduct.INDEX_32;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jcuda.Pointer;
import jcuda.jcusparse.JCusparse;
import jcuda.jcusparse.cusparseSpGEMMDescr;
import jcuda.jcusparse.cusparseSpMatDescr;
import org.trellis.bench.adapters.cusparse.CusparseProduct.DevicePointer;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Products of matrices by {@code cusparseSpGEMM} with its default algorithm, from the right. Factors are on the device
 * before anything is timed; work space and results are taken from the pool of the backend, as its own products do.
 */
final class CusparseMatrixProduct implements TimedMatrixProduct {
    private static final int DEFAULT_ALGORITHM = 0;

    private final CusparseLibrary library;
    private final CudaContext context;
    private final Precision precision;
    private final int type;
    private final Pointer one;
    private final Pointer zero;
    private final List<Stored> factors = new ArrayList<>();
    private Stored result;

    /** A matrix on the device. */
    private final class Stored {
        private final int rows;
        private final int columns;
        private final cusparseSpMatDescr descriptor = new cusparseSpMatDescr();
        private final List<CudaBuffer> arrays = new ArrayList<>();
        private int nonZeros;

        Stored(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
        }

        @SuppressWarnings("MustBeClosed") // closed with this
        Pointer add(CudaBuffer buffer) {
            arrays.add(buffer);
            return new DevicePointer(buffer.address());
        }

        void create(Pointer offsets, Pointer indices, Pointer values) {
            check("cusparseCreateCsr", JCusparse.cusparseCreateCsr(descriptor, rows, columns, nonZeros, offsets,
                    indices, values, INDEX_32, INDEX_32, 0, type));
        }

        void close() {
            check("cusparseDestroySpMat", JCusparse.cusparseDestroySpMat(descriptor.asConst()));
            arrays.forEach(CudaBuffer::close);
        }
    }

    private CusparseMatrixProduct(CusparseLibrary library, Precision precision) {
        this.library = library;
        this.context = library.backend().context();
        this.precision = precision;
        boolean doubles = precision == Precision.F64;
        this.type = doubles ? CusparseProduct.TYPE_F64 : CusparseProduct.TYPE_F32;
        this.one = doubles ? Pointer.to(new double[]{1}) : Pointer.to(new float[]{1});
        this.zero = doubles ? Pointer.to(new double[]{0}) : Pointer.to(new float[]{0});
    }

    /** Brings factors to the device. */
    static CusparseMatrixProduct of(CusparseLibrary library, List<CsrMatrix> factors) {
        CusparseMatrixProduct product = new CusparseMatrixProduct(library, factors.getFirst().precision());
        factors.forEach(product::upload);
        return product;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void upload(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        Stored stored = new Stored(matrix.rows(), matrix.columns());
        stored.nonZeros = segment.nonZeros();
        stored.create(stored.add(context.upload(MemorySegment.ofArray(segment.rowOffsets()))),
                stored.add(context.upload(MemorySegment.ofArray(segment.columnIndices()))),
                stored.add(context.upload(CusparseProduct.elements(segment.values()))));
        factors.add(stored);
    }

    @Override
    public void run() {
        release();
        context.makeCurrent();
        Stored product = factors.getLast();
        for (int f = factors.size() - 2; f >= 0; f--) {
            Stored next = multiply(factors.get(f), product);
            if (f < factors.size() - 2) {
                product.close();
            }
            product = next;
        }
        result = product;
        context.synchronize();
    }

    @SuppressWarnings("MustBeClosed") // closed with the result
    private Stored multiply(Stored a, Stored b) {
        Stored c = new Stored(a.rows, b.columns);
        Pointer none = new Pointer();
        c.create(none, none, none);
        cusparseSpGEMMDescr work = new cusparseSpGEMMDescr();
        check("cusparseSpGEMM_createDescr", JCusparse.cusparseSpGEMM_createDescr(work));
        List<CudaBuffer> spaces = new ArrayList<>();
        try {
            spaces.add(estimate(a, b, c, work));
            spaces.add(compute(a, b, c, work));
            long[] rows = new long[1];
            long[] columns = new long[1];
            long[] entries = new long[1];
            check("cusparseSpMatGetSize",
                    JCusparse.cusparseSpMatGetSize(c.descriptor.asConst(), rows, columns, entries));
            c.nonZeros = Math.toIntExact(entries[0]);
            Pointer offsets = c.add(context.buffer((c.rows + 1L) * Integer.BYTES));
            Pointer indices = c.add(context.buffer(entries[0] * Integer.BYTES));
            Pointer values = c.add(context.buffer(entries[0] * precision.bytes()));
            check("cusparseCsrSetPointers", JCusparse.cusparseCsrSetPointers(c.descriptor, offsets, indices, values));
            check("cusparseSpGEMM_copy", JCusparse.cusparseSpGEMM_copy(library.handle(), 0, 0, one,
                    a.descriptor.asConst(), b.descriptor.asConst(), zero, c.descriptor, type, DEFAULT_ALGORITHM, work));
            return c;
        } finally {
            spaces.forEach(CudaBuffer::close);
            check("cusparseSpGEMM_destroyDescr", JCusparse.cusparseSpGEMM_destroyDescr(work));
        }
    }

    @SuppressWarnings("MustBeClosed") // returned
    private CudaBuffer estimate(Stored a, Stored b, Stored c, cusparseSpGEMMDescr work) {
        long[] bytes = new long[1];
        check("cusparseSpGEMM_workEstimation", JCusparse.cusparseSpGEMM_workEstimation(library.handle(), 0, 0, one,
                a.descriptor.asConst(), b.descriptor.asConst(), zero, c.descriptor, type, DEFAULT_ALGORITHM, work,
                bytes, new Pointer()));
        CudaBuffer buffer = context.buffer(bytes[0]);
        check("cusparseSpGEMM_workEstimation", JCusparse.cusparseSpGEMM_workEstimation(library.handle(), 0, 0, one,
                a.descriptor.asConst(), b.descriptor.asConst(), zero, c.descriptor, type, DEFAULT_ALGORITHM, work,
                bytes, new DevicePointer(buffer.address())));
        return buffer;
    }

    @SuppressWarnings("MustBeClosed") // returned
    private CudaBuffer compute(Stored a, Stored b, Stored c, cusparseSpGEMMDescr work) {
        long[] bytes = new long[1];
        check("cusparseSpGEMM_compute", JCusparse.cusparseSpGEMM_compute(library.handle(), 0, 0, one,
                a.descriptor.asConst(), b.descriptor.asConst(), zero, c.descriptor, type, DEFAULT_ALGORITHM, work,
                bytes, new Pointer()));
        CudaBuffer buffer = context.buffer(bytes[0]);
        check("cusparseSpGEMM_compute", JCusparse.cusparseSpGEMM_compute(library.handle(), 0, 0, one,
                a.descriptor.asConst(), b.descriptor.asConst(), zero, c.descriptor, type, DEFAULT_ALGORITHM, work,
                bytes, new DevicePointer(buffer.address())));
        return buffer;
    }

    @Override
    public CsrMatrix result() {
        int[] offsets = new int[result.rows + 1];
        int[] indices = new int[result.nonZeros];
        HostVector values = HostVector.zeros(precision, result.nonZeros);
        result.arrays.get(0).copyTo(MemorySegment.ofArray(offsets));
        result.arrays.get(1).copyTo(MemorySegment.ofArray(indices));
        result.arrays.get(2).copyTo(CusparseProduct.elements(values));
        sortRows(offsets, indices, values);
        return CsrMatrix.of(result.rows, result.columns, offsets, indices, values);
    }

    /** Puts the columns of each row in order, which cuSPARSE does not promise. */
    static void sortRows(int[] offsets, int[] indices, HostVector values) {
        for (int row = 0; row + 1 < offsets.length; row++) {
            int from = offsets[row];
            long[] order = new long[offsets[row + 1] - from];
            double[] unsorted = new double[order.length];
            for (int k = 0; k < order.length; k++) {
                order[k] = (long) indices[from + k] << Integer.SIZE | k;
                unsorted[k] = values.get(from + k);
            }
            Arrays.sort(order);
            for (int k = 0; k < order.length; k++) {
                indices[from + k] = (int) (order[k] >>> Integer.SIZE);
                values.set(from + k, unsorted[(int) order[k]]);
            }
        }
    }

    private void release() {
        if (result != null) {
            result.close();
            result = null;
        }
    }

    @Override
    public void close() {
        release();
        factors.forEach(Stored::close);
        factors.clear();
    }
}
