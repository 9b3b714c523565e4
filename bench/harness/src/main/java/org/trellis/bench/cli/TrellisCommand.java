package org.trellis.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.adapt.AdaptCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ErrorMessages;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.Usage;
import org.trellis.bench.direct.FactoriseCommand;
import org.trellis.bench.loop.LoopCommands;
import org.trellis.bench.matrix.ConvertCommand;
import org.trellis.bench.matrix.GenerateCommand;
import org.trellis.bench.matrix.InfoCommand;
import org.trellis.bench.matrix.ListCommand;
import org.trellis.bench.matrix.ReadCommand;
import org.trellis.bench.measurement.MeasureCommand;
import org.trellis.bench.model.ModelCommand;
import org.trellis.bench.performance.ReportCommand;
import org.trellis.bench.powers.PowersCommand;
import org.trellis.bench.product.SpmvCommand;
import org.trellis.bench.profile.ProfileCommand;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RunCommand;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.scaling.ScalingCommand;
import org.trellis.bench.solve.EigenCommand;
import org.trellis.bench.solve.SolveCommand;
import org.trellis.bench.spgemm.SpgemmCommand;
import org.trellis.bench.tune.TuneCommand;
import org.trellis.bench.warmup.WarmUpCommand;
import org.trellis.common.TrellisException;
import org.trellis.distributed.communicate.JobFailedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code trellis} itself, which only knows its subcommands. */
@Command(name = "trellis", description = "Sparse matrices on the JVM: inspect, multiply, solve, measure, compare.",
        mixinStandardHelpOptions = true, scope = ScopeType.INHERIT, versionProvider = TrellisCommand.Version.class,
        usageHelpAutoWidth = true, synopsisSubcommandLabel = "COMMAND", sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything went well", "1:something failed; the rest was done",
            "2:the command line is wrong; nothing was done", "3:a solution did not converge",
            "141:no program reads the results any more (a closed pipe); the rest was not done"},
        footerHeading = "%n", footer = TrellisCommand.MATRIX_HELP)
public final class TrellisCommand implements Runnable {
    static final String MATRIX_HELP =
            "MATRIX is a file (.mtx, .mtx.gz, .rb, .hb, ...), a folder, a quoted glob, a name"
                    + " of the catalogue (trellis list), or a generator with its parameters, such as "
                    + "poisson2d:nx=1000 or random:rows=1e6,mean=16 (trellis generate --help lists them).";

    /** A value in quotes before what was expected, or after it, as messages have it. */
    private static final Pattern VALUES = Pattern.compile(
            "'([^']+)'[^']*?expected (?:one of )?([^;:]+)|expected one of \\[([^]]+)].*but was '([^']+)'");
    /** Says which backends there are with reasons, not as a list of values. */
    private static final Pattern BACKEND = Pattern.compile("backend '([^']+)' is unknown, expected one of these");
    /** Chains of causes may be circles. */
    private static final int MOST_CAUSES = 100;

    private final CommandLine line;

    private TrellisCommand() {
        this.line = new CommandLine(this);
    }

    /**
     * Runs a command line on the ranks that a launcher has started, or on one.
     *
     * @param console   where to print
     * @param arguments the command and its arguments
     * @return an {@link ExitCode}
     */
    public static int run(Console console, String... arguments) {
        return run(console, RankJob.ofProcess(), arguments);
    }

    /**
     * Runs a command line.
     *
     * @param console   where to print
     * @param job       the ranks
     * @param arguments the command and its arguments
     * @return an {@link ExitCode}
     */
    public static int run(Console console, RankJob job, String... arguments) {
        return console.finish(execute(create(console, job), console, arguments));
    }

    /**
     * Errors of the JVM pass the handlers of the command line; a lack of memory is no defect, but for users to mend.
     */
    static int execute(CommandLine line, Console console, String... arguments) {
        try {
            return line.execute(arguments);
        } catch (OutOfMemoryError e) {
            console.complain(outOfMemory(e));
            return ExitCode.FAILED;
        }
    }

    private static String outOfMemory(OutOfMemoryError problem) {
        return "there is not enough memory (" + problem.getMessage() + "): the heap of this JVM has at most "
                + Numbers.bytes(Runtime.getRuntime().maxMemory()) + "; TRELLIS_OPTS=-Xmx... gives more";
    }

    /** Returns why there was no memory, where that is behind a problem: threads and ranks wrap what they fail with. */
    private static Optional<OutOfMemoryError> memoryProblem(Throwable problem) {
        Throwable cause = problem;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof OutOfMemoryError memory) {
                return Optional.of(memory);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /**
     * Builds the command line, for running and for documentation.
     *
     * @param console where to print
     * @return the command with its subcommands
     */
    public static CommandLine create(Console console) {
        return create(console, RankJob.alone());
    }

    private static CommandLine create(Console console, RankJob job) {
        TrellisCommand root = new TrellisCommand();
        CommandLine line = root.line;
        line.addSubcommand(new InfoCommand(console));
        line.addSubcommand(new SpmvCommand(console, job));
        line.addSubcommand(new SpgemmCommand(console));
        line.addSubcommand(new SolveCommand(console, job));
        line.addSubcommand(new EigenCommand(console));
        line.addSubcommand(new FactoriseCommand(console));
        line.addSubcommand(new WarmUpCommand(console));
        line.addSubcommand(new PowersCommand(console, job));
        line.addSubcommand(new ScalingCommand(console));
        line.addSubcommand(new ModelCommand(console));
        line.addSubcommand(new RunCommand(console, job, (ranks, words) -> create(console, ranks).execute(words)));
        // What follows the command is the command's.
        line.getSubcommands().get("run").setStopAtPositional(true);
        line.addSubcommand(new MeasureCommand(console));
        // What follows the name is the program's.
        line.getSubcommands().get("measure").setStopAtPositional(true);
        line.addSubcommand(new ReportCommand(console));
        line.addSubcommand(new TuneCommand(console, job));
        line.addSubcommand(LoopCommands.tune(console));
        line.addSubcommand(LoopCommands.sweep(console));
        line.addSubcommand(ProfileCommand.create(console));
        line.addSubcommand(new ConvertCommand(console));
        line.addSubcommand("generate", GenerateCommand.create(console));
        line.addSubcommand(new ReadCommand(console));
        line.addSubcommand(new MeshCommand(console));
        line.addSubcommand(new AdaptCommand(console));
        line.addSubcommand(new ListCommand(console));
        line.addSubcommand(new BackendsCommand(console));
        line.addSubcommand(new ConfigCommand(console));
        line.addSubcommand(new CompletionCommand(console));
        ServiceLoader.load(CommandPlugin.class).forEach(plugin -> line.addSubcommand(plugin.create(console, job)));
        if (!line.getSubcommands().containsKey(ExamplePlaceholder.NAME)) {
            line.addSubcommand(new ExamplePlaceholder());
        }
        line.setOut(console.rawOut());
        line.setErr(console.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(console.terminal() ? Ansi.AUTO : Ansi.OFF));
        line.setParameterExceptionHandler((problem, given) -> job.isSilent()
                ? ExitCode.USAGE
                : complain(console, problem));
        line.setExecutionStrategy(parsed -> {
            requireDistributable(job, parsed);
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((problem, command, result) -> report(console, problem));
        return line;
    }

    /** Several processes that do the same on one rank each are a mistake. */
    private static void requireDistributable(RankJob job, CommandLine.ParseResult parsed) {
        boolean isCommand = parsed.hasSubcommand() && !parsed.subcommand().isUsageHelpRequested();
        if (job.isDistributed() && isCommand) {
            CommandLine.ParseResult command = parsed.subcommand();
            String name = command.commandSpec().name();
            // Programs that measure look for their ranks themselves.
            if (!name.equals("run") && !name.equals("measure")) {
                Usage.check(command.commandSpec(), () -> RunCommand.requireDistributable(name));
            }
        }
    }

    @Override
    public void run() {
        throw new ParameterException(line, "a command is missing, expected one of "
                + String.join(", ", line.getSubcommands().keySet()));
    }

    private static int complain(Console console, ParameterException problem) {
        PrintWriter err = console.err();
        CommandLine command = problem.getCommandLine();
        console.complain(problem instanceof UnmatchedArgumentException unmatched
                ? inWords(unmatched, command)
                : inWords(problem.getMessage()));
        if (problem instanceof UnmatchedArgumentException unmatched) {
            suggest(unmatched.getUnmatched().getFirst(), command, err);
        }
        if (problem instanceof MissingParameterException missing) {
            missing.getMissing().forEach(argument -> describe(argument, err));
        }
        suggestValue(problem.getMessage(), err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCode.USAGE;
    }

    /** Types of a language are no words for a number. */
    private static String inWords(String message) {
        return message.replaceAll(" is not an? (?:double|float)$", " is no number")
                .replaceAll(" is not an? (?:int|long|short)$", " is no whole number");
    }

    /** What follows an unknown option may be its value, and so no argument too many. */
    private static String inWords(UnmatchedArgumentException problem, CommandLine command) {
        if (problem.isUnknownOption()) {
            List<String> options = problem.getUnmatched().stream().filter(word -> word.startsWith("-")).toList();
            return (options.size() == 1 ? "Unknown option: '" : "Unknown options: '") + String.join("', '", options)
                    + "'";
        }
        String typed = "'" + problem.getUnmatched().getFirst() + "'";
        String name = command.getCommandSpec().qualifiedName();
        return command.getSubcommands().isEmpty()
                ? typed + " is one argument too many for " + name
                : typed + " is no command of " + name;
    }

    private static void suggest(String typed, CommandLine command, PrintWriter err) {
        Set<String> names = new TreeSet<>(command.getSubcommands().keySet());
        if (typed.startsWith("-")) {
            names.clear();
            command.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
        }
        meant(NearestNames.of(typed.split("=", 2)[0], names), err);
    }

    /** Finds what was meant by a value where the message has both it and what was expected. */
    private static void suggestValue(String message, PrintWriter err) {
        Matcher backend = BACKEND.matcher(message);
        if (backend.find()) {
            List<String> names = Backends.providers().stream().map(BackendProvider::name).toList();
            meant(NearestNames.of(backend.group(1), names), err);
            return;
        }
        Matcher parts = VALUES.matcher(message);
        if (!parts.find()) {
            return;
        }
        String typed = parts.group(1) == null ? parts.group(4) : parts.group(1);
        String expected = parts.group(1) == null ? parts.group(3) : parts.group(2);
        List<String> names = Stream.of(expected.split(", (?:or )?| or "))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> name.matches("[\\w.-]+") && !name.equals(typed)).toList();
        meant(NearestNames.of(typed, names), err);
    }

    private static void meant(List<String> nearest, PrintWriter err) {
        if (!nearest.isEmpty()) {
            err.println("Did you mean " + String.join(" or ", nearest) + "?");
        }
    }

    /** The cases of a mesh, say, are what the user needs to see who left it out. */
    private static void describe(ArgSpec argument, PrintWriter err) {
        err.println("  " + argument.paramLabel() + ": " + String.join(" ", argument.description()));
    }

    /** What a user can mend is a sentence; anything else is a defect and shows where it happened. */
    private static int report(Console console, Exception problem) {
        switch (problem) {
            case Console.ClosedException e -> {
                return ExitCode.CLOSED_PIPE;
            }
            case JobFailedException e when e.getCause() instanceof Console.ClosedException -> {
                return ExitCode.CLOSED_PIPE;
            }
            case JobFailedException e when isPlain(e.getCause()) -> {
                // All ranks have been given the same: what is wrong with it is no matter of one of them.
                return report(console, (Exception) e.getCause());
            }
            case JobFailedException e when memoryProblem(e).isPresent() ->
                console.complain(outOfMemory(memoryProblem(e).get()));
            case IOException e -> console.complain(ErrorMessages.describe(e));
            case UncheckedIOException e -> console.complain(ErrorMessages.describe(e));
            case TrellisException e -> console.complain(e.getMessage());
            case IllegalArgumentException e -> {
                console.complain(e.getMessage());
                suggestValue(String.valueOf(e.getMessage()), console.err());
            }
            default -> {
                Optional<OutOfMemoryError> memory = memoryProblem(problem);
                if (memory.isPresent()) {
                    console.complain(outOfMemory(memory.get()));
                } else {
                    console.complain("this is a defect of trellis:");
                    problem.printStackTrace(console.err());
                }
            }
        }
        console.err().flush();
        return ExitCode.FAILED;
    }

    private static boolean isPlain(Throwable cause) {
        return (cause instanceof TrellisException && !(cause instanceof JobFailedException))
                || cause instanceof IllegalArgumentException;
    }

    /** Prints the version of the library and of Java. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            Provenance provenance = Provenance.of("");
            return new String[]{"Trellis " + provenance.version()
                    + (provenance.revision().isEmpty() ? "" : " (" + provenance.revision() + ")"),
                "Java " + Runtime.version()};
        }
    }
}
