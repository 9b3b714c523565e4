package org.trellis.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.BudgetConverter;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SeedOption;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolverSweepFile;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.report.html.SolverTuningPage;
import org.trellis.bench.report.html.TuningPage;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.solver.SolverChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Searches for the best parameters, or judges run-time tuning. */
@Command(name = "tune", sortOptions = false, description = {
    "Looks for the parameters with which each matrix is multiplied fastest, and keeps what was measured in a profile.",
    "With --evaluate, judges run-time tuning by an exhaustive search.",
    "With --solve, solves a system with each matrix several times, by a solver that tunes itself.",
    "Mesh loops: trellis tune-loops APPLICATION, or within the application's own run (example NAME --tune)."})
public final class TuneCommand extends ConsoleCommand {
    private static final SearchBudget DEFAULT_BUDGET = SearchBudget.ofSeconds(30);
    private static final int DEFAULT_SOLVES = 20;

    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "Matrices to tune.")
    private List<String> matrices = new ArrayList<>();

    @Mixin
    private BackendOptions backendOptions;

    @Option(names = "--precision", paramLabel = "f64|f32", split = ",", converter = PrecisionConverter.class,
            description = "Precisions to tune; may be repeated. Default: f64.")
    private List<Precision> precisions = new ArrayList<>();

    @Option(names = "--budget", paramLabel = "30s|2m|N", converter = BudgetConverter.class,
            description = "Time, or number of sets of parameters, for each matrix and precision. Default: 30s.")
    private SearchBudget budget;

    @Option(names = "--exhaustive", description = "Measure every set of parameters of the backend's space; with "
            + "--solve, every solver of the system's space, each cut off at 3 times the best.")
    private boolean exhaustive;

    @Option(names = "--export", paramLabel = "FILE", description = {
        "Add what was measured to this profile, which is made if need be; what it has already is not measured again."})
    private Path export;

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Begin with what this profile says; may be repeated. The profiles of the library come after it."})
    private List<Path> profiles = new ArrayList<>();

    @Option(names = "--no-defaults", description = "Do without the profiles of the library.")
    private boolean withoutDefaults;

    @Option(names = "--pictures", paramLabel = "DIR", description = {
        "Draw heat maps of the search (threads by rows of a group) and the convergence of run-time tuning here, as "
                + "PNG; made if need be."})
    private Path pictures;

    @Mixin
    private HtmlOption html;

    @Option(names = "--evaluate",
            description = "Tune within the products of a program, then search exhaustively, and print what tuning "
                    + "reached after 1, 5, 10 products and at its end.")
    private boolean evaluate;

    @Option(names = "--products", paramLabel = "N", defaultValue = "60",
            description = "With --evaluate: products that the program makes. Default: 60.")
    private int products;

    @Option(names = "--solve", description = "Tune solvers instead of products: solve a system with each matrix "
            + "several times, from right-hand sides whose solutions are random, and print what was tried.")
    private boolean solve;

    @Option(names = "--solves", paramLabel = "N",
            description = "With --solve: solutions of each system. Default: " + DEFAULT_SOLVES + ".")
    private Integer solves;

    @Option(names = "--fixed", paramLabel = "CHOICE", description = "With --solve: solve with this choice alone, "
            + "without a tuner, such as 'direct' or 'cg with ict(drop=0.1)': what tuning is compared with.")
    private String fixed;

    @Option(names = "--repeat", paramLabel = "30s|2m|N", converter = BudgetConverter.class,
            description = "With --solve: afterwards run the same program again and again in this process, from "
                    + "nothing, for this time or so often, and say what it takes once code is compiled.")
    private SearchBudget repeat;

    @Option(names = "--processor-time", description = "With --solve: count the processor time of the thread that "
            + "solves, not the time on the wall, so that other work on the machine counts little. Needs a backend of "
            + "one thread.")
    private boolean processorTime;

    @Option(names = "--leave-out", paramLabel = "FILE", description = {
        "With --evaluate: learn a model for each matrix from the results in this profile, but not from those of the "
                + "matrix itself, and tune with it. Instead of --profile. If the matrix was searched exhaustively "
                + "there, the twelve best are measured again in place of another search. With --solve: learn from the "
                + "sweeps in this file, which --json wrote, but not from those of the system's family; compare with "
                + "what the system's own sweep says."})
    private Path leaveOut;

    @Mixin
    private JsonOption json;

    @Mixin
    private SeedOption seedOption;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public TuneCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        check();
        try (Backend opened = backendOptions.open(spec());
                ConsoleProgress progress = progressOptions.open(console())) {
            List<Profile> known = knownProfiles();
            MatrixArguments arguments = new MatrixArguments(console(), progress, sourceOptions.locator());
            Optional<ProfileFile> file = Optional.ofNullable(export).map(ProfileFile::new);
            if (solve) {
                return solve(opened, progress, arguments, known, file);
            }
            if (evaluate) {
                TuneEvaluation evaluation = new TuneEvaluation(console(), progress, opened, products, seedOption.seed(),
                        commandLine(), json);
                Optional<Profile> sweeps = leaveOut == null ? Optional.empty() : Optional.of(Profile.read(leaveOut));
                forEach(arguments, (name, matrix) -> evaluation.run(name, matrix, known, sweeps, file));
                evaluation.finish(Optional.ofNullable(pictures));
                write(evaluation::report);
                return arguments.failures() + evaluation.wrong() == 0 ? ExitCode.OK : ExitCode.FAILED;
            }
            SearchBudget chosen = exhaustive ? SearchBudget.EXHAUSTIVE : budget == null ? DEFAULT_BUDGET : budget;
            TuneSearch search = new TuneSearch(console(), progress, opened, chosen, seedOption.seed(),
                    Optional.ofNullable(pictures));
            Advisor advisor = new Advisor(opened, known);
            forEach(arguments, (name, matrix) -> search.run(name, matrix, advisor, file));
            search.end();
            write(() -> search.report(commandLine()));
            return arguments.failures() + search.failures() == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private int solve(Backend opened, ConsoleProgress progress, MatrixArguments arguments, List<Profile> known,
            Optional<ProfileFile> file) throws IOException {
        String threads = opened.device().properties().getOrDefault("threads", "more");
        if (processorTime && !threads.equals("1")) {
            throw new ParameterException(spec().commandLine(), "--processor-time with " + threads + " threads of "
                    + opened.device().name() + ", expected one, as by --backend threads --threads 1");
        }
        SolverTuning.Plan plan = new SolverTuning.Plan(solves == null ? DEFAULT_SOLVES : solves, exhaustive,
                fixedChoice(), Optional.ofNullable(repeat));
        SolverTuning tuning = new SolverTuning(console(), progress,
                processorTime ? new ProcessorTimeBackend(opened) : opened, plan, leaveOut == null
                        ? new SolverSweepFile(DEFAULT_SOLVES, List.of())
                        : SolverSweepFile.read(List.of(leaveOut)),
                seedOption.seed());
        Provenance provenance = provenance();
        forEach(arguments, (name, matrix) -> {
            tuning.run(name, matrix, known, file);
            json.write(() -> tuning.document().toJson(provenance));
        });
        tuning.end();
        json.write(console(), () -> tuning.document().toJson(provenance));
        html.write(console(), () -> SolverTuningPage.of(tuning.document(), provenance));
        return arguments.failures() + tuning.failures() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private Optional<SolverChoice> fixedChoice() {
        try {
            return Optional.ofNullable(fixed).map(SolverChoice::parse);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--fixed is '" + fixed + "': " + e.getMessage(), e);
        }
    }

    private void write(Supplier<TuningReport> source) throws IOException {
        html.write(console(), () -> TuningPage.of(source.get()));
    }

    private interface Action {
        void accept(String name, CsrMatrix matrix) throws IOException;
    }

    private void forEach(MatrixArguments arguments, Action action) {
        arguments.forEach(matrices, (source, matrix) -> {
            for (Precision precision : precisions.isEmpty() ? List.of(Precision.F64) : precisions) {
                action.accept(source.name(), matrix.toPrecision(precision));
            }
        }, (name, message) -> {});
    }

    private void check() {
        checkUsage(() -> {
            OutputFile.check("--export", export);
            json.check();
            html.check();
            OutputFile.checkPictureFolder("--pictures", pictures);
        });
        if (exhaustive && budget != null) {
            throw new ParameterException(spec().commandLine(), "--exhaustive has no --budget, expected one of them");
        }
        if (!evaluate && !solve && (leaveOut != null || json.isGiven())) {
            throw new ParameterException(spec().commandLine(),
                    "--leave-out and --json need --evaluate or --solve");
        }
        if (solve && (evaluate || budget != null || pictures != null)) {
            throw new ParameterException(spec().commandLine(), "--solve with --evaluate, --budget or --pictures, "
                    + "expected --solves, --exhaustive, --profile, --export, --json or --html");
        }
        if (solves != null && (!solve || solves < 1)) {
            throw new ParameterException(spec().commandLine(), solve
                    ? "--solves is " + solves + ", expected at least 1"
                    : "--solves without --solve, expected both");
        }
        if (!solve && (fixed != null || repeat != null)) {
            throw new ParameterException(spec().commandLine(),
                    (fixed != null ? "--fixed" : "--repeat") + " without --solve, expected both");
        }
        if (fixed != null && (export != null || !profiles.isEmpty() || leaveOut != null)) {
            throw new ParameterException(spec().commandLine(), "--fixed with --export, --profile or --leave-out, "
                    + "expected none of them, since nothing is tuned");
        }
        if (processorTime && !solve) {
            throw new ParameterException(spec().commandLine(), "--processor-time without --solve, expected both");
        }
        if (products < 1) {
            throw new ParameterException(spec().commandLine(), "--products is " + products + ", expected at least 1");
        }
    }

    private List<Profile> knownProfiles() throws IOException {
        List<Profile> known = new ArrayList<>();
        for (Path path : profiles) {
            known.add(Profile.read(path));
        }
        if (export != null && Files.exists(export)) {
            known.add(Profile.read(export));
        }
        if (!withoutDefaults) {
            known.addAll(DefaultProfiles.all());
        }
        return known;
    }
}
