package org.trellis.bench.tune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
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
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.ProductTuningDocument;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolverSweepFile;
import org.trellis.bench.report.SolverTuningDocument;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.report.html.ProductsAndSolversPage;
import org.trellis.bench.report.html.SolverTuningPage;
import org.trellis.bench.report.html.TuningPage;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.solver.SolverChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Searches for the best parameters, or judges run-time tuning. */
@Command(name = "tune", sortOptions = false, description = {
    "Looks for the parameters with which each matrix is multiplied fastest, and keeps what was measured in a profile.",
    "With --evaluate, judges run-time tuning by an exhaustive search.",
    "With --solve, solves a system with each matrix after it several times, by a solver that tunes itself, once the "
            + "products of those before it are tuned: all of it goes into one profile, one document and one page.",
    "Over ranks (trellis run --ranks N tune --solve): the solvers and, within the same solutions, their rings.",
    "Mesh loops: trellis tune-loops APPLICATION, or within the application's own run (example NAME --tune)."})
public final class TuneCommand extends ConsoleCommand {
    private static final SearchBudget DEFAULT_BUDGET = SearchBudget.ofSeconds(30);
    private static final int DEFAULT_SOLVES = 20;

    private final RankJob job;

    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "Matrices to tune: those before --solve for "
            + "products, those after it for solvers. Where none follows --solve, those before it are for solvers.")
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

    @Option(names = "--solve", preprocessor = WhereSolveIs.class, description = "Tune solvers: solve a system with "
            + "each matrix that follows several times, from right-hand sides whose solutions are random, and print "
            + "what was tried.")
    private boolean solve;

    /** How many matrices were named before --solve. */
    private int beforeSolve;

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

    /** Notes which matrices come before --solve. */
    private static final class WhereSolveIs implements IParameterPreprocessor {
        @Override
        public boolean preprocess(Stack<String> rest, CommandSpec command, ArgSpec option, Map<String, Object> facts) {
            TuneCommand tune = (TuneCommand) command.userObject();
            tune.beforeSolve = tune.matrices.size();
            return false;
        }
    }

    /**
     * Makes the command.
     *
     * @param console where it prints
     * @param job     the ranks
     */
    public TuneCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    private List<String> systems() {
        return solve
                ? matrices.subList(beforeSolve == matrices.size() ? 0 : beforeSolve, matrices.size())
                : List.of();
    }

    private List<String> products() {
        return matrices.subList(0, matrices.size() - systems().size());
    }

    @Override
    public Integer call() throws IOException {
        check();
        if (job.isDistributed()) {
            checkUsage(job::requireDivision);
            List<MatrixSource> sources = new ArrayList<>();
            for (String name : systems()) {
                sources.addAll(sourceOptions.locator().locate(name));
            }
            return job.run(communicator -> solveOnRanks(communicator, sources));
        }
        try (Backend opened = backendOptions.open(spec());
                ConsoleProgress progress = progressOptions.open(console())) {
            List<Profile> known = knownProfiles();
            MatrixArguments arguments = new MatrixArguments(console(), progress, sourceOptions.locator());
            Optional<ProfileFile> file = Optional.ofNullable(export).map(ProfileFile::new);
            return evaluate
                    ? evaluate(opened, progress, arguments, known, file)
                    : tune(opened, progress, arguments, known, file);
        }
    }

    private int evaluate(Backend opened, ConsoleProgress progress, MatrixArguments arguments, List<Profile> known,
            Optional<ProfileFile> file) throws IOException {
        TuneEvaluation evaluation = new TuneEvaluation(console(), progress, opened, products, seedOption.seed(),
                commandLine(), json);
        Optional<Profile> sweeps = leaveOut == null ? Optional.empty() : Optional.of(Profile.read(leaveOut));
        forEach(arguments, located(arguments, matrices),
                (name, matrix) -> evaluation.run(name, matrix, known, sweeps, file));
        evaluation.finish(Optional.ofNullable(pictures));
        html.write(console(), () -> TuningPage.of(evaluation.report()));
        return arguments.failures() + evaluation.wrong() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Products first, then solvers, which begin with what the profile knows by then. */
    private int tune(Backend opened, ConsoleProgress progress, MatrixArguments arguments, List<Profile> known,
            Optional<ProfileFile> file) throws IOException {
        TuneSearch search = productTuning(opened, progress);
        SolverTuning tuning = solverTuning(opened, progress);
        Provenance provenance = provenance();
        Supplier<String> document = () -> systems().isEmpty()
                ? ProductTuningDocument.of(search.report(provenance))
                : tuning.document(search.searches()).toJson(provenance);
        List<MatrixSource> multiplied = located(arguments, products());
        List<MatrixSource> solved = located(arguments, systems());
        Advisor advisor = new Advisor(opened, known);
        forEach(arguments, multiplied, (name, matrix) -> {
            search.run(name, matrix, advisor, file);
            json.write(document);
        });
        search.end();
        List<Profile> learnt = multiplied.isEmpty() ? known : knownProfiles();
        forEach(arguments, solved, (name, matrix) -> {
            tuning.run(name, matrix, learnt, file);
            json.write(document);
        });
        tuning.end();
        json.write(console(), document);
        html.write(console(), () -> page(search.report(provenance), tuning));
        return arguments.failures() + search.failures() + tuning.failures() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Runs on every rank alike; rank 0 reads, prints and writes. */
    private int solveOnRanks(Communicator communicator, List<MatrixSource> sources) {
        boolean first = communicator.rank() == 0;
        try (ConsoleProgress progress = progressOptions.open(console(), first);
                RankBackend backend = new RankBackend(communicator,
                        job.open(communicator).orElseGet(backendOptions::openForRank))) {
            SolverTuning tuning = solverTuning(backend.own(), progress);
            RankedSolverTuning ranked = new RankedSolverTuning(job, communicator, backend, tuning,
                    seedOption.seed(), export, console(), progress);
            Provenance provenance = provenance();
            JobFacts facts = new JobFacts(communicator.size(), job.describe(communicator, Optional.empty()), 1,
                    DeviceTransports.of(backend.own()).orElse(null));
            if (first) {
                console().print("%s, rows divided by %s", facts, job.partitioner());
            }
            Supplier<SolverTuningDocument> document = () -> tuning.document(List.of(), Optional.of(facts));
            for (MatrixSource source : sources) {
                for (Precision precision : tunedPrecisions()) {
                    ranked.run(source, precision, first ? knownProfiles() : List.of());
                    if (first) {
                        json.write(() -> document.get().toJson(provenance));
                    }
                }
            }
            if (first) {
                tuning.end();
                json.write(console(), () -> document.get().toJson(provenance));
                html.write(console(), () -> SolverTuningPage.of(document.get(), provenance));
            }
            return ranked.failures() == 0 ? ExitCode.OK : ExitCode.FAILED;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TuneSearch productTuning(Backend opened, ConsoleProgress progress) {
        SearchBudget chosen = exhaustive ? SearchBudget.EXHAUSTIVE : budget == null ? DEFAULT_BUDGET : budget;
        return new TuneSearch(console(), progress, opened, chosen, seedOption.seed(), Optional.ofNullable(pictures));
    }

    private SolverTuning solverTuning(Backend opened, ConsoleProgress progress) throws IOException {
        String threads = opened.device().properties().getOrDefault("threads", "more");
        if (processorTime && !threads.equals("1")) {
            throw new ParameterException(spec().commandLine(), "--processor-time with " + threads + " threads of "
                    + opened.device().name() + ", expected one, as by --backend threads --threads 1");
        }
        return new SolverTuning(console(), progress, processorTime ? new ProcessorTimeBackend(opened) : opened, plan(),
                leaveOut == null
                        ? new SolverSweepFile(DEFAULT_SOLVES, List.of())
                        : SolverSweepFile.read(List.of(leaveOut)),
                seedOption.seed());
    }

    private SolverTuning.Plan plan() {
        return new SolverTuning.Plan(solves == null ? DEFAULT_SOLVES : solves, exhaustive, fixedChoice(),
                Optional.ofNullable(repeat));
    }

    private String page(TuningReport multiplied, SolverTuning tuning) {
        if (systems().isEmpty()) {
            return TuningPage.of(multiplied);
        }
        SolverTuningDocument solved = tuning.document(multiplied.searches());
        return products().isEmpty()
                ? SolverTuningPage.of(solved, multiplied.provenance())
                : ProductsAndSolversPage.of(multiplied, solved);
    }

    private Optional<SolverChoice> fixedChoice() {
        try {
            return Optional.ofNullable(fixed).map(SolverChoice::parse);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--fixed is '" + fixed + "': " + e.getMessage(), e);
        }
    }

    private interface Action {
        void accept(String name, CsrMatrix matrix) throws IOException;
    }

    private static List<MatrixSource> located(MatrixArguments arguments, List<String> names) {
        return arguments.locate(names, (name, message) -> {});
    }

    private void forEach(MatrixArguments arguments, List<MatrixSource> sources, Action action) {
        arguments.forEachOf(sources, (source, matrix) -> {
            for (Precision precision : tunedPrecisions()) {
                action.accept(source.name(), matrix.toPrecision(precision));
            }
        }, (name, message) -> {});
    }

    private List<Precision> tunedPrecisions() {
        return precisions.isEmpty() ? List.of(Precision.F64) : precisions;
    }

    private void check() {
        checkUsage(() -> {
            OutputFile.check("--export", export);
            json.check();
            html.check();
            OutputFile.checkPictureFolder("--pictures", pictures);
        });
        refuse(exhaustive && budget != null, "--exhaustive has no --budget, expected one of them");
        refuse(products < 1, "--products is " + products + ", expected at least 1");
        if (systems().isEmpty()) {
            checkWithoutSolve();
        } else {
            checkSolve();
        }
        if (job.isDistributed()) {
            checkRanks();
        }
    }

    private void checkRanks() {
        refuse(!products().isEmpty(), "tune on several ranks with matrices for products, expected --solve and systems: "
                + "solvers and their rings are what ranks tune");
        refuse(exhaustive || fixed != null || repeat != null || processorTime || leaveOut != null, "--exhaustive, "
                + "--fixed, --repeat, --processor-time or --leave-out on several ranks, expected one rank, or one of "
                + "--solves, --precision, --profile, --export, --json, --html");
    }

    private void checkWithoutSolve() {
        refuse(!evaluate && leaveOut != null, "--leave-out needs --evaluate or --solve");
        refuse(solves != null, "--solves without --solve, expected both");
        refuse(fixed != null, "--fixed without --solve, expected both");
        refuse(repeat != null, "--repeat without --solve, expected both");
        refuse(processorTime, "--processor-time without --solve, expected both");
    }

    private void checkSolve() {
        refuse(evaluate, "--solve with --evaluate, expected one of them");
        refuse(products().isEmpty() && (budget != null || pictures != null), "--solve with --budget or --pictures, "
                + "which are for products, expected matrices before --solve, whose products are tuned, and others "
                + "after it");
        refuse(solves != null && solves < 1, "--solves is " + solves + ", expected at least 1");
        refuse(fixed != null && (export != null || !profiles.isEmpty() || leaveOut != null), "--fixed with --export, "
                + "--profile or --leave-out, expected none of them, since nothing is tuned");
        refuse(!products().isEmpty() && (fixed != null || processorTime), (fixed != null
                ? "--fixed"
                : "--processor-time")
                + " with matrices before --solve, expected all of them after it, since it is for solvers alone");
    }

    private void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec().commandLine(), message);
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
