package org.trellis.bench.adapters.cusparse;

import static org.trellis.bench.adapters.cusparse.CusparseLibrary.check;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import jcuda.Pointer;
import jcuda.jcusparse.JCusparse;
import jcuda.jcusparse.cusparseConstDnVecDescr;
import jcuda.jcusparse.cusparseConstSpMatDescr;
import jcuda.jcusparse.cusparseDnVecDescr;
import jcuda.jcusparse.cusparseSpMatDescr;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** One algorithm on one matrix. */
final class CusparseProduct implements TimedProduct {
    /** {@code CUDA_R_32F}. */
    static final int TYPE_F32 = 0;
    /** {@code CUDA_R_64F}. */
    static final int TYPE_F64 = 1;
    /** {@code CUSPARSE_INDEX_32I}. */
    static final int INDEX_32 = 2;

    private final CusparseLibrary library;
    private final CudaContext context;
    private final DeviceTiming timing;
    private final int type;
    private final int algorithm;
    private final CudaVector y;
    /** What is to be closed, last made first. */
    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final Pointer one;
    private final Pointer zero;
    private long matrixBytes;
    private cusparseConstSpMatDescr matrix;
    private cusparseConstDnVecDescr xVector;
    private cusparseDnVecDescr yVector;
    private Pointer workSpace;

    @SuppressWarnings("MustBeClosed") // closed with this
    private CusparseProduct(CusparseLibrary library, int algorithm, Precision precision, int rows) {
        this.library = library;
        this.context = library.backend().context();
        this.timing = library.backend().kernels(DeviceTiming.class);
        this.algorithm = algorithm;
        boolean doubles = precision == Precision.F64;
        this.type = doubles ? TYPE_F64 : TYPE_F32;
        this.one = doubles ? Pointer.to(new double[]{1}) : Pointer.to(new float[]{1});
        this.zero = doubles ? Pointer.to(new double[]{0}) : Pointer.to(new float[]{0});
        this.y = context.vector(precision, rows);
        owned.push(y::close);
    }

    @MustBeClosed
    static CusparseProduct prepare(CusparseLibrary library, CusparseAlgorithm algorithm, CsrMatrix matrix,
            HostVector x) {
        CusparseProduct product = new CusparseProduct(library, algorithm.code(), matrix.precision(), matrix.rows());
        try {
            CsrSegment segment = matrix.segments().getFirst();
            product.matrix = algorithm == CusparseAlgorithm.SELL
                    ? product.slicedEll(matrix, SlicedEll.of(segment))
                    : product.compressedRows(matrix, segment);
            product.describeVectors(x);
            long address = product.allocateWorkSpace();
            if (algorithm.preprocessed()) {
                library.preprocess(product.matrix, product.xVector, product.yVector, product.type, product.algorithm,
                        address);
            }
            product.context.synchronize();
            return product;
        } catch (RuntimeException | OutOfMemoryError e) {
            product.close();
            throw e;
        }
    }

    private cusparseConstSpMatDescr compressedRows(CsrMatrix source, CsrSegment segment) {
        int entries = segment.nonZeros();
        long offsets = upload(MemorySegment.ofArray(segment.rowOffsets()), 0);
        long columns = upload(MemorySegment.ofArray(segment.columnIndices()), (long) entries * Integer.BYTES);
        long values = upload(elements(segment.values()), (long) entries * source.precision().bytes());
        cusparseSpMatDescr descriptor = new cusparseSpMatDescr();
        check("cusparseCreateCsr", JCusparse.cusparseCreateCsr(descriptor, source.rows(), source.columns(), entries,
                new DevicePointer(offsets), new DevicePointer(columns), new DevicePointer(values), INDEX_32, INDEX_32,
                0, type));
        return owning(descriptor);
    }

    private cusparseConstSpMatDescr slicedEll(CsrMatrix source, SlicedEll slices) {
        long[] sizes = {source.rows(), source.columns(), source.nonZeros(), slices.columns().length};
        return owning(library.createSlicedEll(sizes, upload(MemorySegment.ofArray(slices.sliceOffsets()), 0),
                upload(MemorySegment.ofArray(slices.columns()), 0), upload(elements(slices.values()), 0), type));
    }

    private cusparseConstSpMatDescr owning(cusparseSpMatDescr descriptor) {
        cusparseConstSpMatDescr constant = descriptor.asConst();
        owned.push(() -> check("cusparseDestroySpMat", JCusparse.cusparseDestroySpMat(constant)));
        return constant;
    }

    static MemorySegment elements(HostVector vector) {
        return vector.precision() == Precision.F64
                ? MemorySegment.ofArray(vector.doubles())
                : MemorySegment.ofArray(vector.floats());
    }

    /** Copies some bytes to the device, or all with 0. */
    private long upload(MemorySegment source, long bytes) {
        @SuppressWarnings("MustBeClosed") // closed with this
        CudaBuffer buffer = context.upload(bytes == 0 ? source : source.asSlice(0, bytes));
        owned.push(buffer::close);
        matrixBytes += buffer.bytes();
        return buffer.address();
    }

    private void describeVectors(HostVector x) {
        @SuppressWarnings("MustBeClosed") // closed with this
        CudaVector ownX = context.vector(x.precision(), x.length());
        owned.push(ownX::close);
        ownX.copyFrom(x);
        xVector = vector(ownX).asConst();
        yVector = vector(y);
    }

    private cusparseDnVecDescr vector(CudaVector vector) {
        cusparseDnVecDescr descriptor = new cusparseDnVecDescr();
        check("cusparseCreateDnVec", JCusparse.cusparseCreateDnVec(descriptor, vector.length(),
                new DevicePointer(vector.address()), type));
        owned.push(() -> check("cusparseDestroyDnVec", JCusparse.cusparseDestroyDnVec(descriptor.asConst())));
        return descriptor;
    }

    private long allocateWorkSpace() {
        long[] bytes = new long[1];
        context.makeCurrent();
        check("cusparseSpMV_bufferSize", JCusparse.cusparseSpMV_bufferSize(library.handle(), 0, one, matrix, xVector,
                zero, yVector, type, algorithm, bytes));
        @SuppressWarnings("MustBeClosed") // closed with this
        CudaBuffer buffer = context.buffer(bytes[0]);
        owned.push(buffer::close);
        workSpace = new DevicePointer(buffer.address());
        return buffer.address();
    }

    private void multiply() {
        context.makeCurrent();
        check("cusparseSpMV", JCusparse.cusparseSpMV(library.handle(), 0, one, matrix, xVector, zero, yVector, type,
                algorithm, workSpace));
    }

    @Override
    public void run() {
        multiply();
        context.synchronize();
    }

    @Override
    public double[] deviceSeconds(int repetitions) {
        return timing.time(repetitions, this::multiply);
    }

    @Override
    public HostVector result() {
        HostVector copy = HostVector.zeros(y.precision(), y.length());
        y.copyTo(copy);
        return copy;
    }

    @Override
    public long preparedBytes() {
        return matrixBytes;
    }

    @Override
    public void close() {
        context.synchronize();
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }

    /** A device address as JCuda wants it. */
    static final class DevicePointer extends Pointer {
        DevicePointer(long address) {
            super(address);
        }
    }
}
