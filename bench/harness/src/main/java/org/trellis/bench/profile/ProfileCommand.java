package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileException;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Profiles of tuning; only knows its subcommands. */
@Command(name = "profile", sortOptions = false, synopsisSubcommandLabel = "COMMAND",
        description = "Shows, joins and checks tuning profiles, and learns from them.")
public final class ProfileCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    private ProfileCommand() {}

    /**
     * Builds the command and the commands below it.
     *
     * @param console where they print
     * @return the command
     */
    public static CommandLine create(Console console) {
        CommandLine line = new CommandLine(new ProfileCommand());
        line.addSubcommand(new Show(console));
        line.addSubcommand(new Merge(console));
        line.addSubcommand(new Check(console));
        line.addSubcommand(new ProfileTrainCommand(console));
        line.addSubcommand(new ProfileImportCommand(console));
        line.addSubcommand(new ProfileFeaturesCommand(console));
        line.addSubcommand(new ProfileTrainSolversCommand(console));
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, expected one of "
                + String.join(", ", spec.subcommands().keySet()));
    }

    /** Prints what profiles hold. */
    @Command(name = "show", sortOptions = false,
            description = "Prints what profiles hold of each device: the best parameters of products, mesh loops, "
                    + "rings of halos and finite elements, the best solvers of systems, and models.")
    static final class Show extends ConsoleCommand {
        @Parameters(paramLabel = "FILE", arity = "0..*",
                description = "Profiles. Default: those that come with the library.")
        private List<Path> files = new ArrayList<>();

        @Option(names = "--all", description = "Print every result, not only the best of each matrix, loop or system.")
        private boolean all;

        @Mixin
        private HtmlOption html;

        Show(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            checkUsage(html::check);
            TablesPage page = new TablesPage("Tuning profiles");
            if (files.isEmpty()) {
                DefaultProfiles.all().forEach(profile -> show(profile, page));
            }
            for (Path file : files) {
                console().print("%s:", file);
                show(Profile.read(file), page);
            }
            html.write(console(), () -> page.of(provenance()));
            return ExitCode.OK;
        }

        private void show(Profile profile, TablesPage page) {
            for (TuningDevice device : profile.devices()) {
                ProfileLines lines = new ProfileLines(profile, device, all);
                console().print("%s, %s", device, device.properties());
                profile.model(device).ifPresent(this::print);
                lines.kinds().forEach((kind, some) -> {
                    console().print("  %s:", kind);
                    some.forEach(line -> console().print("  %-40s %10s  %s (%s)", line.what(), line.time(), line.how(),
                            line.where()));
                });
                lines.addTo(page, device);
            }
        }

        private void print(SpmvModel model) {
            console().print("  model: %d trees choose from %d sets of parameters by %d features",
                    model.trees().trees(), model.candidates().size(), model.featureNames().size());
        }
    }

    /** Joins profiles. */
    @Command(name = "merge", sortOptions = false, description = {
        "Joins profiles. Of two results of one device, matrix and precision, or mesh loop, and set of parameters the "
                + "later one is kept."})
    static final class Merge extends ConsoleCommand {
        @Parameters(paramLabel = "FILE", arity = "1..*", description = "Profiles to join.")
        private List<Path> files = new ArrayList<>();

        @Option(names = "--export", paramLabel = "FILE", required = true,
                description = "Where to write the result; what is there already is joined too.")
        private Path export;

        @Option(names = "--best", paramLabel = "N",
                description = "Keep only the N best results of each device, matrix and precision, or mesh loop.")
        private Integer best;

        Merge(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            checkUsage(() -> OutputFile.check("--export", export));
            if (best != null && best < 1) {
                throw new ParameterException(spec().commandLine(), "--best is " + best + ", expected at least 1");
            }
            List<Profile> read = new ArrayList<>();
            for (Path file : files) {
                read.add(Profile.read(file));
            }
            Profile merged = new ProfileFile(export).update(present -> {
                Profile joined = present;
                for (Profile profile : read) {
                    joined = joined.merge(profile);
                }
                return best == null ? joined : joined.best(best);
            });
            console().print("%s: %s", export, merged);
            return ExitCode.OK;
        }
    }

    /** Checks profiles. */
    @Command(name = "check", sortOptions = false,
            description = "Says whether profiles can be used, and what is wrong and where if not.")
    static final class Check extends ConsoleCommand {
        @Parameters(paramLabel = "FILE", arity = "1..*", description = "Profiles to check.")
        private List<Path> files = new ArrayList<>();

        @Option(names = "--accept", description = {
            "Sign files anew that were changed by hand, if nothing else is wrong with them."})
        private boolean accept;

        Check(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            Map<Path, String> problems = new TreeMap<>();
            for (Path file : files) {
                try {
                    Profile profile =
                            accept && Files.exists(file) ? new ProfileFile(file).accept() : Profile.read(file);
                    console().print("%s: %s", file, profile);
                } catch (ProfileException e) {
                    problems.put(file, e.getMessage());
                    console().complain(e.getMessage());
                }
            }
            return problems.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
        }
    }
}
