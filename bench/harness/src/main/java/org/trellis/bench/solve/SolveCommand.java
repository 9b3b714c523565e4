package org.trellis.bench.solve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.matrix.ConvertCommand;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.picture.ConvergencePicture;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SolveDocument;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.online.TunedMatrices;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Solves a system. */
@Command(name = "solve", sortOptions = false, description = {
    "Solves A x = b with a symmetric positive definite matrix, from x = 0.",
    "Without --rhs, b is A times the vector of ones, so that the solution is known and its error is told."})
public final class SolveCommand implements Callable<Integer> {
    private static final int DEFAULT_ITERATIONS = 10_000;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MATRIX", description = "The matrix A.")
    private String input;

    @Option(names = "--rhs", paramLabel = "FILE", description = "The right-hand side b, as a Matrix Market array.")
    private Path rhs;

    @Option(names = "--method", paramLabel = "cg", defaultValue = "cg",
            description = "The method: cg, conjugate gradients, the default and only one.")
    private SystemSolver.Method method;

    @Option(names = "--preconditioner", paramLabel = "jacobi|none", defaultValue = "jacobi",
            description = "The preconditioner. Default: jacobi.")
    private SystemSolver.Preconditioning preconditioner;

    @Option(names = "--tolerance", paramLabel = "T", defaultValue = "1e-8",
            description = "Share of the norm of b at which the norm of the residual, recomputed from x, is small "
                    + "enough. Default: 1e-8.")
    private double tolerance;

    @Option(names = "--max-iterations", paramLabel = "N",
            description = "Iterations allowed. Default: " + DEFAULT_ITERATIONS + ".")
    private int maximumIterations = DEFAULT_ITERATIONS;

    @Mixin
    private BackendOptions backendOptions;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "The precision of the solution. Default: f64.")
    private Precision precision;

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Begin with the parameters that this tuning profile proposes, tune the product within the iterations, and add "
                + "what was learnt; made if need be."})
    private Path profile;

    @Option(names = "--output", paramLabel = "FILE", description = "Write x as a Matrix Market array.")
    private Path output;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON.")
    private Path json;

    @Option(names = "--plot", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PLOT,
            description = "Draw the convergence, as PNG. Without FILE: " + OutputFile.DEFAULT_PLOT + ".")
    private Path plot;

    @Mixin
    private SourceOptions sourceOptions;

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public SolveCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        StoppingCriteria criteria = Usage.get(spec, () -> {
            OutputFile.check("--profile", profile);
            OutputFile.check("--output", output);
            OutputFile.check("--json", json);
            OutputFile.checkPicture("--plot", plot);
            return StoppingCriteria.relative(tolerance, maximumIterations);
        });
        try (Backend opened = backendOptions.open(spec);
                ConsoleProgress progress = new ConsoleProgress(console, quiet)) {
            MatrixSource source = source();
            CsrMatrix matrix = source.load(progress).toPrecision(precision);
            Optional<ProfileFile> file = Optional.ofNullable(profile).map(ProfileFile::new);
            TunedMatrices tuned = file.isPresent() ? tunedMatrices(opened, file.get()) : null;
            SystemSolver solver = new SystemSolver(matrix, opened, preconditioner, criteria, tuned);
            HostVector b = rhs == null
                    ? solver.productWithOnes()
                    : MatrixMarket.readVector(rhs, ReadOptions.DEFAULT.withPrecision(precision));
            HostVector x = HostVector.zeros(precision, matrix.columns());
            SolveReport report = solver.solve(b, x, progress);
            progress.clear();
            SolveDocument document =
                    new SolveDocument(source.name(), matrix, lowerCase(method), lowerCase(preconditioner),
                            opened.name(), tolerance, report, rhs == null ? errorAgainstOnes(x) : Double.NaN);
            print(document);
            write(document, x, criteria);
            if (file.isPresent()) {
                file.get().update(known -> tuned.export(known, source.name()));
                console.print("  profile           %s", file.get());
            }
            return report.converged() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
        }
    }

    /** The file comes first, then the library's own profiles. */
    private static TunedMatrices tunedMatrices(Backend backend, ProfileFile file) throws IOException {
        List<Profile> known = new ArrayList<>(List.of(file.load()));
        known.addAll(DefaultProfiles.all());
        return new TunedMatrices(backend, new Advisor(backend, known), TuningSettings.DEFAULT);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private MatrixSource source() throws IOException {
        List<MatrixSource> sources = sourceOptions.locator().locate(input);
        if (sources.size() != 1) {
            throw new ParameterException(spec.commandLine(),
                    "'" + input + "' stands for " + sources.size() + " matrices, expected 1");
        }
        return sources.getFirst();
    }

    private static double errorAgainstOnes(HostVector x) {
        double largest = 0;
        for (int i = 0; i < x.length(); i++) {
            largest = Math.max(largest, Math.abs(x.get(i) - 1));
        }
        return largest;
    }

    private void print(SolveDocument document) {
        SolveReport report = document.report();
        console.print("%s: %s x %s, %s non-zeros, %s", document.name(), Numbers.count(document.matrix().rows()),
                Numbers.count(document.matrix().columns()), Numbers.count(document.matrix().nonZeros()),
                document.matrix().precision().label());
        console.print("  method            %s, preconditioner %s, backend %s", document.method(),
                document.preconditioner(), document.backend());
        console.print("  right-hand side   %s", rhs == null ? "A times the vector of ones" : rhs);
        console.print("  result            %s: %s", document.status(), report.detail());
        console.print("  iterations        %s in %s, %s each%s", Numbers.count(report.iterations()),
                Numbers.seconds(report.seconds()),
                Numbers.seconds(report.seconds() / Math.max(1, report.iterations())),
                report.restarts() == 0 ? "" : ", restarts " + Numbers.count(report.restarts()));
        console.print("  residual          %.3e, recomputed %.3e, right-hand side %.3e", report.finalResidual(),
                report.trueResidual(), report.rightHandSideNorm());
        if (rhs == null) {
            console.print("  largest error     %.3e", document.error());
        }
    }

    private void write(SolveDocument document, HostVector x, StoppingCriteria criteria) throws IOException {
        if (output != null) {
            MatrixMarket.writeVector(output, x, WriteOptions.DEFAULT.withComments(List.of(
                    "solution by trellis of " + ConvertCommand.oneLine(document.name()) + ", " + document.status())));
            console.print("  solution          %s", output);
        }
        if (json != null) {
            OutputFile.write(json, document.toJson(Provenance.of(Usage.commandLine(spec))));
            console.print("  JSON              %s", json);
        }
        if (plot != null) {
            ConvergencePicture.write(document.report(), criteria.threshold(document.report().rightHandSideNorm()),
                    document.name(), plot);
            console.print("  convergence       %s", plot);
        }
    }
}
