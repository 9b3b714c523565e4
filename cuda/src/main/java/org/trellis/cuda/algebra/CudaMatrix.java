package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A matrix in compressed rows on a device. Its arrays must not be written to by others; those of its structure may be
 * those of another matrix, too.
 */
public final class CudaMatrix implements BackendMatrix {
    private final CudaContext context;
    private final int rows;
    private final int columns;
    private final int nonZeros;
    private final Precision precision;
    private final CudaStructure structure;
    private final CudaBuffer values;
    private CsrMatrix host;
    private Companion companion;
    private Symmetry symmetry = new Symmetry(false, Double.NaN, false);
    private boolean closed;

    /**
     * What is known of a matrix' symmetry.
     *
     * @param pattern whether the pattern is symmetric
     * @param share   by which values were allowed to differ, not a number before it was checked
     * @param values  whether they differ by no more
     */
    record Symmetry(boolean pattern, double share, boolean values) {
        /** Says whether the answer for a tolerance is known; any answers for the pattern. */
        boolean answers(double tolerance) {
            return !Double.isNaN(share) && (tolerance < 0 || tolerance == share || (values && tolerance >= share));
        }

        boolean of(double tolerance) {
            return tolerance < 0 ? pattern : values;
        }
    }

    /** Sizes of a matrix. */
    record Sizes(int rows, int columns, int nonZeros, Precision precision) {}

    /** Takes over arrays: where rows start, columns, values. */
    CudaMatrix(CudaContext context, Sizes sizes, CudaBuffer[] arrays) {
        this(context, sizes, new CudaStructure(arrays[0], arrays[1]), arrays[2]);
    }

    /** Takes over values and a share of a structure. */
    CudaMatrix(CudaContext context, Sizes sizes, CudaStructure structure, CudaBuffer values) {
        this.context = context;
        this.rows = sizes.rows;
        this.columns = sizes.columns;
        this.nonZeros = sizes.nonZeros;
        this.precision = sizes.precision;
        this.structure = structure;
        this.values = values;
    }

    /**
     * Copies a matrix to a device.
     *
     * @param context the device's
     * @param matrix  a matrix of one segment
     * @return a matrix that the caller closes
     * @throws IllegalStateException              if the matrix has several segments
     * @throws org.trellis.common.DeviceException if there is not enough memory
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    static CudaMatrix upload(CudaContext context, CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        int count = segment.nonZeros();
        HostVector values = segment.values();
        CudaBuffer[] arrays = new CudaBuffer[3];
        try {
            arrays[0] = context.upload(MemorySegment.ofArray(segment.rowOffsets()).asSlice(0,
                    (matrix.rows() + 1L) * Integer.BYTES));
            arrays[1] = context.upload(MemorySegment.ofArray(segment.columnIndices()).asSlice(0,
                    (long) count * Integer.BYTES));
            arrays[2] = context.upload(CudaVector.memoryOf(values).asSlice(0,
                    (long) count * matrix.precision().bytes()));
        } catch (RuntimeException | Error e) {
            closeAll(arrays);
            throw e;
        }
        CudaMatrix made = new CudaMatrix(context,
                new Sizes(matrix.rows(), matrix.columns(), count, matrix.precision()), arrays);
        made.host = matrix;
        return made;
    }

    /**
     * Makes a square matrix of arrays that are on the device, which are copied there.
     *
     * @param context    the device's
     * @param rows       number of rows and columns
     * @param rowOffsets where rows start
     * @param columns    of the entries, ascending in each row
     * @param values     one for each entry
     * @return a matrix that the caller closes
     * @throws org.trellis.common.DeviceException if there is not enough memory
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    public static CudaMatrix copyOf(CudaContext context, int rows, CudaBuffer rowOffsets, CudaBuffer columns,
            CudaVector values) {
        CudaBuffer[] arrays = new CudaBuffer[3];
        long bytes = (long) values.length() * values.precision().bytes();
        try {
            arrays[0] = context.buffer(rowOffsets.bytes());
            arrays[0].copyFrom(rowOffsets);
            arrays[1] = context.buffer(columns.bytes());
            arrays[1].copyFrom(columns);
            arrays[2] = context.buffer(bytes);
            context.copyOnDevice(arrays[2].address(), values.address(), bytes);
        } catch (RuntimeException | Error e) {
            closeAll(arrays);
            throw e;
        }
        return new CudaMatrix(context, new Sizes(rows, rows, values.length(), values.precision()), arrays);
    }

    CudaStructure structure() {
        return structure;
    }

    /**
     * Says whether another matrix has its entries in the same memory.
     *
     * @param other a matrix
     * @return true if one was made in the structure of the other
     */
    @SuppressWarnings("ReferenceEquality") // one object is what is asked about
    public boolean sharesStructure(CudaMatrix other) {
        return structure == other.structure;
    }

    Symmetry symmetry() {
        return symmetry;
    }

    void remember(Symmetry found) {
        symmetry = found;
    }

    /** What is made of a matrix once, since that takes a pass over it, and closed with it. */
    public interface Companion extends AutoCloseable {
        /** Closes what was made. */
        @Override
        void close();
    }

    /**
     * Returns what was made of this matrix before, or makes it.
     *
     * @param maker makes it where there is none; its result is of one type for all callers
     * @return a companion that is closed with this matrix
     */
    public Companion companion(Function<CudaMatrix, Companion> maker) {
        if (companion == null) {
            companion = maker.apply(this);
        }
        return companion;
    }

    /** Closes what there is of some buffers. */
    static void closeAll(CudaBuffer... buffers) {
        for (CudaBuffer buffer : buffers) {
            if (buffer != null) {
                buffer.close();
            }
        }
    }

    /**
     * Returns the context whose device this is on.
     *
     * @return the context
     */
    public CudaContext context() {
        return context;
    }

    /**
     * Returns where rows start.
     *
     * @return {@code rows + 1} integers, to be read only
     * @throws IllegalStateException if this is closed
     */
    public CudaBuffer rowOffsets() {
        return open(structure.rowOffsets());
    }

    /**
     * Returns the columns.
     *
     * @return an integer for each entry, to be read only
     * @throws IllegalStateException if this is closed
     */
    public CudaBuffer columnIndices() {
        return open(structure.columnIndices());
    }

    /**
     * Returns the values.
     *
     * @return an element for each entry, to be read only
     * @throws IllegalStateException if this is closed
     */
    public CudaBuffer values() {
        return open(values);
    }

    private CudaBuffer open(CudaBuffer buffer) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return buffer;
    }

    @Override
    public MemorySpace space() {
        return context.space();
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public long nonZeros() {
        return nonZeros;
    }

    @Override
    public Precision precision() {
        return precision;
    }

    @Override
    public CsrMatrix toCsr() {
        if (host == null) {
            int[] offsets = new int[rows + 1];
            int[] indices = new int[nonZeros];
            HostVector elements = HostVector.zeros(precision, nonZeros);
            rowOffsets().copyTo(MemorySegment.ofArray(offsets));
            columnIndices().copyTo(MemorySegment.ofArray(indices));
            values().copyTo(CudaVector.memoryOf(elements));
            host = CsrMatrix.of(rows, columns, offsets, indices, elements);
        }
        return host;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            structure.release();
            values.close();
            if (companion != null) {
                companion.close();
            }
        }
    }

    @Override
    public String toString() {
        return "CSR matrix " + rows + " x " + columns + ", " + nonZeros + " non-zeros, " + precision.label() + " on "
                + context.space();
    }
}
