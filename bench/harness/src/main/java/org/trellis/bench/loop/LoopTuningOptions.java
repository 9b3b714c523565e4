package org.trellis.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.BudgetConverter;
import org.trellis.mesh.MeshOptions;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.loop.LoopTuningSettings;
import org.trellis.tuner.profile.Profile;
import picocli.CommandLine.Option;

/** The options that say how the loops of an application are tuned, for commands that tune them in any case. */
public class LoopTuningOptions {
    @Option(names = "--budget", paramLabel = "30s|2m|N", converter = BudgetConverter.class, description = "Tune by "
            + "runs of their own before the first iteration, not within iterations: time, or number of sets of "
            + "parameters, for all loops together.")
    private SearchBudget budget;

    @Option(names = "--exhaustive", description = "As --budget, with all sets of parameters of each loop.")
    private boolean exhaustive;

    @Option(names = "--layouts", description = "With --budget or --exhaustive: search layouts too.")
    private boolean layouts;

    @Option(names = "--atomics", description = "Try schemes too whose results differ in rounding from run to run.")
    private boolean atomics;

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Begin with the parameters that this tuning profile knows for the loops; may be repeated."})
    private List<Path> profiles = new ArrayList<>();

    @Option(names = "--export", paramLabel = "FILE", description = {
        "Add what was measured of the loops to this profile, which is made if need be."})
    private Path export;

    @Option(names = "--evaluate", paramLabel = "FILE", description = "After tuning within the iterations: measure "
            + "all sets of parameters of each loop, compare what tuning has chosen, and write everything as JSON.")
    private Path evaluation;

    /** Creates options as if the command line had none of them. */
    public LoopTuningOptions() {}

    /**
     * Says whether loops are tuned at all.
     *
     * @return true unless the command also runs without tuning
     */
    protected boolean tunes() {
        return true;
    }

    /**
     * Checks that the options go together.
     *
     * @param options what else the command line says about how loops are run
     * @throws IllegalArgumentException if they do not; says which
     */
    public void check(MeshOptions options) {
        OutputFile.check("--export", export);
        OutputFile.check("--evaluate", evaluation);
        boolean search = budget != null || exhaustive;
        if (budget != null && exhaustive) {
            throw new IllegalArgumentException("--exhaustive has no --budget, expected one of them");
        }
        if (search && !tunes()) {
            throw new IllegalArgumentException("--budget and --exhaustive need --tune");
        }
        if (layouts && !search) {
            throw new IllegalArgumentException("--layouts needs --budget or --exhaustive");
        }
        if (evaluation != null && (search || !tunes())) {
            throw new IllegalArgumentException(
                    "--evaluate needs tuning within iterations, without --budget or --exhaustive"
                            + (tunes() ? "" : " and with --tune"));
        }
        if (export != null && !tunes()) {
            throw new IllegalArgumentException("--export needs --tune");
        }
        boolean free = options.scheme().isEmpty() && options.blockSize().isEmpty() && !options.fission();
        if (!free && (tunes() || !profiles.isEmpty())) {
            throw new IllegalArgumentException("tuning and --profile choose parameters, expected no --scheme, "
                    + "--block-size or --fission (or settings of these) beside them");
        }
        for (Path profile : profiles) {
            if (!Files.isReadable(profile)) {
                throw new IllegalArgumentException("--profile " + profile + ": there is no such file");
            }
        }
    }

    /**
     * Reads the profiles and prepares tuning.
     *
     * @param backend  the backend of the mesh
     * @param console  where results are printed
     * @param progress receives what is measured
     * @return tuning, to be asked for the mesh's options
     * @throws IOException if a profile cannot be read
     */
    public LoopTuningRun start(Backend backend, Console console, ConsoleProgress progress) throws IOException {
        List<Profile> known = new ArrayList<>();
        // A search goes on where the last one was left.
        if (export != null && Files.exists(export)) {
            known.add(Profile.read(export));
        }
        for (Path profile : profiles) {
            known.add(Profile.read(profile));
        }
        return new LoopTuningRun(this, backend, known, console, progress);
    }

    boolean isWithinIterations() {
        return tunes() && budget == null && !exhaustive;
    }

    boolean isSearch() {
        return tunes() && !isWithinIterations();
    }

    SearchBudget budget() {
        return exhaustive ? SearchBudget.EXHAUSTIVE : budget;
    }

    boolean layouts() {
        return layouts;
    }

    Path export() {
        return export;
    }

    Path evaluation() {
        return evaluation;
    }

    LoopTuningSettings settings() {
        return LoopTuningSettings.DEFAULT.withUnrepeatable(atomics);
    }
}
