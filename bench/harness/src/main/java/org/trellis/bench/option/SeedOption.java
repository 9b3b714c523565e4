package org.trellis.bench.option;

import org.trellis.bench.measure.MeasureSettings;
import picocli.CommandLine.Option;

/** What a measurement draws at random with. */
public final class SeedOption {
    @Option(names = "--seed", paramLabel = "N",
            description = "Decides on x, on the order of turns and on all else that is drawn at random. Default: "
                    + MeasureSettings.DEFAULT_SEED + ".")
    private long seed = MeasureSettings.DEFAULT_SEED;

    /** Made by the command line that holds it, which then sets the option. */
    public SeedOption() {
        // The option is set by the command line.
    }

    /**
     * Returns the seed.
     *
     * @return as given, or the default
     */
    public long seed() {
        return seed;
    }
}
