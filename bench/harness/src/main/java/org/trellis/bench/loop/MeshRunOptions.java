package org.trellis.bench.loop;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.Tiling;
import picocli.CommandLine.Option;

/** The options that say how an application on the mesh runtime is run: on what data, and with which schemes. */
public final class MeshRunOptions extends MeshDataOptions {
    @Option(names = "--scheme", paramLabel = "S", description = {
        "How increments are kept apart: two-level, block-permute, full-permute, temporary, owner-compute, ...",
        "Default: what the backend's rule proposes for each loop."})
    private String scheme;

    @Option(names = "--block-size", paramLabel = "N", description = {
        "Elements of a block. Default: the rule's, and for --order partition the application's."})
    private Integer blockSize;

    @Option(names = "--fission", description = "Split loops that add through maps into computing and adding.")
    private boolean fission;

    @Option(names = "--no-graph", description = {
        "Run the loops of a step one by one where the backend can tell its device all of them at once (cuda)."})
    private boolean apart;

    @Option(names = "--lazy", description = {
        "Note loops and run them when a value is needed; loops whose results nobody sees are left out."})
    private boolean lazy;

    @Option(names = "--tiling", paramLabel = "none|redundant|sparse", description = {
        "Run chains of loops tile by tile, so that a tile's data stay in the cache: each tile with copies of all",
        "that it depends on, or each element in one tile. Default: none."})
    private String tiling;

    @Option(names = "--tile-size", paramLabel = "N", description = {
        "Elements of a tile, of the set with most data. Default: what the first runs show to be fastest, no tiles",
        "among them."})
    private Integer tileSize;

    /**
     * Creates options as if the command line had none of them.
     *
     * @param usualPrecision the precision of data unless the user says otherwise
     * @param usualBlockSize edges of a block of a partition unless the user says otherwise
     * @throws IllegalArgumentException if the size is below 1
     */
    public MeshRunOptions(Precision usualPrecision, int usualBlockSize) {
        super(usualPrecision, usualBlockSize);
    }

    @Override
    public MeshOptions meshOptions() {
        MeshOptions options = super.meshOptions();
        options = scheme == null ? options : options.withScheme(LoopScheme.of(scheme));
        options = blockSize == null ? options : options.withBlockSize(blockSize);
        options = fission ? options.withFission(true) : options;
        ChainOptions chains = options.chains().withLazy(lazy || options.chains().lazy());
        if (tiling != null) {
            chains = chains.withTiling(Tiling.of(tiling),
                    tileSize == null ? 0 : Checks.positive("--tile-size", tileSize));
        }
        if (tileSize != null && chains.tiling() == Tiling.NONE) {
            throw new IllegalArgumentException("--tile-size is " + tileSize + " without tiles, expected --tiling "
                    + "redundant or sparse");
        }
        return options.withChains(chains);
    }

    @Override
    protected int partitionBlock() {
        return blockSize == null ? super.partitionBlock() : blockSize;
    }

    /**
     * Says whether a device is told all loops of a step at once.
     *
     * @return false if each is to be told alone
     */
    public boolean joins() {
        return !apart;
    }
}
