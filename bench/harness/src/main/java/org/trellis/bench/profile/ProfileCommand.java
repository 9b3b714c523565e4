package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.report.Numbers;
import org.trellis.common.Precision;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileException;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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
            description = "Prints what profiles hold: devices, matrices and mesh loops with their best parameters, "
                    + "models.")
    static final class Show extends ConsoleCommand {
        @Parameters(paramLabel = "FILE", arity = "0..*",
                description = "Profiles. Default: those that come with the library.")
        private List<Path> files = new ArrayList<>();

        @Option(names = "--all", description = "Print every result, not the best of each matrix and loop only.")
        private boolean all;

        Show(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            if (files.isEmpty()) {
                DefaultProfiles.all().forEach(this::print);
            }
            for (Path file : files) {
                console().print("%s:", file);
                print(Profile.read(file));
            }
            return ExitCode.OK;
        }

        private void print(Profile profile) {
            for (TuningDevice device : profile.devices()) {
                List<TuningResult> results = profile.results(device);
                List<LoopResult> loops = profile.loopResults(device);
                console().print("%s: %d results%s%n  %s", device, results.size(),
                        loops.isEmpty() ? "" : ", " + loops.size() + " of mesh loops", device.properties());
                profile.model(device).ifPresent(this::print);
                profile.matrices().forEach((fingerprint, matrix) -> {
                    for (Precision precision : Precision.values()) {
                        print(profile, device, fingerprint, matrix.name(), precision);
                    }
                });
                profile.loops().forEach((fingerprint, loop) -> print(profile, device, fingerprint, loop));
            }
        }

        private void print(Profile profile, TuningDevice device, LoopFingerprint fingerprint, LoopFeatures loop) {
            Optional<LoopResult> best = profile.bestOfLoop(device, fingerprint);
            List<LoopResult> results = all
                    ? profile.loopResults(device, fingerprint)
                    : best.map(List::of).orElse(List.of());
            results.forEach(result -> console().print("  %-40s %s %10s  %s (%s, %s)",
                    loop.kernel() + " on " + loop.elements() + " " + loop.set(), loop.precision().label(),
                    result.isCorrect() ? Numbers.seconds(result.medianSeconds()) : result.invalidity().label(),
                    result.parameters(), loop.layouts(), loop.order()));
        }

        private void print(SpmvModel model) {
            console().print("  model: %d trees choose from %d sets of parameters by %d features",
                    model.trees().trees(), model.candidates().size(), model.featureNames().size());
        }

        private void print(Profile profile, TuningDevice device, Fingerprint fingerprint, String name,
                Precision precision) {
            Optional<TuningResult> best = profile.best(device, fingerprint, precision);
            if (all) {
                profile.results(device, fingerprint, precision).forEach(result -> console().print("  %-40s %s %10s  %s",
                        name, precision.label(),
                        result.isCorrect() ? Numbers.seconds(result.medianSeconds()) : result.invalidity().label(),
                        result.parameters()));
            } else {
                best.ifPresent(result -> console().print("  %-40s %s %10s  %s", name, precision.label(),
                        Numbers.seconds(result.medianSeconds()), result.parameters()));
            }
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
