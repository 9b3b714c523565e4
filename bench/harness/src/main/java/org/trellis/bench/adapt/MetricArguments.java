package org.trellis.bench.adapt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.trellis.adapt.file.MetricRasters;
import org.trellis.adapt.file.SimplexMeshes;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.adapt.metric.BackgroundMetric;
import org.trellis.adapt.metric.HessianRecovery;
import org.trellis.adapt.metric.InterpolatedMetric;
import org.trellis.adapt.metric.MetricBounds;
import org.trellis.adapt.metric.MetricInterpolation;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.adapt.metric.VertexMetrics;
import org.trellis.bench.console.OutputFile;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import picocli.CommandLine.Option;

/** The options that say which metric a mesh is adapted to. */
final class MetricArguments {
    private static final String UNIFORM = "uniform:h=";
    private static final String ANALYTIC = "analytic:";
    private static final String FROM_FILE = "file:";
    private static final String HESSIAN = "hessian:";
    private static final String FROM_RASTER = "raster:";
    private static final String METRIC_DATA = "metric";
    /** The field of the test of pragmatic, which needs no file. */
    private static final String WAVES = "pragmatic2d";
    private static final double NEARLY_FLAT = 1e-12;
    /** How far lengths in a raster that was not asked for may be from those in the metric, and its most points. */
    private static final double FINE = 0.01;
    private static final long MOST_IN_PLANE = 1_100_000;
    private static final long MOST_IN_SPACE = 2_200_000;

    @Option(names = "--metric", paramLabel = "M", required = true, description = {
        "What edges shall be one unit long in: uniform:h=H (edges of length H), analytic:NAME (pragmatic2d,"
                + " pragmatic3d, linear, sine, layer; the last three also with lengths, linear:0.06,0.3), file:FILE"
                + " (point data 'metric' of a mesh file),"
                + " raster:FILE (what --raster-output writes) or hessian:FIELD (second derivatives of"
                + " point data of MESH, or of the field pragmatic2d)."})
    private String metric;

    @Option(names = "--error", paramLabel = "E", defaultValue = "0.001",
            description = "With hessian: the error of linear interpolation to aim at. Default: 0.001.")
    private double error;

    @Option(names = "--norm", paramLabel = "P", defaultValue = "2",
            description = "With hessian: the exponent of the norm of the error, 0 for the maximum norm. Default: 2.")
    private double norm;

    @Option(names = "--recovery", paramLabel = "R", defaultValue = "least-squares",
            description = "With hessian: least-squares or double-projection. Default: least-squares.")
    private String recovery;

    @Option(names = "--elements", paramLabel = "N",
            description = "Scale the metric so that about N elements come out.")
    private Double elements;

    @Option(names = "--shortest", paramLabel = "H", defaultValue = "0",
            description = "The least length that the metric may ask for. Default: 0.")
    private double shortest;

    @Option(names = "--longest", paramLabel = "H",
            description = "The greatest length that it may ask for. Default: the diagonal of the mesh's box.")
    private Double longest;

    @Option(names = "--aspect", paramLabel = "A",
            description = "The greatest ratio of lengths in two directions. Default: any.")
    private Double aspect;

    @Option(names = "--gradation", paramLabel = "G",
            description = "The greatest growth of lengths from one edge to the next, above 1. Default: any.")
    private Double gradation;

    @Option(names = "--interpolation", paramLabel = "I", defaultValue = "linear",
            description = "Between points where the metric is known: linear or log-euclidean. Default: linear.")
    private String interpolation;

    @Option(names = "--raster", paramLabel = "N",
            description = "Sample the metric on a regular grid of N points along each axis, and use that. Default with"
                    + " loops: the first of 17, 33, 65 and so on in which lengths differ by 1 %% on average, up to 1025"
                    + " in the plane and 129 in space.")
    private Integer raster;

    @Option(names = "--raster-output", paramLabel = "FILE",
            description = "With --raster: write it, as structured points of VTK's legacy format.")
    private Path rasterOutput;

    @Option(names = "--interpolated-metric", description = {
        "Let vertices carry their tensors: where one is put, the metric is interpolated in the mesh as it is then"
                + " instead of asked. Tensors grow with each interpolation, so the metric changes as it goes."})
    private boolean carry;

    private RasterMetric sampled;
    private MetricSource exact;

    /** Says whether values lie at vertices of a mesh, so that the metric is what the options make of these. */
    private boolean isDiscrete() {
        return metric.startsWith(FROM_FILE) || metric.startsWith(HESSIAN) || elements != null || gradation != null;
    }

    String text() {
        return metric;
    }

    /** Checks what can be checked without the mesh. */
    void check() {
        if (!metric.startsWith(UNIFORM) && !metric.startsWith(ANALYTIC) && !metric.startsWith(FROM_FILE)
                && !metric.startsWith(HESSIAN) && !metric.startsWith(FROM_RASTER)) {
            throw new IllegalArgumentException("--metric is '" + metric
                    + "', expected uniform:h=H, analytic:NAME, file:FILE, raster:FILE or hessian:FIELD");
        }
        if (rasterOutput != null && raster == null) {
            throw new IllegalArgumentException("--raster-output is for --raster, expected that too");
        }
        OutputFile.check("--raster-output", rasterOutput);
        interpolation();
        if (!recovery.equals("least-squares") && !recovery.equals("double-projection")) {
            throw new IllegalArgumentException(
                    "--recovery is '" + recovery + "', expected least-squares or double-projection");
        }
        if (!(error > 0)) {
            throw new IllegalArgumentException("--error is " + error + ", expected a number above 0");
        }
        if (!(norm >= 0)) {
            throw new IllegalArgumentException("--norm is " + norm + ", expected 0 or more");
        }
        if (metric.startsWith(UNIFORM)) {
            uniformLength();
        }
    }

    private MetricInterpolation interpolation() {
        return switch (interpolation) {
            case "linear" -> MetricInterpolation.LINEAR;
            case "log-euclidean" -> MetricInterpolation.LOG_EUCLIDEAN;
            default -> throw new IllegalArgumentException(
                    "--interpolation is '" + interpolation + "', expected linear or log-euclidean");
        };
    }

    private double uniformLength() {
        String text = metric.substring(UNIFORM.length());
        try {
            double length = Double.parseDouble(text);
            if (length > 0 && length < Double.POSITIVE_INFINITY) {
                return length;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--metric " + metric + ": expected a number after h=", e);
        }
        throw new IllegalArgumentException("--metric " + metric + ": expected a number above 0 after h=");
    }

    /**
     * Makes the metric.
     *
     * @param file  the mesh's file, or null if it was generated
     * @param mesh  the mesh
     * @param loops whether loops sample it, which need a raster
     * @return the metric
     * @throws IOException if a file of the metric cannot be read
     */
    MetricSource source(MeshData file, SimplexMesh mesh, boolean loops) throws IOException {
        MetricSource source = asked(file, mesh, loops && !carry);
        return carry ? new InterpolatedMetric(source) : source;
    }

    private MetricSource asked(MeshData file, SimplexMesh mesh, boolean loops) throws IOException {
        MetricSource plain = bounded(mesh, plain(file, mesh));
        MetricSource source = plain;
        if (isDiscrete() && !metric.startsWith(FROM_FILE)) {
            int d = mesh.dimension();
            double[] tensors = plain.atAll(d, mesh.coordinates());
            if (gradation != null) {
                VertexMetrics.gradate(mesh, tensors, gradation);
            }
            if (elements != null) {
                VertexMetrics.rescale(mesh, tensors, elements);
            }
            source = BackgroundMetric.of(mesh, tensors, interpolation());
        }
        exact = source;
        if (raster == null && (!loops || source instanceof RasterMetric)) {
            return source;
        }
        sampled = raster == null
                ? RasterMetric.within(mesh, FINE, mesh.dimension() == 2 ? MOST_IN_PLANE : MOST_IN_SPACE, source)
                : RasterMetric.of(mesh.dimension(), mesh.coordinates(), raster, source);
        if (rasterOutput != null) {
            MetricRasters.write(rasterOutput, sampled);
        }
        return sampled;
    }

    /** Measures what sampling has lost, at the vertices of the adapted mesh; empty without a raster. */
    Optional<RasterMetric.LengthError> rasterError(SimplexMesh mesh) {
        return sampled == null ? Optional.empty() : Optional.of(sampled.lengthError(exact, mesh.coordinates()));
    }

    /** Returns the raster that the metric was sampled in; empty if it was not. */
    Optional<RasterMetric> sampled() {
        return Optional.ofNullable(sampled);
    }

    /** Returns what was sampled, or the raster itself if it was read. */
    MetricSource exact() {
        return exact == null ? sampled : exact;
    }

    private MetricSource plain(MeshData file, SimplexMesh mesh) throws IOException {
        int d = mesh.dimension();
        if (metric.startsWith(UNIFORM)) {
            return AnalyticMetrics.uniform(d, uniformLength());
        }
        if (metric.startsWith(ANALYTIC)) {
            return AnalyticMetrics.named(metric.substring(ANALYTIC.length()), d);
        }
        if (metric.startsWith(FROM_RASTER)) {
            RasterMetric read = MetricRasters.read(Path.of(metric.substring(FROM_RASTER.length())));
            if (read.dimension() != d) {
                throw new IllegalArgumentException("--metric " + metric + ": the raster has " + read.dimension()
                        + " dimensions, expected " + d + " as the mesh");
            }
            return read;
        }
        if (metric.startsWith(FROM_FILE)) {
            MeshData other = MeshFiles.read(Path.of(metric.substring(FROM_FILE.length())));
            SimplexMesh background = SimplexMeshes.of(other);
            double[] tensors = packed(background, SimplexMeshes.pointValues(other, METRIC_DATA));
            if (gradation != null) {
                VertexMetrics.gradate(background, tensors, gradation);
            }
            if (elements != null) {
                VertexMetrics.rescale(background, tensors, elements);
            }
            return BackgroundMetric.of(background, tensors, interpolation());
        }
        double[] values = field(file, mesh, metric.substring(HESSIAN.length()));
        double[] hessians = recovery.equals("least-squares")
                ? HessianRecovery.leastSquares(mesh, values)
                : HessianRecovery.doubleProjection(mesh, values);
        return BackgroundMetric.of(mesh, HessianRecovery.metric(d, hessians, error, norm,
                MetricBounds.NONE.withLengths(shortest, diagonal(mesh))), interpolation());
    }

    private static double[] field(MeshData file, SimplexMesh mesh, String name) {
        if (name.equals(WAVES) && mesh.dimension() == 2
                && (file == null || file.pointArray(name).isEmpty())) {
            double[] values = new double[mesh.vertices()];
            Arrays.setAll(values, v -> AnalyticMetrics.wavesAndFront(mesh.coordinates()[2 * v],
                    mesh.coordinates()[2 * v + 1]));
            return values;
        }
        if (file == null) {
            throw new IllegalArgumentException("--metric hessian:" + name
                    + ": a generated mesh has no data, expected a mesh file with point data of this name");
        }
        double[] values = SimplexMeshes.pointValues(file, name);
        if (values.length != mesh.vertices()) {
            throw new IllegalArgumentException("--metric hessian:" + name + ": the data have "
                    + values.length / mesh.vertices() + " components, expected one");
        }
        return values;
    }

    /** Takes tensors of 9 numbers (all entries), 4 (all in the plane), or as they are packed. */
    private static double[] packed(SimplexMesh mesh, double[] values) {
        int d = mesh.dimension();
        int given = values.length / mesh.vertices();
        int size = Tensors.size(d);
        if (given == size && !(d == 2 && given == 4)) {
            return values;
        }
        int stride = given == 9 ? 3 : given == d * d ? d : 0;
        if (stride == 0) {
            throw new IllegalArgumentException("point data 'metric' have " + given + " components, expected " + size
                    + ", " + d * d + " or 9");
        }
        double[] packed = new double[mesh.vertices() * size];
        for (int v = 0; v < mesh.vertices(); v++) {
            for (int i = 0; i < d; i++) {
                for (int j = i; j < d; j++) {
                    packed[v * size + Tensors.index(d, i, j)] = values[v * given + i * stride + j];
                }
            }
        }
        return packed;
    }

    private MetricSource bounded(SimplexMesh mesh, MetricSource source) {
        if (shortest == 0 && longest == null && aspect == null) {
            return source;
        }
        MetricBounds bounds = new MetricBounds(shortest, longest == null ? diagonal(mesh) : longest,
                aspect == null ? Double.POSITIVE_INFINITY : aspect);
        return (x, o, tensors, p) -> {
            source.at(x, o, tensors, p);
            bounds.apply(mesh.dimension(), tensors, p);
        };
    }

    private static double diagonal(SimplexMesh mesh) {
        int d = mesh.dimension();
        double square = 0;
        for (int k = 0; k < d; k++) {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (int v = 0; v < mesh.vertices(); v++) {
                low = Math.min(low, mesh.coordinates()[v * d + k]);
                high = Math.max(high, mesh.coordinates()[v * d + k]);
            }
            square += (high - low) * (high - low);
        }
        return Math.max(NEARLY_FLAT, Math.sqrt(square));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s, error %g, norm %g", metric, error, norm);
    }
}
