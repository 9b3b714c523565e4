package org.trellis.examples.adaptive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.FieldTransfer;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.file.SimplexMeshes;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.BackgroundMetric;
import org.trellis.adapt.metric.HessianRecovery;
import org.trellis.adapt.metric.MetricBounds;
import org.trellis.adapt.metric.MetricInterpolation;
import org.trellis.adapt.metric.VertexMetrics;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Table;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.mesh.DataArray;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code trellis example adaptive-poisson}. */
@Command(name = "adaptive-poisson", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Poisson's equation with a re-entrant corner and a boundary layer, by linear elements: solve, adapt the mesh to the"
            + " error that second derivatives show, carry the solution over, and again with twice as many elements;"
            + " beside it the same on uniform meshes. Runs nothing on the mesh runtime, so that it has no --checkpoint"
            + " and --devices."})
public final class AdaptivePoissonCommand extends ConsoleCommand {
    private static final double LEAST_LENGTH = 1e-6;
    private static final double GREATEST_LENGTH = 1;
    private static final int FIRST_SQUARES = 4;
    private static final int MOST_LEVELS = 10;
    /** Times that mesh and solution are adapted to each other at each size. */
    private static final int CYCLES = 3;

    @Option(names = "--levels", paramLabel = "N", defaultValue = "5",
            description = "Sizes: each has twice the elements of the one before. Default: 5.")
    private int levels;

    @Option(names = "--elements", paramLabel = "N", defaultValue = "250",
            description = "Elements of the first adapted mesh, about. Default: 250.")
    private int elements;

    @Option(names = "--width", paramLabel = "W", defaultValue = "0.02",
            description = "Width of the boundary layer. Default: 0.02.")
    private double width;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
            description = "Threads that adapt. Default: 1.")
    private int threads;

    @Mixin
    private JsonOption json;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the last mesh and its solution, as PNG. Without FILE: "
                    + OutputFile.DEFAULT_PICTURE + ".")
    private Path picture;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public AdaptivePoissonCommand(Console console) {
        super(console);
    }

    /**
     * A solution.
     *
     * @param kind     adapted or uniform
     * @param vertices vertices of the mesh
     * @param elements its triangles
     * @param error    the error in the square mean
     */
    record Row(String kind, int vertices, int elements, double error) {}

    @Override
    public Integer call() throws IOException {
        checkUsage(this::check);
        CornerProblem problem = new CornerProblem(width);
        List<Row> rows = new ArrayList<>();
        SimplexMesh mesh = CornerProblem.mesh(FIRST_SQUARES);
        double[] u = problem.solve(mesh);
        try (ConsoleProgress progress = progressOptions.open(console())) {
            for (int level = 0; level < levels; level++) {
                for (int cycle = 0; cycle < CYCLES; cycle++) {
                    progress.progress("adapt", level * CYCLES + cycle, (long) levels * CYCLES);
                    SimplexMesh next = adapt(mesh, u, elements << level);
                    double[] guess = FieldTransfer.between(mesh, next).interpolate(u, 1);
                    mesh = next;
                    u = problem.solve(mesh);
                    checkNear(guess, u);
                }
                rows.add(new Row("adapted", mesh.vertices(), mesh.elements(), problem.error(mesh, u)));
            }
            for (int level = 0; level < levels; level++) {
                progress.progress("uniform", level, levels);
                SimplexMesh uniform = CornerProblem.mesh(FIRST_SQUARES << level);
                rows.add(new Row("uniform", uniform.vertices(), uniform.elements(),
                        problem.error(uniform, problem.solve(uniform))));
            }
        }
        console().printText(table(rows).text());
        write(mesh, u, rows);
        return ExitCode.OK;
    }

    private void check() {
        if (levels < 1 || levels > MOST_LEVELS) {
            throw new IllegalArgumentException("--levels is " + levels + ", expected 1 to " + MOST_LEVELS);
        }
        if (elements < 50) {
            throw new IllegalArgumentException("--elements is " + elements + ", expected at least 50");
        }
        if (!(width > 0)) {
            throw new IllegalArgumentException("--width is " + width + ", expected a number above 0");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("--threads is " + threads + ", expected at least 1");
        }
        json.check();
        OutputFile.checkPicture("--picture", picture);
    }

    /**
     * The carried solution is what an iteration would begin with; one that has nothing to do with the new one is a
     * mistake.
     */
    private static void checkNear(double[] guess, double[] u) {
        double difference = 0;
        for (int v = 0; v < u.length; v++) {
            difference = Math.max(difference, Math.abs(guess[v] - u[v]));
        }
        if (!(difference < 2)) {
            throw new IllegalStateException("the solution carried over differs by " + difference
                    + " from that on the new mesh, expected less than the solution itself");
        }
    }

    private SimplexMesh adapt(SimplexMesh mesh, double[] u, int wanted) {
        double[] metric = HessianRecovery.metric(2, HessianRecovery.leastSquares(mesh, u), 1, 2,
                MetricBounds.NONE.withLengths(LEAST_LENGTH, GREATEST_LENGTH * wanted));
        VertexMetrics.rescale(mesh, metric, wanted);
        MetricBounds bounds = MetricBounds.NONE.withLengths(LEAST_LENGTH, GREATEST_LENGTH);
        for (int o = 0; o < metric.length; o += 3) {
            bounds.apply(2, metric, o);
        }
        return new Adaptation(mesh, BackgroundMetric.of(mesh, metric, MetricInterpolation.LOG_EUCLIDEAN),
                AdaptOptions.DEFAULT.withSweeps(10).withSmoothing(SmoothingMethod.METRIC_LAPLACIAN, true, 5)
                        .withThreads(threads),
                ProgressListener.NONE).run().mesh();
    }

    /** The order is that by which the error falls with the number of vertices: 1 is the best for linear elements. */
    private static Table table(List<Row> rows) {
        Table table = new Table(Column.words("mesh").key("mesh"), Column.of("vertices", Format.COUNT).key("vertices"),
                Column.of("triangles", Format.COUNT).key("elements"),
                Column.of("error", Format.of("%.3e")).key("error"),
                Column.of("order", Format.of("%.2f")));
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            boolean first = i == 0 || !rows.get(i - 1).kind().equals(row.kind());
            table.row(row.kind(), row.vertices(), row.elements(), row.error(),
                    first ? null : order(rows.get(i - 1), row));
        }
        return table;
    }

    private static double order(Row before, Row after) {
        return Math.log(before.error() / after.error()) / Math.log((double) after.vertices() / before.vertices());
    }

    private void write(SimplexMesh mesh, double[] u, List<Row> rows) throws IOException {
        if (picture != null) {
            MeshPicture.write(SimplexMeshes.toMeshData(mesh, new double[0], List.of()),
                    new MeshPicture.Field(DataArray.of("u", 1, u), false, 0), null, "Corner and layer", picture);
        }
        json.write(() -> {
            ObjectNode root = JsonReport.start("trellis-adaptive-poisson-results", provenance());
            table(rows).putInto(root.putArray("runs"));
            return JsonReport.finish(root);
        });
    }
}
