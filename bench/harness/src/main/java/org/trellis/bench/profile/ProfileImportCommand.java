package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.tune.ResultsImport;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes profiles of results. */
@Command(name = "import", sortOptions = false, description = {
    "Makes a profile of results that trellis spmv --parameters all --json wrote. The matrices are read or generated "
            + "again for their features, so their names must mean the same here. Of several measurements of one set of "
            + "parameters the shortest counts."})
final class ProfileImportCommand extends ConsoleCommand {
    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Results, as .json or .json.gz.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--export", paramLabel = "FILE", required = true, description = "The profile to add them to.")
    private Path export;

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
        List<ResultsImport.Imported> imported = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Path file : files) {
            for (ResultsImport.Imported one : ResultsImport.read(file)) {
                imported.add(one);
                names.addAll(one.matrices().keySet());
            }
        }
        try (ConsoleProgress progress = progressOptions.open(console())) {
            MatrixArguments arguments = new MatrixArguments(console(), progress, sourceOptions.locator());
            Map<String, Structure> structures = new LinkedHashMap<>();
            arguments.forEach(names.stream().sorted().toList(), (source, matrix) -> structures.put(source.name(),
                    structure(matrix)), (name, message) -> {});
            Profile written = new ProfileFile(export).update(profile -> add(profile, imported, structures));
            progress.clear();
            console().print("%s: %s", export, written);
            return arguments.failures() == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
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
