package org.trellis.cuda.sparse;

import org.trellis.cuda.algebra.AlgebraLaunch;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.algebra.RowScan;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/**
 * Lays out matrices that are on the device already without the host: plain compressed rows are used where they are, and
 * chunks of 32 rows are filled by a kernel.
 */
final class ResidentLayouts {
    private static final int CHUNK = ChunkShape.WARP;
    private static final int CHUNK_BLOCK = 128;

    private final CudaAlgebra algebra;

    ResidentLayouts(CudaAlgebra algebra) {
        this.algebra = algebra;
    }

    /** Proposes chunks where the rule for matrices of the host does and rows are of similar lengths, else rows. */
    SpmvParameters rule(CudaMatrix matrix) {
        RowProfile profile = new RowProfile(matrix.rows(), matrix.columns(), matrix.nonZeros(),
                algebra.longestRow(matrix));
        SpmvParameters usual = CudaRule.parameters(profile, matrix.precision());
        boolean even = profile.maximumRowLength() <= CudaRule.UNEVEN * profile.meanRowLength();
        return usual.family() == SpmvFamily.SELL_RUNS && even ? CHUNKS : CudaRule.fallback(profile);
    }

    private static final SpmvParameters CHUNKS = Chunked.parameters(SpmvFamily.SELL, new ChunkShape(1, 1), 1,
            CHUNK_BLOCK, Integer.SIZE);

    /** Says whether parameters ask for a layout that is made on the device. */
    static boolean takes(SpmvParameters parameters) {
        return parameters.withBlockSize(CHUNK_BLOCK).equals(CHUNKS)
                || (parameters.family() == SpmvFamily.CSR && parameters.indexBits() == Integer.SIZE);
    }

    /** Lays a matrix out; the layout must not outlive it. */
    DeviceLayout create(CudaMatrix matrix, SpmvParameters parameters) {
        DeviceLayout layout = new DeviceLayout(matrix.context());
        try {
            if (parameters.family() == SpmvFamily.CSR) {
                layout.counted(matrix.rows(), 0).number(matrix.rows()).borrow(matrix.rowOffsets())
                        .borrow(matrix.columnIndices()).none().none().borrow(matrix.values());
            } else {
                fillChunks(layout, matrix);
            }
            return layout;
        } catch (RuntimeException | Error e) {
            layout.release();
            throw e;
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with the layout
    private void fillChunks(DeviceLayout layout, CudaMatrix matrix) {
        CudaContext context = matrix.context();
        int chunks = Math.ceilDiv(matrix.rows(), CHUNK);
        layout.counted(chunks, 0).number(matrix.rows()).number(chunks).none().none().none().none().none();
        AlgebraLaunch launches = algebra.launches();
        try (CudaBuffer lengths = context.buffer((long) chunks * Integer.BYTES)) {
            launches.algebra("chunkLengths", matrix.precision()).a(matrix).set(Pointer.LENGTHS, lengths)
                    .set(Count.ROWS, matrix.rows()).set(Count.SIZE, chunks).run(chunks);
            RowScan slots = RowScan.of(launches, lengths, chunks);
            layout.own(slots.offsets());
            long entries = (long) slots.total() * CHUNK;
            CudaBuffer columns = context.buffer(entries * Integer.BYTES);
            layout.own(columns);
            CudaBuffer values = context.buffer(entries * matrix.precision().bytes());
            layout.own(values).valuesAreLast(true);
            launches.algebra("fillChunks", matrix.precision()).a(matrix).set(Pointer.OFFSETS, slots.offsets())
                    .set(Pointer.COLUMNS, columns).set(Pointer.VALUES, values).set(Count.ROWS, matrix.rows())
                    .set(Count.SIZE, chunks).run((long) chunks * CHUNK);
        }
    }
}
