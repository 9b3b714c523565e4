package org.trellis.examples;

import org.trellis.bench.cli.CommandPlugin;
import org.trellis.bench.console.Console;
import org.trellis.examples.adaptive.AdaptivePoissonCommand;
import org.trellis.examples.airfoil.AirfoilCommand;
import org.trellis.examples.poisson.PoissonMeshCommand;
import org.trellis.examples.tsunami.TsunamiCommand;
import picocli.CommandLine;

/** Brings the applications to the command line, as {@code trellis example NAME}. */
public final class ExamplePlugin implements CommandPlugin {
    /** Creates the plugin; the service loader does. */
    public ExamplePlugin() {}

    @Override
    public Object create(Console console) {
        CommandLine example = new CommandLine(new ExampleCommand());
        example.addSubcommand(new AdaptivePoissonCommand(console));
        example.addSubcommand(new AirfoilCommand(console));
        example.addSubcommand(new PoissonMeshCommand(console));
        example.addSubcommand(new TsunamiCommand(console));
        return example;
    }
}
