package org.trellis.bench.loop;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.trellis.bench.application.MeshApplication;
import org.trellis.bench.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes the commands about mesh loops, each with a subcommand for every application on the class path. */
public final class LoopCommands {
    private LoopCommands() {}

    /** The command without an application. */
    private abstract static class Group implements Runnable {
        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            throw new ParameterException(spec.commandLine(), spec.subcommands().isEmpty()
                    ? "there is no application on the class path"
                    : "an application is missing, expected one of " + String.join(", ", spec.subcommands().keySet()));
        }
    }

    @Command(name = "tune-loops", description = {
        "Looks for the parameters with which the mesh loops of an application run fastest.",
        "Tunes within its iterations or by runs of their own, and keeps what was measured in a profile."})
    private static final class Tune extends Group {}

    @Command(name = "sweep-loops", description = {
        "Measures each mesh loop of an application with each set of parameters on a device.",
        "In each layout and order, it prints the best of each scheme and what the backend chooses."})
    private static final class Sweep extends Group {}

    /**
     * Makes the command {@code trellis tune-loops}.
     *
     * @param console where it prints
     * @return the command with its subcommands
     */
    public static CommandLine tune(Console console) {
        return withApplications(new Tune(), "Tunes ", application -> new TuneLoopsCommand(console, application));
    }

    /**
     * Makes the command {@code trellis sweep-loops}.
     *
     * @param console where it prints
     * @return the command with its subcommands
     */
    public static CommandLine sweep(Console console) {
        return withApplications(new Sweep(), "Measures ", application -> new SweepLoopsCommand(console, application));
    }

    private static CommandLine withApplications(Group group, String verb, Function<MeshApplication, Object> command) {
        CommandLine line = new CommandLine(group);
        List<MeshApplication> applications = ServiceLoader.load(MeshApplication.class).stream()
                .map(ServiceLoader.Provider::get).sorted(Comparator.comparing(MeshApplication::name)).toList();
        for (MeshApplication application : applications) {
            CommandLine one = new CommandLine(command.apply(application));
            one.getCommandSpec().name(application.name()).usageMessage()
                    .description(verb + "the loops of " + application.description() + ".");
            line.addSubcommand(application.name(), one);
        }
        return line;
    }
}
