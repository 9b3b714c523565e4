package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.BasisKernels;
import org.trellis.sparse.PreparedBasis;

/**
 * Products and combinations of many vectors on a CUDA device. A block of products has some rows of all vectors in
 * shared memory, where each thread, or some threads together, multiply one pair or several; the block that comes last
 * adds up the blocks in their order.
 */
final class CudaBasis implements PreparedBasis {
    private static final int THREADS = 256;
    private static final int TILE = 64;
    private static final int MOST_BLOCKS = 512;
    private static final int MOST_TARGETS = 3;
    private static final long POINTERS = (long) BasisKernels.MOST_VECTORS * Long.BYTES;
    private static final long PARTIAL = POINTERS;
    private static final long RESULT = PARTIAL + 8;
    private static final long COUNTER = RESULT + 8;
    private static final long COUNT = COUNTER + 8;
    private static final long WEIGHTS = COUNT + 4;
    private static final long PAIRS = WEIGHTS + 4;
    private static final long SHARING = PAIRS + 4;
    private static final long ROWS = SHARING + 4;
    private static final long LEFT = ROWS + 8;
    private static final long RIGHT = LEFT + BasisKernels.MOST_PAIRS;
    private static final long PRODUCT_BYTES = RIGHT + BasisKernels.MOST_PAIRS;
    private static final long COEFFICIENTS = POINTERS;
    private static final long TARGETS = COEFFICIENTS + MOST_TARGETS * POINTERS;
    private static final long KEEP = TARGETS + MOST_TARGETS * 8L;
    private static final long COMBINED = KEEP + MOST_TARGETS * 8L;
    private static final long NUMBER = COMBINED + 4;
    private static final long COMBINED_ROWS = NUMBER + 4;
    private static final long COMBINATION_BYTES = COMBINED_ROWS + 8;

    private final Precision precision;
    private final StructLaunch products;
    private final StructLaunch combination;
    private final CudaBuffer partial;
    private final CudaBuffer counter;
    private final CudaVector result;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaBasis(CudaContext context, Precision precision) {
        this.precision = precision;
        KernelSource source = source(precision);
        this.products = context.kernel(source, "trellisBasisProducts").structLaunch(PRODUCT_BYTES);
        this.combination = context.kernel(source, "trellisBasisCombine").structLaunch(COMBINATION_BYTES);
        this.partial = context.zeros((long) BasisKernels.MOST_PAIRS * MOST_BLOCKS * Double.BYTES);
        this.counter = context.zeros(Integer.BYTES);
        this.result = context.vector(Precision.F64, BasisKernels.MOST_PAIRS);
        MemorySegment block = products.block();
        block.set(ValueLayout.JAVA_LONG, PARTIAL, partial.address());
        block.set(ValueLayout.JAVA_LONG, RESULT, result.address());
        block.set(ValueLayout.JAVA_LONG, COUNTER, counter.address());
    }

    /**
     * Returns the source of the kernels.
     *
     * @param precision of the elements
     * @return the source
     */
    static KernelSource source(Precision precision) {
        return KernelSource.resource(CudaBasis.class, "basis.cu")
                .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", THREADS)
                .define("PAIRS", BasisKernels.MOST_PAIRS);
    }

    private static void requireRoom(String what, int count, int most) {
        if (count > most) {
            throw new IllegalArgumentException(count + " " + what + " at a time on a device, expected at most " + most);
        }
    }

    private static void pointer(MemorySegment block, long at, DenseVector vector) {
        block.set(ValueLayout.JAVA_LONG, at, ((CudaVector) vector).address());
    }

    @Override
    public void products(DenseVector[] vectors, int rows, int[] left, int[] right, DenseVector weights,
            double[] into) {
        int count = vectors.length + (weights == null ? 0 : 1);
        int pairs = left.length;
        requireRoom("vectors", count, BasisKernels.MOST_VECTORS);
        requireRoom("pairs of vectors", pairs, BasisKernels.MOST_PAIRS);
        Checks.length("right vectors of pairs", right.length, pairs);
        if (rows == 0 || pairs == 0) {
            return;
        }
        MemorySegment block = products.block();
        for (int v = 0; v < vectors.length; v++) {
            pointer(block, v * 8L, vectors[v]);
        }
        if (weights != null) {
            pointer(block, vectors.length * 8L, weights);
        }
        for (int pair = 0; pair < pairs; pair++) {
            block.set(ValueLayout.JAVA_BYTE, LEFT + pair, (byte) left[pair]);
            block.set(ValueLayout.JAVA_BYTE, RIGHT + pair, (byte) right[pair]);
        }
        block.set(ValueLayout.JAVA_INT, COUNT, count);
        block.set(ValueLayout.JAVA_INT, WEIGHTS, weights == null ? -1 : vectors.length);
        block.set(ValueLayout.JAVA_INT, PAIRS, pairs);
        block.set(ValueLayout.JAVA_INT, SHARING, Math.max(1, Integer.highestOneBit(THREADS / pairs)));
        block.set(ValueLayout.JAVA_INT, ROWS, rows);
        int shared = count * (TILE + 1) * precision.bytes();
        products.run(new LaunchShape(Math.min(MOST_BLOCKS, Math.ceilDiv(rows, TILE)), 1, THREADS, shared));
        HostVector sums = HostVector.zeros(Precision.F64, pairs);
        result.part(0, pairs).copyTo(sums);
        for (int pair = 0; pair < pairs; pair++) {
            into[pair] += sums.get(pair);
        }
    }

    @Override
    public void combine(DenseVector[] vectors, int rows, double[][] coefficients, double[] keep,
            DenseVector[] targets) {
        requireRoom("vectors", vectors.length, BasisKernels.MOST_VECTORS);
        requireRoom("combinations", targets.length, MOST_TARGETS);
        if (rows == 0) {
            return;
        }
        MemorySegment block = combination.block();
        for (int v = 0; v < vectors.length; v++) {
            pointer(block, v * 8L, vectors[v]);
        }
        for (int k = 0; k < targets.length; k++) {
            for (int v = 0; v < vectors.length; v++) {
                block.set(ValueLayout.JAVA_DOUBLE, COEFFICIENTS + k * POINTERS + v * 8L, coefficients[k][v]);
            }
            pointer(block, TARGETS + k * 8L, targets[k]);
            block.set(ValueLayout.JAVA_DOUBLE, KEEP + k * 8L, keep[k]);
        }
        block.set(ValueLayout.JAVA_INT, COMBINED, vectors.length);
        block.set(ValueLayout.JAVA_INT, NUMBER, targets.length);
        block.set(ValueLayout.JAVA_INT, COMBINED_ROWS, rows);
        combination.run(LaunchShape.covering(rows, THREADS));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            products.close();
            combination.close();
            partial.close();
            counter.close();
            result.close();
        }
    }
}
