package org.trellis.bench.solve;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.EigenDocument;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Precision;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.eigen.ComplexEigenPairs;
import org.trellis.solve.eigen.EigenPairs;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.solve.eigen.SingularTriplets;
import org.trellis.solve.eigen.SingularValues;
import org.trellis.solve.eigen.UnsymmetricEigenvalues;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds eigenvalues or singular values of matrices. */
@Command(name = "eigen", sortOptions = false,
        description = "Finds a few eigenvalues or singular values of each matrix, with their residuals.")
public final class EigenCommand extends ConsoleCommand {
    private static final String NEAREST = "nearest=";

    private final List<EigenDocument.Result> results = new ArrayList<>();
    private final TablesPage page = new TablesPage("Eigenvalues and singular values");
    private boolean incomplete;
    private CsrMatrix massMatrix;

    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "Matrices to inspect.")
    private List<String> matrices = new ArrayList<>();

    @Option(names = "--count", paramLabel = "N", defaultValue = "6", description = "How many. Default: 6.")
    private int count;

    @Option(names = "--which", paramLabel = "WHICH", defaultValue = "magnitude",
            description = "magnitude, largest, smallest or nearest=SIGMA, which factorises A - SIGMA I. largest and "
                    + "smallest are by real parts. Default: magnitude.")
    private String which;

    @Option(names = "--method", paramLabel = "METHOD", defaultValue = "auto",
            description = "lanczos and lobpcg for symmetric matrices, krylov-schur for any, svd for singular values. "
                    + "Default: lanczos or krylov-schur, as the matrix is symmetric or not.")
    private String method;

    @Option(names = "--preconditioner", paramLabel = "NAME", defaultValue = "none",
            description = "Of lobpcg, such as jacobi, ic0 or amg. Default: none.")
    private String preconditioner;

    @Option(names = "--mass", paramLabel = "MATRIX",
            description = "B of A x = lambda B x, symmetric and positive definite. For lanczos and lobpcg.")
    private String mass;

    @Option(names = "--tolerance", paramLabel = "T", defaultValue = "1e-10",
            description = "Residual over eigenvalue. Default: 1e-10.")
    private double tolerance;

    @Option(names = "--basis", paramLabel = "M", defaultValue = "0",
            description = "Vectors to keep, at least 3. Default: twice the number of eigenvalues and 20.")
    private int basis;

    @Option(names = "--max-products", paramLabel = "N", defaultValue = "0",
            description = "Products at most. Default: 10,000 or ten times as many as rows.")
    private int maximumProducts;

    @Mixin
    private BackendOptions backendOptions;

    @Mixin
    private JsonOption json;

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
     */
    public EigenCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> {
            json.check();
            html.check();
            check();
        });
        List<EigenDocument.Failure> failures = new ArrayList<>();
        try (Backend backend = backendOptions.openForSystem(spec());
                ConsoleProgress progress = progressOptions.open(console())) {
            MatrixArguments arguments = new MatrixArguments(console(), progress, sourceOptions.locator());
            MatrixArguments.Complaint complaint =
                    (name, message) -> failures.add(new EigenDocument.Failure(name, message));
            if (mass != null) {
                arguments.forEach(List.of(mass), (source, matrix) -> massMatrix = matrix.toPrecision(Precision.F64),
                        complaint);
            }
            if (failures.isEmpty()) {
                arguments.forEach(matrices,
                        (source, matrix) -> find(source, matrix.toPrecision(Precision.F64), backend), complaint);
            }
        }
        json.write(console(), () -> EigenDocument.of(provenance(), results, failures));
        failures.forEach(one -> page.trouble(one.matrix() + ": " + one.message()));
        html.write(console(), () -> page.of(provenance()));
        if (!failures.isEmpty()) {
            return ExitCode.FAILED;
        }
        return incomplete ? ExitCode.NOT_CONVERGED : ExitCode.OK;
    }

    private void check() {
        if (!List.of("magnitude", "largest", "smallest").contains(which) && !which.startsWith(NEAREST)) {
            throw new IllegalArgumentException("--which is '" + which
                    + "', expected magnitude, largest, smallest or nearest=SIGMA");
        }
        if (which.startsWith(NEAREST)) {
            shift();
        }
        if (!List.of("auto", "lanczos", "lobpcg", "krylov-schur", "svd").contains(method)) {
            throw new IllegalArgumentException("--method is '" + method
                    + "', expected auto, lanczos, lobpcg, krylov-schur or svd");
        }
        if (!preconditioner.equals("none") && !method.equals("lobpcg")) {
            throw new IllegalArgumentException("--preconditioner with --method " + method + ", expected lobpcg");
        }
        if (mass != null && (method.equals("krylov-schur") || method.equals("svd"))) {
            throw new IllegalArgumentException("--mass with --method " + method + ", expected lanczos or lobpcg");
        }
        if (method.equals("svd") && which.startsWith(NEAREST)) {
            throw new IllegalArgumentException("--method svd with --which " + which
                    + ", expected largest or smallest");
        }
        // The settings' own checks, before a matrix is read.
        configured(Eigenvalues.of(CsrMatrix.identity(0, Precision.F64)));
    }

    private double shift() {
        String text = which.substring(NEAREST.length());
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--which is '" + which + "', expected a number behind 'nearest='", e);
        }
    }

    private void find(MatrixSource source, CsrMatrix matrix, Backend backend) {
        String chosen = method.equals("auto") ? automatic(matrix) : method;
        if (massMatrix != null && chosen.equals("krylov-schur")) {
            throw new IllegalArgumentException(source.name() + " is not symmetric, and has --mass " + mass
                    + ", expected a symmetric matrix");
        }
        EigenDocument.Result result;
        long before = processorNanoseconds();
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
            result = switch (chosen) {
                case "lanczos" -> of(source, configured(Eigenvalues.of(product, backend)).find());
                case "lobpcg" -> of(source, blocks(matrix, product, backend));
                case "svd" -> of(source, singular(SingularValues.of(product, backend)));
                default -> of(source, unsymmetric(UnsymmetricEigenvalues.of(product, backend)));
            };
        }
        print(source, chosen, result.taking((processorNanoseconds() - before) * 1e-9));
    }

    private static long processorNanoseconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void print(MatrixSource source, String chosen, EigenDocument.Result result) {
        results.add(result);
        incomplete |= result.converged() < result.real().length;
        console().print("%s", source.name());
        console().print("  %s", result.summary());
        Format power = Format.of("%.1e");
        Table table = new Table(Column.of("#", Format.NUMBER).means("In the order that was asked for."),
                Column.of(chosen.equals("svd") ? "singular value" : "eigenvalue", Format.REAL)
                        .means("Complex ones with their imaginary part."),
                Column.of("residual", power).means("Norm of what the pair leaves, recomputed."),
                Column.of("limit", power).means("What the residual may be at most."));
        for (int k = 0; k < result.real().length; k++) {
            table.row(k + 1, number(result, k), result.residuals()[k],
                    String.format(Locale.ROOT, "%.1e%s", result.limits()[k],
                            result.residuals()[k] <= result.limits()[k] ? "" : ", not converged"));
        }
        console().printText(table.text());
        page.add(source.name(), List.of(result.summary()), table);
    }

    private static String automatic(CsrMatrix matrix) {
        boolean symmetric = matrix.rows() == matrix.columns()
                && matrix.closeTo(matrix.transpose(), 16 * matrix.precision().unitRoundoff(), 0);
        return symmetric ? "lanczos" : "krylov-schur";
    }

    private static String number(EigenDocument.Result result, int k) {
        String real = String.format(Locale.ROOT, "%.15g", result.real()[k]);
        double imaginary = result.imaginary()[k];
        return imaginary == 0 ? real : real + String.format(Locale.ROOT, " %+.15g i", imaginary);
    }

    private Eigenvalues configured(Eigenvalues search) {
        search.count(count).tolerance(tolerance);
        if (massMatrix != null) {
            search.mass(massMatrix);
        }
        if (basis != 0) {
            search.basis(basis);
        }
        if (maximumProducts != 0) {
            search.maximumProducts(maximumProducts);
        }
        return switch (which) {
            case "magnitude" -> search.largestMagnitude();
            case "largest" -> search.largest();
            case "smallest" -> search.smallest();
            default -> search.nearest(shift());
        };
    }

    private EigenPairs blocks(CsrMatrix matrix, SpmvOperator product, Backend backend) {
        try (Preconditioner approximate =
                NamedPreconditioners.of(preconditioner, matrix, product, backend, Map.of()).orElse(null)) {
            Eigenvalues search = configured(Eigenvalues.of(product, backend)).lobpcg();
            return (approximate == null ? search : search.preconditioner(approximate)).find();
        }
    }

    private ComplexEigenPairs unsymmetric(UnsymmetricEigenvalues search) {
        search.count(count).tolerance(tolerance);
        if (basis != 0) {
            search.basis(basis);
        }
        if (maximumProducts != 0) {
            search.maximumProducts(maximumProducts);
        }
        return (switch (which) {
            case "magnitude" -> search.largestMagnitude();
            case "largest" -> search.largestReal();
            case "smallest" -> search.smallestReal();
            default -> search.nearest(shift());
        }).find();
    }

    private SingularTriplets singular(SingularValues search) {
        search.count(count).tolerance(tolerance);
        if (basis != 0) {
            search.basis(basis);
        }
        if (maximumProducts != 0) {
            search.maximumProducts(maximumProducts);
        }
        return (which.equals("smallest") ? search.smallest() : search.largest()).find();
    }

    private static EigenDocument.Result of(MatrixSource source, EigenPairs found) {
        return new EigenDocument.Result(source.name(), found.toString(), found.values(),
                new double[found.values().length], found.residuals(), found.limits(), found.products(),
                found.restarts(), found.converged(), found.seconds(), 0);
    }

    private static EigenDocument.Result of(MatrixSource source, ComplexEigenPairs found) {
        return new EigenDocument.Result(source.name(), found.toString(), found.real(), found.imaginary(),
                found.residuals(), found.limits(), found.products(), found.restarts(), found.converged(),
                found.seconds(), 0);
    }

    private static EigenDocument.Result of(MatrixSource source, SingularTriplets found) {
        return new EigenDocument.Result(source.name(), found.toString(), found.values(),
                new double[found.values().length], found.residuals(), found.limits(), found.products(),
                found.restarts(), found.converged(), found.seconds(), 0);
    }
}
