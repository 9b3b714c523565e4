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
 * chunks of 32 rows, or of stencils with constant coefficients, are filled by kernels.
 */
final class ResidentLayouts {
    private static final int CHUNK = ChunkShape.WARP;
    private static final int CHUNK_BLOCK = 128;
    private static final int RECORD_BYTES = 16 * Integer.BYTES;
    private static final int SAMPLED_CHUNKS = 128;
    /** Rows of a chunk of {@code stencil.cu}. */
    private static final int STENCIL_ROWS = Chunked.shape(CudaRule.stencil()).rows();

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
        if (usual.family() != SpmvFamily.SELL_RUNS || !even) {
            return CudaRule.fallback(profile);
        }
        return CudaRule.isStencilFamily(usual) && isStencil(matrix) ? CudaRule.stencil() : CHUNKS;
    }

    private static final SpmvParameters CHUNKS = Chunked.parameters(SpmvFamily.SELL, new ChunkShape(1, 1), 1,
            CHUNK_BLOCK, Integer.SIZE);

    /** Says whether parameters ask for a layout that is made on the device. */
    boolean takes(CudaMatrix matrix, SpmvParameters parameters) {
        return parameters.withBlockSize(CHUNK_BLOCK).equals(CHUNKS)
                || (parameters.equals(CudaRule.stencil()) && isStencil(matrix))
                || (parameters.family() == SpmvFamily.CSR && parameters.indexBits() == Integer.SIZE);
    }

    /** Lays a matrix out; the layout must not outlive it. */
    DeviceLayout create(CudaMatrix matrix, SpmvParameters parameters) {
        DeviceLayout layout = new DeviceLayout(matrix.context());
        try {
            if (parameters.family() == SpmvFamily.CSR) {
                layout.counted(matrix.rows(), 0).number(matrix.rows()).borrow(matrix.rowOffsets())
                        .borrow(matrix.columnIndices()).none().none().borrow(matrix.values());
            } else if (parameters.family() == SpmvFamily.SELL_RUNS) {
                fillStencils(layout, matrix);
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

    private boolean isStencil(CudaMatrix matrix) {
        return plan(matrix).isStencil();
    }

    private StencilPlan plan(CudaMatrix matrix) {
        return (StencilPlan) matrix.companion(StencilPlan::new);
    }

    private static int stencilChunks(CudaMatrix matrix) {
        return Math.ceilDiv(matrix.rows(), STENCIL_ROWS);
    }

    private AlgebraLaunch.Step packing(String function, CudaMatrix matrix, int chunks, int step) {
        return algebra.launches().packing(function, matrix.precision()).a(matrix).set(Count.ROWS, matrix.rows())
                .set(Count.SIZE, chunks).set(Count.FIRST, STENCIL_ROWS).set(Count.LAST, step);
    }

    /** Whether a matrix is a stencil, from a sample of its chunks and then from all, and what these take. */
    private final class StencilPlan implements CudaMatrix.Companion {
        private CudaBuffer tables;
        private CudaBuffer diagonals;

        StencilPlan(CudaMatrix matrix) {
            int chunks = stencilChunks(matrix);
            int step = Math.max(1, chunks / SAMPLED_CHUNKS);
            boolean found = visit(matrix, chunks / step, step);
            close();
            if (found && !visit(matrix, chunks, 1)) {
                close();
            }
        }

        /** Says whether chunks some steps apart are stencils; leaves what they take. */
        @SuppressWarnings("MustBeClosed") // closed with this
        private boolean visit(CudaMatrix matrix, int chunks, int step) {
            CudaContext context = matrix.context();
            tables = context.buffer((long) chunks * Integer.BYTES);
            diagonals = context.buffer((long) chunks * Integer.BYTES);
            try (CudaBuffer others = context.zeros(Integer.BYTES)) {
                packing("planStencils", matrix, chunks, step).set(Pointer.LENGTHS, tables)
                        .set(Pointer.MORE, diagonals).set(Pointer.COUNTS, others)
                        .run((long) chunks * ChunkShape.WARP);
                return algebra.launches().fetch(others, 1)[0] == 0;
            }
        }

        boolean isStencil() {
            return tables != null;
        }

        @Override
        public void close() {
            if (tables != null) {
                tables.close();
                diagonals.close();
                tables = null;
                diagonals = null;
            }
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with the layout
    private void fillStencils(DeviceLayout layout, CudaMatrix matrix) {
        int chunks = stencilChunks(matrix);
        layout.ofStencils().counted(chunks, 0).number(matrix.rows()).number(chunks)
                .none().none().none().none().none();
        StencilPlan plan = plan(matrix);
        RowScan scan = RowScan.of(algebra.launches(), plan.tables, chunks);
        try (CudaBuffer starts = scan.offsets()) {
            CudaBuffer records = own(layout, matrix, (long) chunks * RECORD_BYTES);
            CudaBuffer tables = own(layout, matrix, (long) scan.total() * Integer.BYTES);
            CudaBuffer values = own(layout, matrix, (long) chunks * StencilLayout.MOST * matrix.precision().bytes());
            packing("fillStencils", matrix, chunks, 1).set(Pointer.OFFSETS, starts)
                    .set(Pointer.MORE, plan.diagonals).set(Pointer.COLUMNS, records).set(Pointer.LIST, tables)
                    .set(Pointer.VALUES, values).run((long) chunks * ChunkShape.WARP);
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with the layout
    private static CudaBuffer own(DeviceLayout layout, CudaMatrix matrix, long bytes) {
        CudaBuffer buffer = matrix.context().buffer(bytes);
        layout.own(buffer);
        return buffer;
    }
}
