package org.trellis.examples.tsunami;

import org.trellis.bench.cli.PrecisionConverter;
import org.trellis.bench.cli.ThreadsConverter;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.examples.sweep.SetOrder;
import org.trellis.mesh.Layout;
import org.trellis.mesh.LoopScheme;
import org.trellis.mesh.MeshOptions;
import picocli.CommandLine.Option;

/** The options that say how loops are run. */
final class RuntimeOptions {
    private static final int DEFAULT_BLOCK = 1024;

    @Option(names = "--backend", paramLabel = "NAME",
            description = "The backend. Default: the setting trellis.backend.")
    private String backend;

    @Option(names = "--threads", paramLabel = "N", converter = ThreadsConverter.class,
            description = "Threads of the backend. Default: the setting trellis.threads.")
    private Integer threads;

    @Option(names = "--scheme", paramLabel = "S", description = {
        "How increments are kept apart: two-level, block-permute, full-permute, temporary, owner-compute, ...",
        "Default: what the backend's rule proposes for each loop."})
    private String scheme;

    @Option(names = "--block-size", paramLabel = "N", description = {
        "Elements of a block. Default: the rule's, and for --order partition " + DEFAULT_BLOCK + "."})
    private Integer blockSize;

    @Option(names = "--order", paramLabel = "O", defaultValue = "file",
            description = "How cells and edges are numbered: ${COMPLETION-CANDIDATES}. Default: file.")
    private SetOrder order;

    @Option(names = "--no-graph", description = {
        "Run the loops of a step one by one where the backend can tell its device all of them at once (cuda)."})
    private boolean apart;

    @Option(names = "--shuffle", paramLabel = "SEED",
            description = "Shuffle cells and edges first, as a mesh generator without manners might.")
    private Long shuffle;

    @Option(names = "--layout", paramLabel = "aos|soa", description = "Default: the setting trellis.mesh.layout.")
    private String layout;

    @Option(names = "--precision", paramLabel = "f32|f64", converter = PrecisionConverter.class, defaultValue = "f32",
            description = "Default: f32.")
    private Precision precision;

    Configuration configuration() {
        Configuration.Builder builder = Configuration.builder();
        if (backend != null) {
            builder.set(ConfigurationKeys.BACKEND, backend);
        }
        if (threads != null) {
            builder.set(ConfigurationKeys.THREADS, threads);
        }
        return builder.build();
    }

    /** What the mesh does; a complaint is about the command line. */
    MeshOptions mesh(Configuration configuration) {
        MeshOptions options = MeshOptions.of(configuration);
        options = layout == null ? options : options.withLayout(Layout.of(layout));
        options = scheme == null ? options : options.withScheme(LoopScheme.of(scheme));
        return blockSize == null ? options : options.withBlockSize(blockSize);
    }

    SetOrder order() {
        return order;
    }

    int partitionBlock() {
        return blockSize == null ? DEFAULT_BLOCK : blockSize;
    }

    Long shuffle() {
        return shuffle;
    }

    Precision precision() {
        return precision;
    }

    boolean graph() {
        return !apart;
    }
}
