package org.trellis.bench.cli;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** Prints what completes commands and options in a shell. */
@Command(name = "completion", description = {"Prints a script that completes commands, options and their values.",
    "bash and zsh: source <(trellis completion bash), or zsh; fish: trellis completion fish | source."})
final class CompletionCommand extends ConsoleCommand {
    private static final String NAME = "trellis";

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    /** The shells that there are scripts for. */
    enum Shell {
        /** Bash. */
        BASH,
        /** Zsh, which runs the script of bash once its compatible completion is loaded. */
        ZSH,
        /** Fish. */
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    CompletionCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        CommandLine root = spec().root().commandLine();
        console().printText(shell == Shell.FISH ? fish(root) : AutoComplete.bash(NAME, root));
        return ExitCode.OK;
    }

    private static String fish(CommandLine root) {
        StringBuilder out = new StringBuilder("# Completion of ").append(NAME).append(" for fish\n");
        String names = String.join(" ", root.getSubcommands().keySet());
        root.getSubcommands().forEach((name, command) -> {
            line(out, "not __fish_seen_subcommand_from " + names).append(" -f -a ").append(name)
                    .append(described(command.getCommandSpec().usageMessage().description()));
            addSubcommand(out, name, command);
        });
        return out.append('\n').toString();
    }

    private static void addSubcommand(StringBuilder out, String name, CommandLine command) {
        String here = "__fish_seen_subcommand_from " + name;
        command.getSubcommands().forEach((inner, child) -> line(out, here).append(" -a ").append(inner)
                .append(described(child.getCommandSpec().usageMessage().description())));
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.hidden()) {
                continue;
            }
            line(out, here);
            for (String spelling : option.names()) {
                out.append(spelling.startsWith("--") ? " -l " : " -s ").append(spelling.replaceAll("^-+", ""));
            }
            if (option.arity().max() > 0) {
                out.append(" -r");
            }
            Collection<String> values = values(option);
            if (!values.isEmpty()) {
                out.append(" -f -a '").append(String.join(" ", values)).append('\'');
            }
            out.append(described(option.description()));
        }
    }

    private static Collection<String> values(OptionSpec option) {
        Collection<String> values = new LinkedHashSet<>();
        if (option.completionCandidates() != null) {
            option.completionCandidates().forEach(values::add);
        }
        return values;
    }

    private static StringBuilder line(StringBuilder out, String condition) {
        return out.append("\ncomplete -c ").append(NAME).append(" -n '").append(condition).append('\'');
    }

    /** The first sentence, as a quoted word of fish. */
    private static String described(String... description) {
        if (description.length == 0) {
            return "";
        }
        String text = description[0].replaceAll("\\$\\{[^}]*}", "").split("(?<=\\.)\\s", 2)[0];
        return " -d '" + text.replace("\\", "\\\\").replace("'", "\\'") + '\'';
    }
}
