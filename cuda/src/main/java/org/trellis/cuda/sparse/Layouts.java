package org.trellis.cuda.sparse;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SpmvParameters;

/**
 * Lays matrices out on a device. The order of the uploads is that of the kernels' parameters. If the device runs out of
 * memory, what was allocated before is freed.
 */
final class Layouts {
    private final CudaContext context;
    private final NumberTypes types;
    private final boolean shareValues;

    /** Makes layouts in which equal values may be stored once. */
    Layouts(CudaContext context, NumberTypes types) {
        this(context, types, true);
    }

    private Layouts(CudaContext context, NumberTypes types, boolean shareValues) {
        this.context = context;
        this.types = types;
        this.shareValues = shareValues;
    }

    /** Makes layouts that can take other values. */
    static Layouts forRefills(CudaContext context, NumberTypes types) {
        return new Layouts(context, types, false);
    }

    /** Lays a matrix out as parameters ask; {@code wideOffsets} asks for 64-bit row offsets. */
    DeviceLayout create(CsrMatrix matrix, SpmvParameters parameters, boolean wideOffsets) {
        DeviceLayout layout = new DeviceLayout(context);
        try {
            switch (parameters.family()) {
                case CSR -> fillCsr(layout, matrix, parameters.indexBits(), wideOffsets);
                case CSR_BALANCED -> fillBalanced(layout, HostCsr.of(matrix), parameters);
                case CSR_HOT -> fillHot(layout, HostCsr.of(matrix), parameters);
                case SELL, SELL_RUNS -> fillChunks(layout, HostCsr.of(matrix), parameters);
                default -> throw new IllegalStateException("no layout for " + parameters);
            }
            return layout;
        } catch (RuntimeException | OutOfMemoryError e) {
            layout.release();
            throw e;
        }
    }

    private void fillCsr(DeviceLayout layout, CsrMatrix matrix, int indexBits, boolean wideOffsets) {
        layout.counted(matrix.rows(), 0).number(matrix.rows());
        if (wideOffsets) {
            fillWideCsr(layout, matrix);
            return;
        }
        HostCsr host = HostCsr.of(matrix);
        layout.upload(host.rowOffsets());
        if (indexBits == Integer.SIZE) {
            layout.upload(host.columnMemory()).none().none();
        } else {
            CodedCsrLayout coded = CodedCsrLayout.of(host);
            layout.upload(MemorySegment.ofArray(coded.codes())).upload(coded.groups()).upload(coded.bases());
        }
        layout.uploadValues(host.valueMemory(), false);
    }

    /** Copies segment by segment, since no array can hold all. */
    @SuppressWarnings("MustBeClosed") // closed with the layout
    private void fillWideCsr(DeviceLayout layout, CsrMatrix matrix) {
        CudaBuffer offsets = context.buffer((matrix.rows() + 1L) * Long.BYTES);
        layout.own(offsets);
        CudaBuffer columns = context.buffer(matrix.nonZeros() * Integer.BYTES);
        layout.own(columns).none().none();
        CudaBuffer values = context.buffer(matrix.nonZeros() * types.values().bytes());
        layout.own(values).valuesAreLast(false);
        for (CsrSegment segment : matrix.segments()) {
            long[] wide = new long[segment.rows() + 1];
            for (int i = 0; i < wide.length; i++) {
                wide[i] = segment.base() + segment.rowOffsets()[i];
            }
            offsets.copyFrom(MemorySegment.ofArray(wide), (long) segment.firstRow() * Long.BYTES);
            HostCsr part = new HostCsr(segment.rows(), matrix.columns(), segment.rowOffsets(), segment.columnIndices(),
                    segment.values());
            columns.copyFrom(part.columnMemory(), segment.base() * Integer.BYTES);
            values.copyFrom(part.valueMemory(), segment.base() * types.values().bytes());
        }
    }

    private void fillBalanced(DeviceLayout layout, HostCsr matrix, SpmvParameters parameters) {
        int limit = parameters.blockSize() * parameters.rowsPerGroup();
        TileLayout tiles = TileLayout.of(matrix, limit, parameters.indexBits());
        layout.counted(tiles.count(), tiles.splitCount())
                .upload(tiles.tiles()).upload(tiles.splits());
        pieces(layout, tiles.pieces(), tiles.splitCount()).upload(matrix.rowOffsets());
        if (parameters.indexBits() == Integer.SIZE) {
            layout.upload(matrix.columnMemory()).none();
        } else {
            layout.upload(MemorySegment.ofArray(tiles.codes())).upload(tiles.bases());
        }
        layout.uploadValues(matrix.valueMemory(), false);
    }

    private void fillHot(DeviceLayout layout, HostCsr matrix, SpmvParameters parameters) {
        TileLayout tiles = TileLayout.of(matrix, parameters.blockSize() * parameters.rowsPerGroup(), Integer.SIZE);
        HotColumns hot = HotColumns.of(matrix, HotProduct.columns(types));
        layout.counted(tiles.count(), tiles.splitCount())
                .hot(hot.list())
                .number(tiles.count()).upload(tiles.tiles()).upload(tiles.splits());
        pieces(layout, tiles.pieces(), tiles.splitCount()).upload(matrix.rowOffsets())
                .upload(MemorySegment.ofArray(hot.columns()).asSlice(0, (long) matrix.nonZeros() * Integer.BYTES))
                .zeros((long) HotProduct.columns(types) * types.values().bytes())
                .uploadValues(matrix.valueMemory(), false);
    }

    private void fillChunks(DeviceLayout layout, HostCsr matrix, SpmvParameters parameters) {
        ChunkRows rows = ChunkRows.of(matrix, Chunked.shape(parameters), parameters.sortingWindow());
        layout.counted(rows.chunks(), rows.splitCount())
                .number(rows.count()).number(rows.chunks());
        if (rows.hasTargets()) {
            layout.upload(rows.targets()).upload(rows.splitOf()).upload(rows.splits());
            pieces(layout, rows.splitOf().length, rows.splitCount());
        } else {
            layout.none().none().none().none().none();
        }
        Optional<StencilLayout> stencil = stencil(matrix, rows, parameters);
        if (stencil.isPresent()) {
            layout.ofStencils().upload(stencil.get().records()).upload(stencil.get().tables())
                    .uploadValues(matrix.gather(stencil.get().source()), true);
        } else if (parameters.indexBits() == Integer.SIZE) {
            SellLayout sell = SellLayout.of(matrix, rows);
            layout.upload(sell.chunkSlots()).upload(sell.columns())
                    .uploadValues(matrix.gather(sell.source()), true);
        } else {
            PackedLayout packed = PackedLayout.of(matrix, rows, Chunked.detects(parameters));
            layout.upload(packed.records()).upload(packed.tables())
                    .upload(MemorySegment.ofArray(packed.codes())).uploadValues(matrix.gather(packed.source()), true);
        }
    }

    private Optional<StencilLayout> stencil(HostCsr matrix, ChunkRows rows, SpmvParameters parameters) {
        boolean possible = shareValues && Chunked.detects(parameters) && !rows.hasTargets()
                && rows.shape().cooperating() == 1;
        return possible ? StencilLayout.of(matrix, rows.shape().rows()) : Optional.empty();
    }

    /**
     * Finds out where the values of a layout in chunks come from that is made {@linkplain #forRefills for refills}.
     *
     * @param matrix     the structure
     * @param parameters those of the layout
     * @return for each stored value the index of its entry in compressed rows, or a negative number for padding
     */
    static int[] valueSource(CsrMatrix matrix, SpmvParameters parameters) {
        HostCsr host = HostCsr.of(matrix);
        ChunkRows rows = ChunkRows.of(host, Chunked.shape(parameters), parameters.sortingWindow());
        return parameters.indexBits() == Integer.SIZE
                ? SellLayout.of(host, rows).source()
                : PackedLayout.of(host, rows, Chunked.detects(parameters)).source();
    }

    /** Sums of pieces and counters of finished pieces. */
    private DeviceLayout pieces(DeviceLayout layout, int pieces, int splitRows) {
        return layout.zeros((long) pieces * types.sums().bytes()).zeros((long) splitRows * Integer.BYTES);
    }
}
