package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.memory.DenseVector;
import org.trellis.solve.PersistentKernels;
import org.trellis.sparse.CsrMatrix;

/**
 * Conjugate gradients in one cooperative kernel, for systems whose matrix stays in the shared memory of all
 * multiprocessors, and whose rows are few enough for their vectors to stay in registers.
 */
public final class CudaPersistentKernels implements PersistentKernels {
    /** The first architecture whose loads and stores acquire and release. */
    private static final int OLDEST_CAPABILITY = 7;

    /** Shared memory that the kernel declares itself, at most, and what the driver keeps of a block's. */
    private static final int STATIC_BYTES = 2048;

    private final CudaContext context;

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaPersistentKernels(CudaContext context) {
        this.context = context;
    }

    /**
     * Returns the source of the kernel.
     *
     * @param precision of the elements
     * @param shape     threads, rows of a thread
     * @param diagonal  whether there is a diagonal preconditioner
     * @return the source
     */
    static KernelSource source(Precision precision, PersistentShape shape, boolean diagonal) {
        return KernelSource.resource(CudaPersistentKernels.class, "resident.cu")
                .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", shape.threads())
                .define("ROWS", shape.rows()).define("DIAGONAL", diagonal ? 1 : 0);
    }

    @Override
    public long mostRows() {
        return context.device().capabilityMajor() < OLDEST_CAPABILITY
                ? 0
                : (long) context.device().multiprocessors() * PersistentShape.MOST_ROWS;
    }

    private int sharedMost() {
        return context.driver().deviceAttribute(context.device().number(),
                DeviceAttribute.SHARED_MEMORY_PER_BLOCK_OPTIN) - STATIC_BYTES;
    }

    @Override
    public Optional<String> objection(CsrMatrix matrix) {
        int multiprocessors = context.device().multiprocessors();
        if (matrix.rows() == 0 || matrix.rows() > mostRows()) {
            return Optional.of("it has " + matrix.rows() + " rows, expected 1 to " + mostRows()
                    + ", which the registers of " + multiprocessors + " multiprocessors hold");
        }
        PersistentShape shape = PersistentShape.of(ChunkedMatrix.starts(matrix), matrix.precision(), multiprocessors);
        return shape.sharedBytes() <= sharedMost()
                ? Optional.empty()
                : Optional.of("a multiprocessor's part of it has " + shape.sharedBytes() + " bytes, expected at most "
                        + sharedMost() + " of shared memory");
    }

    @Override
    @MustBeClosed
    public Solution conjugateGradients(CsrMatrix matrix, double scale, DenseVector inverse, int most) {
        objection(matrix).ifPresent(reason -> {
            throw new UnsupportedKernelException("conjugate gradients with " + matrix + " in one kernel", "cuda",
                    reason);
        });
        return new PersistentConjugateGradients(context, matrix, scale, inverse, most);
    }
}
