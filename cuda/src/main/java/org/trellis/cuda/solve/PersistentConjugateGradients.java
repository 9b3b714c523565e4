package org.trellis.cuda.solve;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.solve.PersistentKernels;
import org.trellis.sparse.CsrMatrix;

/** Conjugate gradients as one kernel whose blocks are resident together; see {@code resident.cu}. */
final class PersistentConjugateGradients implements PersistentKernels.Solution {
    private static final int RECORD_BYTES = 64;
    /** Dynamic shared memory up to which every device has it, beside what the kernel declares. */
    private static final int SHARED_WITHOUT_ASKING = 46 * 1024;
    private static final int PER_ITERATION = 3;
    /** Iterations that are copied to the host at once when it is not known how many there are. */
    private static final int FIRST_GUESS = 256;
    // The struct of resident.cu.
    private static final long R = 32;
    private static final long X = 56;
    private static final long LIMIT = 104;
    private static final long FACTOR = 112;
    private static final long SCALE = 120;
    private static final long ROWS = 128;
    private static final long MAX_ITERATIONS_OFFSET = 140;
    private static final long ANEW = 144;
    private static final long BYTES = 152;

    private final CudaContext context;
    private final List<CudaBuffer> owned = new ArrayList<>();
    private final PersistentShape shape;
    private final int length;
    private final Precision precision;
    private final int most;
    private final StructLaunch launch;
    private CudaBuffer records;
    /** The number of iterations, in the place of a value, and then values of each. */
    private CudaBuffer recorded;
    private double[] fetched = new double[1];
    private int expected = FIRST_GUESS;
    private boolean closed;

    PersistentConjugateGradients(CudaContext context, CsrMatrix matrix, double scale, DenseVector inverse, int most) {
        this.context = context;
        this.length = matrix.rows();
        this.precision = matrix.precision();
        this.most = Checks.positive("iterations of one run", most);
        ChunkedMatrix chunks = ChunkedMatrix.of(matrix);
        this.shape = PersistentShape.of(ChunkedMatrix.starts(matrix), precision, context.device().multiprocessors());
        CudaKernel kernel = context.kernel(CudaPersistentKernels.source(precision, shape, inverse != null),
                "trellisResidentCg");
        if (shape.sharedBytes() > SHARED_WITHOUT_ASKING) {
            kernel.allowShared((int) shape.sharedBytes());
        }
        this.launch = kernel.structLaunch(BYTES);
        try {
            bind(chunks, scale, inverse);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer own(CudaBuffer buffer) {
        owned.add(buffer);
        return buffer;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void bind(ChunkedMatrix chunks, double scale, DenseVector inverse) {
        long vectorBytes = (long) length * precision.bytes();
        records = own(context.zeros((long) shape.blocks() * RECORD_BYTES));
        recorded = own(context.zeros((1L + (long) most * PER_ITERATION) * Double.BYTES));
        MemorySegment struct = launch.block();
        long[] addresses = {own(context.upload(MemorySegment.ofArray(chunks.offsets()))).address(),
            own(context.upload(MemorySegment.ofArray(chunks.columns()))).address(),
            own(context.upload(CudaVector.memoryOf(chunks.values()))).address(),
            inverse == null ? 0 : ((CudaVector) inverse).address(), 0,
            own(context.zeros(vectorBytes)).address(), own(context.zeros(vectorBytes)).address(), 0,
            own(context.zeros(vectorBytes)).address(), records.address(),
            own(context.zeros(2 * Double.BYTES)).address(), recorded.address() + Double.BYTES,
            recorded.address()};
        for (int i = 0; i < addresses.length; i++) {
            struct.set(ValueLayout.JAVA_LONG, (long) i * Long.BYTES, addresses[i]);
        }
        struct.set(ValueLayout.JAVA_DOUBLE, SCALE, scale);
        int[] sizes = {length, shape.chunksPerBlock(), chunks.offsets().length - 1};
        for (int i = 0; i < sizes.length; i++) {
            struct.set(ValueLayout.JAVA_INT, ROWS + (long) i * Integer.BYTES, sizes[i]);
        }
    }

    @Override
    public int run(PersistentKernels.Bounds bounds, boolean anew, DenseVector residual, DenseVector x,
            double[] values) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        Checks.length("length of the residual", residual.length(), length);
        Checks.length("length of x", x.length(), length);
        if (bounds.most() < 1 || bounds.most() > most || values.length < bounds.most() * PER_ITERATION) {
            throw new IllegalArgumentException(this + ": " + bounds.most() + " iterations with room for "
                    + values.length + " values, expected 1 to " + most + " and " + PER_ITERATION + " for each");
        }
        MemorySegment struct = launch.block();
        struct.set(ValueLayout.JAVA_LONG, R, ((CudaVector) residual).address());
        struct.set(ValueLayout.JAVA_LONG, X, ((CudaVector) x).address());
        struct.set(ValueLayout.JAVA_DOUBLE, LIMIT, bounds.limit());
        struct.set(ValueLayout.JAVA_DOUBLE, FACTOR, bounds.factor());
        struct.set(ValueLayout.JAVA_INT, MAX_ITERATIONS_OFFSET, bounds.most());
        struct.set(ValueLayout.JAVA_INT, ANEW, anew ? 1 : 0);
        records.clear();
        launch.runTogether(new LaunchShape(shape.blocks(), 1, shape.threads(), (int) shape.sharedBytes()));
        return fetch(bounds.most(), values);
    }

    /** Copies what is recorded: so many iterations as there were the last time, and the rest if there are more. */
    private int fetch(int limit, double[] values) {
        int guess = 1 + PER_ITERATION * Math.min(expected, limit);
        if (fetched.length < guess) {
            fetched = new double[guess];
        }
        MemorySegment head = MemorySegment.ofArray(fetched).asSlice(0, (long) guess * Double.BYTES);
        recorded.copyTo(head);
        int done = (int) Double.doubleToRawLongBits(fetched[0]);
        if (done < 0 || done > limit) {
            throw new IllegalStateException(this + " has done " + done + " iterations, expected at most " + limit);
        }
        int known = Math.min(PER_ITERATION * done, guess - 1);
        System.arraycopy(fetched, 1, values, 0, known);
        if (known < PER_ITERATION * done) {
            recorded.copyTo(MemorySegment.ofArray(values).asSlice((long) known * Double.BYTES,
                    (long) (PER_ITERATION * done - known) * Double.BYTES), (1L + known) * Double.BYTES);
        }
        expected = Math.max(FIRST_GUESS, done + done / 4);
        return done;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            launch.close();
            owned.forEach(CudaBuffer::close);
        }
    }

    @Override
    public String toString() {
        return "one kernel of " + shape.blocks() + " blocks of " + shape.threads() + " threads with "
                + shape.rows() + (shape.rows() == 1 ? " row" : " rows") + " each, the matrix in shared memory";
    }
}
