package org.trellis.examples;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Stands for an application that does not run on several ranks, and reports it. */
@SuppressWarnings("UnusedVariable") // the command line fills in what is only there to be accepted
@Command(description = "Does not run on several ranks.")
final class OneRankCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "example '" + spec.name()
                + "' does not run on several ranks, expected airfoil, elasticity, poisson, poisson-mesh, rotor or "
                + "tsunami");
    }
}
