package org.trellis.examples;

import org.trellis.bench.cli.CommandPlugin;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;
import org.trellis.examples.airfoil.AirfoilCommand;
import org.trellis.examples.poisson.PoissonMeshCommand;
import org.trellis.examples.tsunami.TsunamiCommand;
import picocli.CommandLine;

/** Brings the applications to the command line, as {@code trellis example NAME}. */
public final class ExamplePlugin implements CommandPlugin {
    private static final String POISSON = "poisson-mesh";

    /** Creates the plugin; the service loader does. */
    public ExamplePlugin() {}

    @Override
    public Object create(Console console) {
        return create(console, RankJob.alone());
    }

    @Override
    public Object create(Console console, RankJob job) {
        CommandLine example = new CommandLine(new ExampleCommand());
        example.addSubcommand(new AirfoilCommand(console, job));
        example.addSubcommand(POISSON, job.isDistributed() ? new OneRankCommand() : new PoissonMeshCommand(console));
        example.addSubcommand(new TsunamiCommand(console, job));
        return example;
    }
}
