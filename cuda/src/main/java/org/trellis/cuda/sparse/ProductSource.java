package org.trellis.cuda.sparse;

import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/** The CUDA C of a product, with the parameters as constants. */
final class ProductSource {
    /** The name of all product kernels. */
    static final String FUNCTION = "spmv";

    /**
     * Parameters of all product kernels before those of the family: α, β, x, y, w, z, partial sums, counters, result,
     * split rows.
     */
    static final int COMMON_ARGUMENTS = 10;

    private static final int FIRST_OPTIONAL = 4;
    private static final int SPLIT_ROWS = 9;

    private static final String PRODUCT_HEADER = "product.cuh";
    private static final String CHUNKS_HEADER = "chunks.cuh";
    private static final String TILES_HEADER = "tiles.cuh";

    private ProductSource() {}

    /**
     * Returns the source for parameters.
     *
     * @param parameters  parameters that {@link CudaConstraints} accepts
     * @param types       of values and sums
     * @param finish      what is done with sums
     * @param sorted      whether rows were moved or split
     * @param wideOffsets whether row offsets have 64 bits
     * @return the source with all constants
     */
    static KernelSource of(SpmvParameters parameters, NumberTypes types, RowEpilogue finish, boolean sorted,
            boolean wideOffsets) {
        return define(read(parameters), parameters, types, finish, sorted, wideOffsets);
    }

    /**
     * Returns the source for layouts of which all chunks are stencils with constant coefficients.
     *
     * @param parameters parameters of family {@code sell-runs}
     * @param types      of values and sums
     * @param finish     what is done with sums
     * @return the source with all constants
     */
    static KernelSource ofStencil(SpmvParameters parameters, NumberTypes types, RowEpilogue finish) {
        KernelSource source =
                KernelSource.resource(ProductSource.class, "stencil.cu", PRODUCT_HEADER, CHUNKS_HEADER);
        return define(source, parameters, types, finish, false, false);
    }

    private static KernelSource define(KernelSource read, SpmvParameters parameters, NumberTypes types,
            RowEpilogue finish, boolean sorted, boolean wideOffsets) {
        KernelSource source = read;
        if (parameters.family() == SpmvFamily.CSR_HOT) {
            source = source.define("HOT", HotProduct.columns(types));
        }
        return source
                .define("VALUE", NumberTypes.name(types.values()))
                .define("SUM", NumberTypes.name(types.sums()))
                .define("WIDE_OFFSETS", wideOffsets ? 1 : 0)
                .define("BLOCK_SIZE", parameters.blockSize())
                .define("COOPERATING", parameters.cooperatingThreads())
                .define("ROWS", parameters.rowsPerGroup())
                .define("UNROLL", unroll(parameters))
                .define("INDEX_BITS", parameters.indexBits())
                .define("SORTED", sorted ? 1 : 0)
                .define("FINISH", finish.code());
    }

    private static KernelSource read(SpmvParameters parameters) {
        return switch (parameters.family()) {
            case CSR -> KernelSource.resource(ProductSource.class, "csr.cu", PRODUCT_HEADER);
            case CSR_BALANCED ->
                KernelSource.resource(ProductSource.class, "balanced.cu", PRODUCT_HEADER, TILES_HEADER);
            case CSR_HOT -> KernelSource.resource(ProductSource.class, "hot.cu", PRODUCT_HEADER, TILES_HEADER);
            case SELL, SELL_RUNS -> KernelSource.resource(ProductSource.class,
                    parameters.indexBits() == Integer.SIZE ? "sell.cu" : "packed.cu", PRODUCT_HEADER, CHUNKS_HEADER);
            default -> throw new IllegalStateException("no kernel for " + parameters);
        };
    }

    /** Entries that a thread loads before it uses the first: enough to hide latency, as few as registers allow. */
    private static int unroll(SpmvParameters parameters) {
        return switch (parameters.family()) {
            case CSR -> 8;
            case CSR_BALANCED, CSR_HOT -> 1;
            default -> Math.max(1, 8 / parameters.rowsPerGroup());
        };
    }

    /** Sets the parameters that not every product has to nothing. */
    static void clearOptional(KernelLaunch launch) {
        for (int i = FIRST_OPTIONAL; i < SPLIT_ROWS; i++) {
            launch.setAddress(i, 0);
        }
        launch.setDouble(1, 0).setInt(SPLIT_ROWS, 0);
    }

    /**
     * Returns the launch of a product.
     *
     * @param parameters the parameters
     * @param layout     the matrix on the device
     * @return blocks and threads; for CSR those of equation 4.7 of the thesis; for hot columns a block for each tile,
     *         of which {@link HotProduct} launches as many as are resident
     */
    static LaunchShape shape(SpmvParameters parameters, DeviceLayout layout) {
        long units = layout.units();
        long blockSize = parameters.blockSize();
        long blocks = switch (parameters.family()) {
            case CSR -> Math.ceilDiv(units * parameters.cooperatingThreads(), blockSize * parameters.rowsPerGroup());
            case CSR_BALANCED, CSR_HOT -> units;
            default -> Math.ceilDiv(units * ChunkShape.WARP, blockSize);
        };
        return LaunchShape.of(Math.toIntExact(blocks), parameters.blockSize());
    }
}
