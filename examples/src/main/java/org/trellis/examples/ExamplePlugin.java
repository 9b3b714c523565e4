package org.trellis.examples;

import org.trellis.bench.cli.CommandPlugin;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;
import org.trellis.examples.adaptive.AdaptivePoissonCommand;
import org.trellis.examples.airfoil.AirfoilCommand;
import org.trellis.examples.fem.ElasticityCommand;
import org.trellis.examples.fem.PoissonCommand;
import org.trellis.examples.poisson.PoissonMeshCommand;
import org.trellis.examples.rotor.RotorCommand;
import org.trellis.examples.tsunami.TsunamiCommand;
import picocli.CommandLine;

/** Brings the applications to the command line, as {@code trellis example NAME}. */
public final class ExamplePlugin implements CommandPlugin {
    private static final String ADAPTIVE = "adaptive-poisson";
    private static final String ELASTICITY = "elasticity";
    private static final String FINITE_ELEMENTS = "poisson";
    private static final String FINITE_VOLUMES = "poisson-mesh";

    /** Creates the plugin; the service loader does. */
    public ExamplePlugin() {}

    @Override
    public Object create(Console console) {
        return create(console, RankJob.alone());
    }

    @Override
    public Object create(Console console, RankJob job) {
        CommandLine example = new CommandLine(new ExampleCommand());
        example.addSubcommand(ADAPTIVE, onOneRank(job, new AdaptivePoissonCommand(console)));
        example.addSubcommand(new AirfoilCommand(console, job));
        example.addSubcommand(ELASTICITY, new ElasticityCommand(console, job));
        example.addSubcommand(FINITE_ELEMENTS, new PoissonCommand(console, job));
        example.addSubcommand(FINITE_VOLUMES, new PoissonMeshCommand(console, job));
        example.addSubcommand(new RotorCommand(console, job));
        example.addSubcommand(new TsunamiCommand(console, job));
        return example;
    }

    /** Returns a command that runs on one rank only, or one that refuses on several. */
    private static Object onOneRank(RankJob job, Object command) {
        return job.isDistributed() ? new OneRankCommand() : command;
    }
}
