package org.trellis.bench.loop;

import org.trellis.common.Precision;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.LoopScheme;
import picocli.CommandLine.Option;

/** The options that say how an application on the mesh runtime is run: on what data, and with which schemes. */
public final class MeshRunOptions extends MeshChainOptions {
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
        "Run the loops of a step one by one where the backend can give its device all of them at once (cuda)."})
    private boolean apart;

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
        return fission ? options.withFission(true) : options;
    }

    @Override
    protected int partitionBlock() {
        return blockSize == null ? super.partitionBlock() : blockSize;
    }

    /**
     * Says whether a device is given all loops of a step at once.
     *
     * @return false if each is to be given alone
     */
    public boolean joins() {
        return !apart;
    }
}
