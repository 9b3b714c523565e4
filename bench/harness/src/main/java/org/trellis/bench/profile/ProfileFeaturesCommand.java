package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds the features of the matrices of profiles anew. */
@Command(name = "features", sortOptions = false, description = {
    "Finds the features of the matrices in profiles anew, so that models can learn from old results what older "
            + "versions did not compute. Matrices are read or generated again by their names and must have the same "
            + "structure. Those that are not available keep their features."})
final class ProfileFeaturesCommand extends ConsoleCommand {
    private final Map<Fingerprint, MatrixFeatures> found = new HashMap<>();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Profiles with matrices.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--export", paramLabel = "FILE", required = true, description = {
        "Where to write the profiles, joined; what is there already is joined too."})
    private Path export;

    @Option(names = "--among", paramLabel = "MATRIX", split = ";", description = {
        "Further matrices, files or folders, separated by semicolons, to look for structures among whose names mean "
                + "something else here."})
    private List<String> among = new ArrayList<>();

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    ProfileFeaturesCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> OutputFile.check("--export", export));
        Profile joined = new ProfileFile(export).load();
        for (Path file : files) {
            joined = joined.merge(Profile.read(file));
        }
        Map<Fingerprint, String> wanted = new LinkedHashMap<>();
        joined.matrices().forEach((fingerprint, matrix) -> wanted.put(fingerprint, matrix.name()));
        try (ConsoleProgress progress = progressOptions.open(console())) {
            MatrixArguments arguments = new MatrixArguments(console(), progress, sourceOptions.locator());
            List<String> names = wanted.values().stream().distinct().toList();
            arguments.forEach(names, (source, matrix) -> look(matrix, wanted), (name, message) -> {});
            if (!wanted.isEmpty()) {
                arguments.forEach(among, (source, matrix) -> look(matrix, wanted), (name, message) -> {});
            }
        }
        wanted.forEach((fingerprint, name) -> console().complain(name + ": no matrix of the structure " + fingerprint
                + " was found; it keeps the features that it has"));
        Profile all = joined;
        Profile written = new ProfileFile(export).update(present -> present.merge(all).withFeatures(found));
        console().print("%s: features of %d matrices found anew, of %d not; %s", export, found.size(), wanted.size(),
                written);
        return wanted.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void look(CsrMatrix matrix, Map<Fingerprint, String> wanted) {
        Fingerprint fingerprint = Fingerprint.of(matrix);
        if (wanted.remove(fingerprint) != null) {
            found.put(fingerprint, MatrixFeatures.of(matrix));
        }
    }
}
