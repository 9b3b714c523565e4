package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Locale;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.memory.DenseVector;
import org.trellis.solve.ResidentKernels;
import org.trellis.sparse.CsrMatrix;

/**
 * Conjugate gradients in one cooperative kernel, for systems whose matrix stays in the level-2 cache, or in the shared
 * memory of all multiprocessors, and whose rows are few enough for their vectors to stay in registers.
 */
public final class CudaResidentKernels implements ResidentKernels {
    /** The first architecture whose loads and stores acquire and release. */
    private static final int OLDEST_CAPABILITY = 7;

    private final CudaContext context;

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaResidentKernels(CudaContext context) {
        this.context = context;
    }

    /**
     * Returns the source of the kernel.
     *
     * @param precision of the elements
     * @param shape     threads, rows of a thread, where the matrix is
     * @param diagonal  whether there is a diagonal preconditioner
     * @return the source
     */
    static KernelSource source(Precision precision, ResidentShape shape, boolean diagonal) {
        return KernelSource.resource(CudaResidentKernels.class, "resident.cu")
                .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", shape.threads())
                .define("ROWS", shape.rows()).define("DIAGONAL", diagonal ? 1 : 0)
                .define("SHARED", shape.inSharedMemory() ? 1 : 0);
    }

    @Override
    public Optional<String> objection(CsrMatrix matrix) {
        int multiprocessors = context.device().multiprocessors();
        long most = (long) multiprocessors * ResidentShape.MOST_ROWS;
        if (context.device().capabilityMajor() < OLDEST_CAPABILITY) {
            return Optional.of("the device has compute capability " + context.device().capabilityMajor()
                    + ", expected at least " + OLDEST_CAPABILITY);
        }
        if (matrix.rows() == 0 || matrix.rows() > most) {
            return Optional.of("it has " + matrix.rows() + " rows, expected 1 to " + most
                    + ", which the registers of " + multiprocessors + " multiprocessors hold");
        }
        long bytes = ChunkedMatrix.bytes(matrix);
        long room = context.device().l2Bytes() / 2;
        return bytes <= room
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "its chunks of %d rows have %d bytes, expected at most %d, "
                        + "half of the level-2 cache", ChunkedMatrix.CHUNK, bytes, room));
    }

    @Override
    @MustBeClosed
    public Solution conjugateGradients(CsrMatrix matrix, double scale, DenseVector inverse, int most) {
        objection(matrix).ifPresent(reason -> {
            throw new UnsupportedKernelException("conjugate gradients with " + matrix + " in one kernel", "cuda",
                    reason);
        });
        return new ResidentConjugateGradients(context, matrix, scale, inverse, most);
    }
}
