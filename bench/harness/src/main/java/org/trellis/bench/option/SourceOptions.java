package org.trellis.bench.option;

import org.trellis.bench.source.MatrixLocator;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import picocli.CommandLine.Option;

/** The options that say how matrix files are read. */
public final class SourceOptions {
    @Option(names = "--complex", paramLabel = "POLICY", defaultValue = "REAL_FORM",
            description = "What to make of complex values: ${COMPLETION-CANDIDATES}. Default: the equivalent real "
                    + "matrix, of twice as many rows and columns.")
    private ComplexPolicy complexPolicy;

    @Option(names = "--no-cache", description = "Parse large files anew although they are in the cache folder.")
    private boolean withoutCache;

    /** Made by the command line that holds it, which then sets the options. */
    public SourceOptions() {
        // Options are set by the command line.
    }

    /**
     * Returns what finds and reads matrices as these options say.
     *
     * @return a locator with the settings of this process
     */
    public MatrixLocator locator() {
        Configuration configuration = withoutCache
                ? Configuration.builder().set(ConfigurationKeys.CACHE_MINIMUM_BYTES, -1L).build()
                : Configuration.load();
        ReadOptions options = ReadOptions.DEFAULT.withComplexPolicy(complexPolicy)
                .withThreads(configuration.get(ConfigurationKeys.THREADS));
        return new MatrixLocator(configuration, options);
    }
}
