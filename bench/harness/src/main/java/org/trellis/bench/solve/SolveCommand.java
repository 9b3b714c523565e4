package org.trellis.bench.solve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.bench.direct.DirectSolve;
import org.trellis.bench.direct.QrSolve;
import org.trellis.bench.matrix.ConvertCommand;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RankMatrices;
import org.trellis.bench.ranks.TransportText;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolveDocument;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.SurveyDocument;
import org.trellis.bench.report.chart.ResidualChart;
import org.trellis.bench.report.html.SolvePage;
import org.trellis.bench.source.MatrixSource;
import org.trellis.bench.source.VectorFiles;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.krylov.NodeBlocks;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.online.TunedMatrices;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Solves a system. */
@Command(name = "solve", sortOptions = false, description = {
    "Solves A x = b from x = 0.",
    "Without --rhs, b is A times the vector of ones, so that the solution is known and its error is known.",
    "Without further options method, preconditioner, tolerance and backend are those of Solvers.auto in the library: "
            + "chosen by what the matrix is, and the host's backend unless the setting trellis.backend names one."})
public final class SolveCommand extends ConsoleCommand {
    private final RankJob job;

    @Parameters(paramLabel = "MATRIX", description = "The matrix A.")
    private String input;

    @Option(names = "--rhs", paramLabel = "FILE", description = "The right-hand side b, as a Matrix Market array.")
    private Path rhs;

    @Option(names = "--survey",
            description = "Solve with every matrix that MATRIX stands for (a folder, a pattern), one after the other, "
                    + "and print a table of the results. --max-seconds is for each.")
    private boolean survey;

    @Mixin
    private StackOptions stackOptions;

    @Mixin
    private PeerOptions peerOptions;

    @Mixin
    private BackendOptions backendOptions;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "The precision of the solution. Default: f64.")
    private Precision precision;

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Begin with the parameters that this tuning profile proposes, tune the product within the iterations, and add "
                + "what was learnt; made if need be. Over ranks, this goes for --method tuned, and else for "
                + "--rings tuned, which is meant then."})
    private Path profile;

    @Option(names = "--rings", paramLabel = "N[,N]|auto|tuned", converter = RingsConverter.class,
            description = "Over ranks, how many rings the smoothers of amg, or chebyshev, sweeps by colours, such as "
                    + "ssor, or bases of s-step methods exchange at once, of amg finest level first, the last for "
                    + "all further ones; or what a model proposes; or what it proposes and times within iterations "
                    + "correct. With --method tuned: auto or tuned. Default: auto.")
    private RingChoice rings;

    @Option(names = "--output", paramLabel = "FILE", description = "Write x as a Matrix Market array.")
    private Path output;

    @Mixin
    private JsonOption json;

    @Option(names = "--plot", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PLOT,
            description = "Draw the residuals over the iterations, as PNG. Without FILE: " + OutputFile.DEFAULT_PLOT
                    + ".")
    private Path plot;

    @Option(names = "--plot-time", paramLabel = "FILE", description = "Draw the residuals over time, as PNG.")
    private Path plotTime;

    @Mixin
    private HtmlOption html;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Makes the command.
     *
     * @param console where it prints
     * @param job     the ranks
     */
    public SolveCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        if (stackOptions.isDirect()) {
            return solveDirectly();
        }
        if (stackOptions.isTuned()) {
            return solveTuned();
        }
        List<SolverConfig> stacks = stacks();
        List<SolverPeer> peers = checked(() -> peerOptions.peers(precision));
        if (rings != null && !job.isDistributed()) {
            throw new ParameterException(spec().commandLine(), "--rings on one rank, which exchanges nothing, expected "
                    + "run --ranks N solve");
        }
        if (job.isDistributed()) {
            checkUsage(() -> requireDistributable(stacks, peers));
            MatrixSource source = source();
            VectorFiles files = VectorFiles.of(source);
            return job.run(communicator -> solveOnRanks(communicator, source, files, stacks, null));
        }
        try (Backend opened = backendOptions.openForSystem(spec());
                ConsoleProgress progress = progressOptions.open(console())) {
            if (survey) {
                return survey(stacks, peers.isEmpty(), opened, progress);
            }
            MatrixSource source = source();
            VectorFiles files = VectorFiles.of(source);
            CsrMatrix matrix = source.load(progress).toPrecision(precision);
            stacks.forEach(stack -> stack.announce(matrix, opened));
            Optional<ProfileFile> file = Optional.ofNullable(profile).map(ProfileFile::new);
            TunedMatrices tuned = file.isPresent() ? tunedMatrices(opened, file.get()) : null;
            Optional<NearNullSpace> space = nearNullSpace(matrix, stacks);
            try (ContenderSolver solver = new ContenderSolver(matrix, opened, tuned, space);
                    PeerContenders others =
                            new PeerContenders(console(), peers, peerOptions.settings(backendOptions))) {
                ContenderSolver.refuseUnsuitable(matrix, stacks);
                HostVector b = rhs == null ? solver.productWithOnes() : readRhs(files);
                others.open(matrix, b, stacks, solver, progress);
                HostVector x = HostVector.zeros(precision, matrix.columns());
                HostVector known = rhs == null ? HostVector.zeros(precision, matrix.columns()).fill(1) : null;
                List<SolveRun> runs = solver.solve(stacks, b, x, stackOptions.rounds(!others.isEmpty()), known, others,
                        progress);
                progress.clear();
                SolveDocument document =
                        new SolveDocument(source.name(), matrix, opened.name(), solver.product(), runs, null,
                                null);
                print(document, files);
                write(document, x, files);
                if (file.isPresent()) {
                    file.get().update(before -> tuned.export(before, source.name()));
                    console().print("  profile           %s", file.get());
                }
                return others.haveFailed() ? ExitCode.FAILED : exitCode(runs);
            }
        }
    }

    private int solveDirectly() throws IOException {
        boolean qr = stackOptions.isQr();
        LuOptions options = qr ? null : checked(stackOptions::direct);
        QrSolve.Settings settings = qr ? checked(stackOptions::qr) : null;
        List<DirectPeer> peers = checked(peerOptions::directPeers);
        if (job.isDistributed() || survey || profile != null || rings != null || html.isGiven() || plot != null
                || plotTime != null) {
            throw new ParameterException(spec().commandLine(),
                    "--method direct or qr on several ranks, or with --survey, "
                            + "--profile, --rings, --html or a plot, expected one rank and --rhs, --output or --json");
        }
        checkUsage(() -> OutputFile.check("--output", output));
        checkUsage(json::check);
        MatrixSource source = source();
        try (ConsoleProgress progress = progressOptions.open(console())) {
            CsrMatrix matrix = source.load(progress).toPrecision(precision);
            VectorFiles files = VectorFiles.of(source);
            noteRealForm(files);
            HostVector right = rhs == null ? null : readRhs(files);
            Provenance provenance = provenance();
            int rounds = stackOptions.directRounds(!peers.isEmpty());
            return qr
                    ? new QrSolve(console(), settings, peers, rounds).solve(source.name(), matrix, right, output, files,
                            json, provenance, progress)
                    : new DirectSolve(console(), options, peers, rounds).solve(source.name(), matrix, right, output,
                            files,
                            json, provenance, progress);
        }
    }

    private int solveTuned() throws IOException {
        StoppingCriteria criteria = checked(() -> stackOptions.tuned(precision));
        List<SolverPeer> peers = checked(() -> peerOptions.peers(precision));
        if (survey || !peers.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "--method tuned with "
                    + (survey ? "--survey" : "--peer")
                    + ", expected one matrix, and no word about what it chooses");
        }
        if (rings != null && !job.isDistributed()) {
            throw new ParameterException(spec().commandLine(), "--method tuned with --rings, for which one rank has no "
                    + "use, expected run --ranks N solve");
        }
        if (rings != null && !rings.tuned() && !rings.rings().isEmpty()) {
            throw new ParameterException(spec().commandLine(), "--method tuned with --rings " + rings
                    + ", expected auto or tuned, since what it tries differs in levels");
        }
        checkUsage(this::checkFiles);
        TunedRounds rounds = new TunedRounds(stackOptions.rounds(false), criteria, stackOptions.hasNullSpace());
        MatrixSource source = source();
        if (job.isDistributed()) {
            checkUsage(job::requireDivision);
            VectorFiles files = VectorFiles.of(source);
            List<SolverConfig> stacks = List.of(SolverConfig.of(SolverConfig.AUTO, SolverConfig.AUTO));
            return job.run(communicator -> solveOnRanks(communicator, source, files, stacks, rounds));
        }
        try (Backend opened = backendOptions.open(spec());
                ConsoleProgress progress = progressOptions.open(console())) {
            CsrMatrix matrix = source.load(progress).toPrecision(precision);
            VectorFiles files = VectorFiles.of(source);
            noteRealForm(files);
            HostVector b = rhs == null ? null : readRhs(files);
            HostVector x = HostVector.zeros(precision, matrix.columns());
            TunedSolve solve = new TunedSolve(opened, matrix, rounds);
            Optional<ProfileFile> file = Optional.ofNullable(profile).map(ProfileFile::new);
            SolveRun run = solve.run(source.name(), b, x, file, progress);
            progress.clear();
            SolveDocument document = new SolveDocument(source.name(), matrix, opened.name(), solve.product(),
                    List.of(run), null, solve.tuning());
            print(document, files);
            solve.tuning().lines().forEach(line -> console().print("  %s", line));
            write(document, x, files);
            file.ifPresent(found -> console().print("  profile           %s", found));
            return exitCode(List.of(run));
        }
    }

    private void requireDistributable(List<SolverConfig> stacks, List<SolverPeer> peers) {
        stacks.forEach(PartitionedSolver::refuse);
        if (!peers.isEmpty()) {
            throw new IllegalArgumentException("--peer on several ranks, expected on one: peers start processes of "
                    + "their own, whose number --peer-processes says");
        }
        if (rings != null && stacks.stream().noneMatch(PartitionedSolver::takesRings)) {
            throw new IllegalArgumentException("--rings with preconditioner " + stacks.getFirst().preconditioner()
                    + ", expected amg, chebyshev or ssor, or method s-step or s-step-gmres; schwarz has its option "
                    + "overlap");
        }
        if (survey) {
            throw new IllegalArgumentException("--survey on several ranks, expected on one");
        }
        SolverRings.refuse(rings, profile, stacks);
        job.requireDivision();
    }

    /** Runs on every rank alike; rank 0 reads, prints and writes. Rounds are those of a solver that tunes itself. */
    @SuppressWarnings("MustBeClosed") // closed with the ranks' backend
    private int solveOnRanks(Communicator communicator, MatrixSource source, VectorFiles files,
            List<SolverConfig> stacks, TunedRounds rounds) {
        boolean first = communicator.rank() == 0;
        try (ConsoleProgress progress = progressOptions.open(console(), first);
                RankBackend backend = new RankBackend(communicator,
                        job.open(communicator).orElseGet(backendOptions::openForRank))) {
            CsrMatrix loaded = RankMatrices.load(communicator, source, progress);
            CsrMatrix whole = first ? loaded.toPrecision(precision) : null;
            if (first) {
                ContenderSolver.refuseUnsuitable(whole, stacks);
            }
            NearNullSpace modes = first ? nearNullSpace(whole, stacks).orElse(null) : null;
            long block = communicator.greatest(modes == null ? unknownsOfNodes(whole, stacks) : modes.blockSize());
            PartitionedMatrix matrix = RankMatrices.divide(communicator, whole, job, (int) block);
            try (HaloPlan plan = HaloPlan.of(matrix, 1, backend.own());
                    PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
                SolverRings choices =
                        SolverRings.of(rings, (int) block, rounds == null || tunesRings() ? profile : null,
                                whole, job, communicator);
                RankedTuning tuning = rounds == null
                        ? null
                        : RankedTuning.of(rounds, choices, profile, whole, backend.own(), communicator);
                RankedSolver solver =
                        new RankedSolver(matrix, operator, backend, choices, RankSpace.spread(matrix, 0, modes));
                HostVector b = rhs == null ? solver.productWithOnes() : matrix.spread(0, first ? readRhs(files) : null);
                HostVector x = matrix.vector(i -> 0);
                double known = rhs == null ? 1 : Double.NaN;
                List<SolveRun> runs = tuning == null
                        ? solver.solve(stacks, b, x, stackOptions.rounds(false), known, progress)
                        : List.of(solver.solve(tuning, b, x, known, progress));
                HostVector solution = matrix.gather(0, x);
                progress.clear();
                if (first) {
                    SolveDocument document = new SolveDocument(source.name(), whole, backend.name(),
                            operator.product(), runs,
                            new JobFacts(communicator.size(), job.describe(communicator, plan.transport()),
                                    plan.activeRings(), DeviceTransports.of(backend.own()).orElse(null)),
                            tuning == null ? null : tuning.tuning());
                    print(document, files);
                    if (tuning == null) {
                        choices.report(console(), source.name(), runs, solver.rings());
                    } else {
                        tuning.report(console(), source.name(), whole, backend, communicator.size());
                    }
                    write(document, solution, files);
                }
                return exitCode(runs);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean tunesRings() {
        return rings != null && rings.tuned();
    }

    private int survey(List<SolverConfig> stacks, boolean alone, Backend backend, ConsoleProgress progress)
            throws IOException {
        if (stacks.size() > 1 || !alone || rhs != null || output != null || profile != null || html.isGiven()
                || plot != null || plotTime != null) {
            throw new ParameterException(spec().commandLine(), "--survey with --compare, --peer, --rhs, --output, "
                    + "--profile, --html or a plot, expected one way of solving and perhaps --json");
        }
        SurveyDocument found = new SolveSurvey(console(), stacks.getFirst(), backend, precision)
                .of(sourceOptions.locator().locate(input), progress);
        console().printText(found.table().text());
        found.rows().stream().filter(row -> !row.problem().isEmpty())
                .forEach(row -> console().print("  %s: %s", row.name(), row.problem()));
        console().print("  %s of %s solved", Numbers.count(found.solved()), Numbers.count(found.rows().size()));
        json.write(console(), () -> found.toJson(provenance()));
        return found.solved() == found.rows().size() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
    }

    private static int exitCode(List<SolveRun> runs) {
        return runs.stream().allMatch(run -> run.report().converged()) ? ExitCode.OK : ExitCode.NOT_CONVERGED;
    }

    private HostVector readRhs(VectorFiles files) throws IOException {
        HostVector right = files.read(rhs, precision);
        FiniteInput.require("right-hand side", right.toDoubleArray());
        return right;
    }

    /** What the command line wants is checked before anything is done. */
    private List<SolverConfig> stacks() throws IOException {
        try {
            checkFiles();
            return stackOptions.stacks(precision);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
    }

    private void checkFiles() {
        OutputFile.check("--profile", profile);
        OutputFile.check("--output", output);
        json.check();
        html.check();
        OutputFile.check("--save-config", stackOptions.saved());
        OutputFile.checkPicture("--plot", plot);
        OutputFile.checkPicture("--plot-time", plotTime);
    }

    /** Reads what coarse levels are to represent; a block size of the first multigrid is that of all. */
    private Optional<NearNullSpace> nearNullSpace(CsrMatrix matrix, List<SolverConfig> stacks) throws IOException {
        return stackOptions.multigrid().read(matrix.rows(), blockSize(stacks));
    }

    /**
     * Nodes stay together where multigrid is given their size, or the automatic choice will see them, and so do real
     * and imaginary parts.
     */
    private static int unknownsOfNodes(CsrMatrix whole, List<SolverConfig> stacks) {
        if (stacks.stream().anyMatch(stack -> !stack.isAutomatic() && stack.krylovMethod().isComplex())) {
            return blockSize(stacks).map(Integer::parseInt).orElse(2);
        }
        boolean seen = whole != null && stacks.stream().anyMatch(SolverConfig::isAutomatic);
        return blockSize(stacks).map(Integer::parseInt).orElseGet(() -> seen ? NodeBlocks.sizeOf(whole) : 1);
    }

    private static Optional<String> blockSize(List<SolverConfig> stacks) {
        return stacks.stream().map(s -> s.preconditionerOptions().get("block-size")).filter(Objects::nonNull)
                .findFirst();
    }

    /** The file comes first, then the library's own profiles. */
    private static TunedMatrices tunedMatrices(Backend backend, ProfileFile file) throws IOException {
        List<Profile> known = new ArrayList<>(List.of(file.load()));
        known.addAll(DefaultProfiles.all());
        return new TunedMatrices(backend, new Advisor(backend, known), TuningSettings.DEFAULT);
    }

    private MatrixSource source() throws IOException {
        List<MatrixSource> sources = sourceOptions.locator().locate(input);
        if (sources.size() != 1) {
            throw new ParameterException(spec().commandLine(),
                    "'" + input + "' stands for " + sources.size() + " matrices, expected 1");
        }
        return sources.getFirst();
    }

    private void noteRealForm(VectorFiles files) {
        if (files.complex()) {
            console().print("  values            complex: solved as the equivalent real matrix of twice the size");
        }
    }

    private void print(SolveDocument document, VectorFiles files) {
        console().print("%s: %s x %s, %s non-zeros, %s", document.name(), Numbers.count(document.matrix().rows()),
                Numbers.count(document.matrix().columns()), Numbers.count(document.matrix().nonZeros()),
                document.matrix().precision().label());
        noteRealForm(files);
        if (document.job() != null) {
            console().print("  ranks             %s, rows divided by %s", document.job(), job.partitioner());
            TransportText.print(console(), document.job().transports());
        }
        if (document.runs().size() > 1) {
            console().print("  right-hand side   %s, backend %s", rightHandSide(), document.backend());
            console().printText(SolveDocument.table(document.runs()).text());
            document.runs().forEach(run -> notes(run.name() + ": ", run.report()));
            document.runs().forEach(this::levels);
            return;
        }
        SolveRun run = document.runs().getFirst();
        SolveReport report = run.report();
        boolean tuned = document.tuning() != null;
        console().print("  method            %s, preconditioner %s, backend %s",
                tuned ? "tuned, at first " + report.method() : run.stack().method(),
                tuned ? report.preconditioner() : run.stack().preconditioner(), document.backend());
        console().print("  right-hand side   %s", rightHandSide());
        notes("", report);
        console().print("  result            %s: %s", SolveDocument.status(report), report.detail());
        console().print("  iterations        %s in %s, %s each%s", Numbers.count(report.iterations()),
                Numbers.seconds(report.seconds()),
                Numbers.seconds(report.seconds() / Math.max(1, report.iterations())),
                report.restarts() == 0 ? "" : ", restarts " + Numbers.count(report.restarts()));
        console().print("  preparation       %s, first iteration %s, vectors %s",
                Numbers.seconds(report.setupSeconds()),
                Numbers.seconds(report.facts().firstTouchSeconds()), Numbers.bytes(report.facts().memoryBytes()));
        console().print("  residual          %.3e of b, recomputed from x (%.3e of %.3e; the method's own: %.3e)",
                report.relativeResidual(), report.trueResidual(), report.rightHandSideNorm(), report.finalResidual());
        console().print("  accuracy          %s", report.facts().error());
        if (rhs == null) {
            console().print("  largest error     %.3e", run.error());
        }
        if (run.isWarm()) {
            console().printText(SolveTable.ofRounds(run));
        }
        levels(run);
    }

    private void levels(SolveRun run) {
        run.multigrid().ifPresent(report -> console().printText(run.name() + ": " + report + "\n"));
    }

    private String rightHandSide() {
        return rhs == null ? "A times the vector of ones" : rhs.toString();
    }

    private void notes(String before, SolveReport report) {
        report.facts().notes().forEach(note -> console().print("  note              %s%s", before, note));
    }

    private void write(SolveDocument document, HostVector x, VectorFiles files) throws IOException {
        SolveRun first = document.runs().getFirst();
        if (output != null) {
            files.write(output, x, WriteOptions.DEFAULT.withComments(List.of("solution by trellis of "
                    + ConvertCommand.oneLine(document.name()) + ", " + SolveDocument.status(first.report()))));
            console().print("  solution          %s", output);
        }
        Provenance provenance = provenance();
        json.write(console(), () -> document.toJson(provenance));
        html.write(console(), () -> SolvePage.of(document, provenance));
        if (stackOptions.saved() != null) {
            OutputFile.write(stackOptions.saved(), StackFile.write(first.stack()));
            console().print("  configuration     %s", stackOptions.saved());
        }
        draw(document, false, plot);
        draw(document, true, plotTime);
    }

    private void draw(SolveDocument document, boolean overTime, Path file) throws IOException {
        if (file != null) {
            SolveRun first = document.runs().getFirst();
            ResidualChart.of(ResidualChart.curves(document.runs()), overTime,
                    first.stack().criteria().threshold(first.report().rightHandSideNorm()), document.name())
                    .write(file);
            console().print("  convergence       %s", file);
        }
    }
}
