package org.trellis.bench.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Stands for {@code trellis example} where the module of the applications is not on the class path, so that the list of
 * commands has it. The launcher puts the applications there when the command is given.
 */
@SuppressWarnings("UnusedVariable") // the command line fills in what is only there to be accepted
@Command(name = ExamplePlaceholder.NAME, description = ExamplePlaceholder.DESCRIPTION)
final class ExamplePlaceholder implements Runnable {
    static final String NAME = "example";
    static final String DESCRIPTION =
            "Runs an application of the mesh runtime: adaptive-poisson, airfoil, elasticity, poisson, "
                    + "poisson-mesh, rotor or tsunami.";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "APPLICATION", arity = "0..*", description = "The application and its arguments.")
    private List<String> application = new ArrayList<>();

    @Unmatched
    private List<String> options = new ArrayList<>();

    ExamplePlaceholder() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(),
                "the applications are not on the class path; ./trellis example, of a clone or a distribution, "
                        + "puts them there");
    }
}
