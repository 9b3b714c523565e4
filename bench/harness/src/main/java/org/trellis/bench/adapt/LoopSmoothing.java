package org.trellis.bench.adapt;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.AdaptReport;
import org.trellis.adapt.AdaptStep;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.MeshQuality;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.SmoothingSweep;
import org.trellis.adapt.SweepOptions;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.backend.Backend;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.common.Precision;
import picocli.CommandLine.Option;

/** Smoothing by loops of the mesh runtime over colours of vertices, as the command line asks for it. */
final class LoopSmoothing {
    @Option(names = "--loops", description = {
        "Move vertices, and measure metric and quality where they have moved, by loops of the mesh runtime over"
                + " colours. Backends on devices always do. Elements come and go on the host's threads. The metric is"
                + " sampled in a raster: see --raster."})
    private boolean loops;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "With loops and --only smooth: the precision of positions and metric. Default: f64.")
    private Precision precision;

    @Option(names = "--texture", description = {
        "With loops: let the device interpolate the raster in hardware, in single precision and at 256 places between"
                + " two points. What that loses is measured and printed."})
    private boolean texture;

    /**
     * What came out.
     *
     * @param adapted the smoothed mesh
     * @param metric  the metric at its vertices as the backend has interpolated it
     */
    record Smoothed(AdaptedMesh adapted, double[] metric) {}

    boolean isAsked() {
        return loops;
    }

    /** Checks that nothing is asked for but what loops can do. */
    void check(boolean onlySmooth, boolean polishes, boolean animated, boolean device) {
        if (!loops && !device) {
            if (texture || precision == Precision.F32) {
                throw new IllegalArgumentException("--texture and --precision are for --loops, or for a backend on a"
                        + " device; expected one of these");
            }
            return;
        }
        if (onlySmooth && animated) {
            throw new IllegalArgumentException(
                    "frames of --only smooth are taken by the host's threads, sweep by sweep;"
                            + " expected neither " + (device ? "a backend on a device" : "--loops") + " nor --frames");
        }
        if (polishes && precision == Precision.F32) {
            throw new IllegalArgumentException("--precision f32 is for one method of smoothing, expected f64 or"
                    + " --polish 0");
        }
        if (!onlySmooth && precision == Precision.F32) {
            throw new IllegalArgumentException("--precision f32 would move boundaries by its rounding between other"
                    + " steps, expected f64 or --only smooth");
        }
    }

    /** Says whether vertices are moved by themselves, with positions in a precision or metric in a texture. */
    boolean isOwn(AdaptOptions options) {
        return options.steps().equals(Set.of(AdaptStep.SMOOTH)) && options.polish() == 0
                && (texture || precision == Precision.F32);
    }

    /** Lets an adaptation move its vertices on a backend. */
    Adaptation on(Backend backend, Adaptation adaptation, MetricSource source, int dimension) {
        checkMetric(source, dimension);
        return adaptation.smoothingOn(backend, texture);
    }

    private void checkMetric(MetricSource source, int dimension) {
        if (source.isInterpolated()) {
            throw new IllegalArgumentException(
                    "--interpolated-metric interpolates in the elements of the host as it moves"
                            + " vertices, expected it without loops on a backend");
        }
        if (!(source instanceof RasterMetric)) {
            throw new IllegalArgumentException("loops over colours sample the metric from a raster, found " + source);
        }
        if (texture && dimension == 3) {
            throw new IllegalArgumentException("--texture is for meshes in the plane, expected none in space");
        }
    }

    /**
     * Smooths.
     *
     * @throws IllegalArgumentException if the metric is no raster, the method is one that searches, or the mesh is one
     *                                  that loops cannot smooth
     */
    Smoothed run(Backend backend, SimplexMesh mesh, MetricSource source, AdaptOptions options) {
        checkMetric(source, mesh.dimension());
        RasterMetric raster = (RasterMetric) source;
        long begin = System.nanoTime();
        SweepOptions how = new SweepOptions(options.smoothing(),
                options.smart() || options.smoothing() == SmoothingMethod.OPTIMISATION
                        ? Acceptance.BETTER
                        : Acceptance.VALID,
                precision, texture);
        try (SmoothingSweep sweep = new SmoothingSweep(backend, mesh, raster, how)) {
            int sweeps = sweep.run(options.sweeps());
            double[] coordinates = sweep.coordinates();
            double seconds = (System.nanoTime() - begin) * 1e-9;
            SimplexMesh moved = new SimplexMesh(mesh.dimension(), coordinates, mesh.corners(), mesh.regions(),
                    mesh.patches(), mesh.patchTags(), mesh.shapes());
            double[] metric = raster.atAll(mesh.dimension(), coordinates);
            return new Smoothed(new AdaptedMesh(moved, metric, MeshQuality.of(moved, metric), new AdaptReport(sweeps,
                    0, 0, 0, Map.of("all", seconds, "smooth", seconds), Map.of(),
                    sweeps < options.sweeps(), Optional.empty())),
                    sweep.metric());
        }
    }

    /** Measures what sampling and the backend's own interpolation have lost together. */
    static Optional<RasterMetric.LengthError> error(Smoothed smoothed, MetricSource exact) {
        return Optional.of(error(smoothed.adapted().mesh(), smoothed.metric(), exact));
    }

    /** Measures what tensors at the vertices of a mesh have lost. */
    static RasterMetric.LengthError error(SimplexMesh mesh, double[] tensors, MetricSource exact) {
        return RasterMetric.lengthError(mesh.dimension(), tensors, exact.atAll(mesh.dimension(), mesh.coordinates()));
    }
}
