package org.trellis.examples;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code trellis example}, which only knows the applications. */
@Command(name = "example",
        description = "Runs an application of the mesh runtime: adaptive-poisson, airfoil, elasticity, poisson, "
                + "poisson-mesh, rotor or tsunami.")
final class ExampleCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "an example is missing, expected one of "
                + String.join(", ", spec.subcommands().keySet()));
    }
}
