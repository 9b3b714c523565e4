package org.trellis.bench.option;

import org.trellis.common.Precision;
import picocli.CommandLine.Option;

/** The one precision in which a command computes. */
public final class PrecisionOption {
    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "The precision. Default: f64.")
    private Precision precision;

    /** Made by the command line that holds it, which then sets the option. */
    public PrecisionOption() {
        // The option is set by the command line.
    }

    /**
     * Returns the precision.
     *
     * @return as given, or double
     */
    public Precision precision() {
        return precision;
    }
}
