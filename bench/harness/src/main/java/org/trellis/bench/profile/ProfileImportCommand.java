package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ErrorMessages;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.source.MatrixSource;
import org.trellis.bench.tune.ResultsImport;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningResult;
import org.trellis.tuner.solver.SolverImport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes profiles of results, and takes over profiles of other machines. */
@Command(name = "import", sortOptions = false, description = {
    "Makes a profile of results that trellis spmv --parameters all --json wrote, or takes over a profile of another "
            + "machine.",
    "Results: the matrices are read or generated again for their features, so their names must mean the same here. Of "
            + "several measurements of one set of parameters the shortest counts.",
    "Profiles: a few of the systems that the other machine solved are solved here, for some seconds; their times here "
            + "and there scale those of all its solvers. A solver that tunes itself begins with the fastest of them, "
            + "and checks it. All else is kept as that of the other machine and says what is tried next."})
final class ProfileImportCommand extends ConsoleCommand {
    /** About how long systems of each other machine took there that are solved again. */
    private static final double PROBE_SECONDS = 10;
    private static final long SEED = 20140801;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Results or profiles, as .json or .json.gz.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--export", paramLabel = "FILE", required = true, description = "The profile to add them to.")
    private Path export;

    @Option(names = "--among", paramLabel = "MATRIX", split = ";", description = {
        "Profiles: further matrices, files or folders, separated by semicolons, to look for systems among whose names "
                + "mean something else here."})
    private List<String> among = new ArrayList<>();

    @Mixin
    private BackendOptions backendOptions;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    ProfileImportCommand(Console console) {
        super(console);
    }

    private record Structure(Fingerprint fingerprint, MatrixFeatures features) {}

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> OutputFile.check("--export", export));
        List<ResultsImport.Imported> results = new ArrayList<>();
        Profile profiles = Profile.empty();
        Set<String> names = new HashSet<>();
        for (Path file : files) {
            if (ResultsImport.isProfile(file)) {
                profiles = profiles.merge(Profile.read(file));
            } else {
                results.addAll(ResultsImport.read(file));
            }
        }
        results.forEach(one -> names.addAll(one.matrices().keySet()));
        try (ConsoleProgress progress = progressOptions.open(console())) {
            MatrixArguments arguments = new MatrixArguments(console(), progress, sourceOptions.locator());
            Map<String, Structure> structures = new LinkedHashMap<>();
            arguments.forEach(names.stream().sorted().toList(), (source, matrix) -> structures.put(source.name(),
                    structure(matrix)), (name, message) -> {});
            Optional<SolverImport> solvers = profiles.devices().isEmpty()
                    ? Optional.empty()
                    : Optional.of(calibrated(profiles, progress));
            Profile written = new ProfileFile(export).update(profile -> add(
                    solvers.map(found -> found.addTo(profile)).orElse(profile), results, structures));
            progress.clear();
            solvers.ifPresent(found -> found.notes().forEach(note -> console().print("%s", note)));
            console().print("%s: %s", export, written);
            return arguments.failures() == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private SolverImport calibrated(Profile profiles, ConsoleProgress progress) {
        try (Backend backend = backendOptions.openForSystem(spec())) {
            return SolverImport.of(profiles, backend, (name, structure) -> find(name, structure, progress),
                    PROBE_SECONDS, SEED);
        }
    }

    /** Looks under the name that it had there, then among what the user named. */
    private Optional<CsrMatrix> find(String name, Fingerprint structure, ConsoleProgress progress) {
        for (String candidate : Stream.concat(Stream.of(name), among.stream()).toList()) {
            try {
                for (MatrixSource source : sourceOptions.locator().locate(candidate)) {
                    CsrMatrix matrix = source.load(progress);
                    if (Fingerprint.of(matrix).equals(structure)) {
                        return Optional.of(matrix);
                    }
                }
            } catch (IOException | IllegalArgumentException e) {
                progress.clear();
                console().complain(ErrorMessages.describe(e));
            }
        }
        return Optional.empty();
    }

    private static Structure structure(CsrMatrix matrix) {
        return new Structure(Fingerprint.of(matrix), MatrixFeatures.of(matrix));
    }

    private static Profile add(Profile profile, List<ResultsImport.Imported> imported,
            Map<String, Structure> structures) {
        Profile result = profile;
        for (ResultsImport.Imported one : imported) {
            for (Map.Entry<String, List<ResultsImport.Measured>> entry : one.matrices().entrySet()) {
                Structure structure = structures.get(entry.getKey());
                if (structure != null) {
                    Profile before = result;
                    List<TuningResult> shorter = entry.getValue().stream()
                            .map(measured -> measured.of(structure.fingerprint))
                            .filter(made -> before.results(one.device(), made.matrix(), made.precision()).stream()
                                    .noneMatch(old -> old.parameters().equals(made.parameters())
                                            && old.medianSeconds() <= made.medianSeconds()))
                            .toList();
                    result = result.with(one.device(), entry.getKey(), structure.features, shorter);
                }
            }
        }
        return result;
    }
}
