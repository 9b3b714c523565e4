package org.trellis.bench.loop;

import picocli.CommandLine.Option;

/** The options that say whether and how the loops of an application are tuned while it runs. */
public final class OptionalLoopTuning extends LoopTuningOptions {
    @Option(names = "--tune", description = {
        "Try other parameters of the loops within the iterations, until the best are found; with --budget or",
        "--exhaustive, by runs of their own before the first iteration. The options of tuning need it."})
    private boolean tune;

    /** Creates options as if the command line had none of them. */
    public OptionalLoopTuning() {}

    /**
     * Says whether loops are to be tuned.
     *
     * @return true if the command line asks for it
     */
    public boolean isAsked() {
        return tune;
    }

    @Override
    protected boolean tunes() {
        return tune;
    }
}
