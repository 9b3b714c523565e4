package org.trellis.bench.adapt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.AdaptStep;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.MeshQuality;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.file.SimplexMeshes;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.FrameOptions;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.report.chart.HistogramChart;
import org.trellis.common.ConfigurationKeys;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.memory.MemorySpace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code trellis adapt}. */
@Command(name = "adapt", sortOptions = false, description = {
    "Adapts a mesh of triangles or tetrahedra to a metric: refines, coarsens, swaps and smooths it until its"
            + " edges have unit length there. The result does not depend on the number of threads."})
public final class AdaptCommand extends ConsoleCommand {
    private static final Pattern GENERATED = Pattern.compile("(square|cube):n=(\\d{1,4})");
    private static final String REFERENCE = "reference";
    private static final int MOST_SQUARES = 4000;
    private static final int MOST_CUBES = 200;

    @Parameters(paramLabel = "MESH", description = {
        "A mesh file of triangles in the plane or of tetrahedra, perhaps with .gz, or one to generate: square:n=N"
                + " (2 N^2 triangles) or cube:n=N (6 N^3 tetrahedra)."})
    private String input;

    @Mixin
    private MetricArguments metric;

    @Option(names = "--sweeps", paramLabel = "N", defaultValue = "20", description = {
        "How often the steps are taken at most; with --only smooth, how many sweeps over the vertices. Default: 20."})
    private int sweeps;

    @Option(names = "--only", paramLabel = "STEP", split = ",",
            description = "Take these steps only: refine, coarsen, swap, smooth; several with commas.")
    private List<String> only = List.of();

    @Option(names = "--smoothing", paramLabel = "S", defaultValue = "metric-laplacian", description = {
        "How vertices are moved: laplacian, metric-laplacian, pain or optimisation. Default: metric-laplacian."})
    private String smoothing;

    @Option(names = "--bold", description = "Move vertices even if the worst element around them does not get better.")
    private boolean bold;

    @Option(names = "--polish", paramLabel = "N", defaultValue = "20",
            description = "Sweeps of optimisation at the end. Default: 20.")
    private int polish;

    @Mixin
    private ShapeArguments shapes;

    @Mixin
    private BackendOptions backend;

    @Mixin
    private LoopSmoothing loops;

    private boolean byLoops;

    @Option(names = "--output", paramLabel = "FILE",
            description = "Write the adapted mesh, with its quality and metric: .vtu, .vtk, .msh, or .node with"
                    + " .ele and .edge or .face.")
    private Path output;

    @Mixin
    private JsonOption json;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the adapted mesh, as PNG. Without FILE: " + OutputFile.DEFAULT_PICTURE + ".")
    private Path picture;

    @Option(names = "--before", paramLabel = "FILE", description = "Draw the mesh as it was, as PNG.")
    private Path before;

    @Option(names = "--histogram", paramLabel = "FILE",
            description = "Draw how many elements have which quality, before and after, as PNG.")
    private Path histogram;

    @Mixin
    private FrameOptions animation;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public AdaptCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        AdaptOptions options = checked(this::options);
        MeshData file = GENERATED.matcher(input).matches() ? null : MeshFiles.read(Path.of(input));
        SimplexMesh mesh = checked(() -> shapes.apply(file == null ? generated() : SimplexMeshes.of(file)));
        if (file != null) {
            file.remarks().forEach(remark -> console().complain(input + ": " + remark));
        }
        MetricSource source = source(file, mesh);
        MeshQuality old = MeshQuality.of(mesh, source);
        LoopSmoothing.Smoothed smoothed = null;
        AdaptedMesh adapted;
        if (byLoops && loops.isOwn(options)) {
            smoothed = checked(() -> smoothed(mesh, source, options));
            adapted = smoothed.adapted();
        } else {
            adapted = adapted(mesh, source, options);
        }
        AdaptResults results = new AdaptResults(input, metric.text(), options.threads(), mesh, old, adapted,
                metric.sampled().map(RasterMetric::samples),
                smoothed != null ? LoopSmoothing.error(smoothed, metric.exact()) : rasterError(adapted),
                source.isInterpolated() ? Optional.of(MeshQuality.of(adapted.mesh(), source)) : Optional.empty());
        console().printText(results.table());
        write(mesh, source, old, adapted);
        json.write(() -> results.json(commandLine()));
        return adapted.quality().inverted() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private Optional<RasterMetric.LengthError> rasterError(AdaptedMesh adapted) {
        return byLoops
                ? Optional.of(LoopSmoothing.error(adapted.mesh(), adapted.metric(), metric.exact()))
                : metric.rasterError(adapted.mesh());
    }

    private AdaptedMesh adapted(SimplexMesh mesh, MetricSource source, AdaptOptions options) throws IOException {
        if (!byLoops) {
            return run(mesh, source, options, null);
        }
        try (Backend opened = backend.open(spec())) {
            return run(mesh, source, options, opened);
        }
    }

    private AdaptedMesh run(SimplexMesh mesh, MetricSource source, AdaptOptions options, Backend opened)
            throws IOException {
        try (ConsoleProgress progress = progressOptions.open(console())) {
            Adaptation plain = new Adaptation(mesh, source, options, progress);
            Adaptation adaptation = opened == null
                    ? plain
                    : checked(() -> loops.on(opened, plain, source, mesh.dimension()));
            return animation.isAsked()
                    ? new AdaptFrames(animation, input).run(adaptation, mesh, source)
                    : checked(adaptation::run);
        }
    }

    private LoopSmoothing.Smoothed smoothed(SimplexMesh mesh, MetricSource source, AdaptOptions options) {
        try (Backend opened = backend.open(spec())) {
            return loops.run(opened, mesh, source, options);
        }
    }

    private AdaptOptions options() {
        metric.check();
        animation.check();
        OutputFile.check("--output", output);
        json.check();
        OutputFile.checkPicture("--picture", picture);
        OutputFile.checkPicture("--before", before);
        OutputFile.checkPicture("--histogram", histogram);
        Set<AdaptStep> steps = EnumSet.allOf(AdaptStep.class);
        if (!only.isEmpty()) {
            steps.clear();
            only.forEach(label -> steps.add(AdaptStep.of(label)));
        }
        boolean onlySmooth = steps.equals(EnumSet.of(AdaptStep.SMOOTH));
        return AdaptOptions.DEFAULT.withSweeps(sweeps).withSteps(steps)
                .withSmoothing(SmoothingMethod.of(smoothing), !bold, onlySmooth && isNotAsked("--polish") ? 0 : polish)
                .withThreads(threads(onlySmooth));
    }

    private boolean isNotAsked(String option) {
        return !spec().commandLine().getParseResult().hasMatchedOption(option);
    }

    /** Returns how many threads of the host work; with a device they change the topology only. */
    private int threads(boolean onlySmooth) {
        try (Backend opened = backend.open(spec())) {
            boolean device = !opened.device().space().equals(MemorySpace.HOST);
            loops.check(onlySmooth, !isNotAsked("--polish") && polish > 0, animation.isAsked(), device);
            byLoops = device || loops.isAsked();
            return opened.name().equals(REFERENCE)
                    ? 1
                    : backend.configuration().get(ConfigurationKeys.THREADS);
        }
    }

    private SimplexMesh generated() {
        Matcher matcher = GENERATED.matcher(input);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("MESH is '" + input + "', expected a file, square:n=N or cube:n=N");
        }
        int n = Integer.parseInt(matcher.group(2));
        boolean plane = matcher.group(1).equals("square");
        int most = plane ? MOST_SQUARES : MOST_CUBES;
        if (n < 1 || n > most) {
            throw new IllegalArgumentException("MESH is '" + input + "', expected n from 1 to " + most);
        }
        return plane ? SimplexMesh.square(n) : SimplexMesh.cube(n);
    }

    private MetricSource source(MeshData file, SimplexMesh mesh) throws IOException {
        try {
            return metric.source(file, mesh, byLoops);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
    }

    /** The quality of each element in the metric at its vertices. */
    static double[] qualities(SimplexMesh mesh, double[] tensors) {
        double[] qualities = new double[mesh.elements()];
        for (int e = 0; e < qualities.length; e++) {
            qualities[e] = SimplexQuality.of(mesh.dimension(), mesh.coordinates(), tensors, mesh.corners(),
                    e * (mesh.dimension() + 1));
        }
        return qualities;
    }

    private void write(SimplexMesh mesh, MetricSource source, MeshQuality old, AdaptedMesh adapted)
            throws IOException {
        SimplexMesh result = adapted.mesh();
        double[] qualities = qualities(result, adapted.metric());
        if (output != null) {
            DataArray tensors = DataArray.of("metric", adapted.metric().length / result.vertices(), adapted.metric());
            MeshFiles.write(output, SimplexMeshes.toMeshData(result, qualities, List.of(tensors)),
                    MeshWriteOptions.DEFAULT);
        }
        if (picture != null) {
            draw(result, qualities, "adapted: ", adapted.quality(), picture);
        }
        if (before != null) {
            draw(mesh, qualities(mesh, source.atAll(mesh.dimension(), mesh.coordinates())), "", old, before);
        }
        if (histogram != null) {
            HistogramChart.qualities(old.histogram(), adapted.quality().histogram(), input + " to " + metric.text())
                    .write(histogram);
        }
    }

    private void draw(SimplexMesh mesh, double[] qualities, String prefix, MeshQuality quality, Path target)
            throws IOException {
        MeshData data = SimplexMeshes.toMeshData(mesh, qualities, List.of());
        DataArray colours = data.cellData().getFirst();
        MeshPicture.write(data, new MeshPicture.Field(colours, true, 0), null, prefix + input
                + String.format(Locale.ROOT, ", quality %.3f, at least %.3f", quality.mean(), quality.minimum()),
                target);
    }
}
