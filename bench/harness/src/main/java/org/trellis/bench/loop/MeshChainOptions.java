package org.trellis.bench.loop;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Tiling;
import picocli.CommandLine.Option;

/** The options that say on what data an application on the mesh runtime runs, and what is done with loops together. */
public class MeshChainOptions extends MeshDataOptions {
    @Option(names = "--lazy", description = {
        "Note loops and run them when a value is needed; loops whose results are never read are left out."})
    private boolean lazy;

    @Option(names = "--tiling", paramLabel = "none|redundant|sparse", description = {
        "Run chains of loops tile by tile, so that a tile's data stay in the cache: each tile with copies of all",
        "that it depends on, or each element in one tile. Default: none."})
    private String tiling;

    @Option(names = "--tile-size", paramLabel = "N", description = {
        "Elements of a tile, of the set with most data. Default: what the first runs show to be fastest, no tiles",
        "among them."})
    private Integer tileSize;

    @Option(names = "--fusion", paramLabel = "on|off|tuned", description = {
        "Run loops over one set as one where they touch the same elements: noted loops (--lazy) and those of",
        "declared sequences. tuned: if the first runs show that it is faster. Default: off."})
    private String fusion;

    /**
     * Creates options as if the command line had none of them.
     *
     * @param usualPrecision the precision of data unless the user says otherwise
     * @param usualBlockSize edges of a block of a partition unless the user says otherwise
     * @throws IllegalArgumentException if the size is below 1
     */
    public MeshChainOptions(Precision usualPrecision, int usualBlockSize) {
        super(usualPrecision, usualBlockSize);
    }

    @Override
    public MeshOptions meshOptions() {
        MeshOptions options = super.meshOptions();
        ChainOptions chains = options.chains().withLazy(lazy || options.chains().lazy());
        if (tiling != null) {
            chains = chains.withTiling(Tiling.of(tiling),
                    tileSize == null ? 0 : Checks.positive("--tile-size", tileSize));
        }
        if (fusion != null) {
            chains = chains.withFusion(Fusion.of(fusion));
        }
        if (tileSize != null && chains.tiling() == Tiling.NONE) {
            throw new IllegalArgumentException("--tile-size is " + tileSize + " without tiles, expected --tiling "
                    + "redundant or sparse");
        }
        return options.withChains(chains);
    }
}
