package org.trellis.bench.adapt;

import java.util.Map;
import java.util.Optional;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.AdaptReport;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.MeshQuality;
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
        "With --only smooth: move vertices by loops of the mesh runtime over colours. Backends on devices always do,"
                + " since positions, cavities and metric stay there. The metric has to be a raster."})
    private boolean loops;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "With loops: the precision of positions and metric. Default: f64.")
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
    void check(boolean onlySmooth, boolean animated, boolean device) {
        if (!loops && !device) {
            if (texture || precision == Precision.F32) {
                throw new IllegalArgumentException("--texture and --precision are for --loops, or for a backend on a"
                        + " device; expected one of these");
            }
            return;
        }
        if (!onlySmooth || animated) {
            throw new IllegalArgumentException((device ? "a backend on a device" : "--loops")
                    + " only moves vertices: elements come and go on the host only, and frames are taken there;"
                    + " expected --only smooth without frames");
        }
    }

    /**
     * Smooths.
     *
     * @throws IllegalArgumentException if the metric is no raster, the method is one that searches, or the mesh is one
     *                                  that loops cannot smooth
     */
    Smoothed run(Backend backend, SimplexMesh mesh, MetricSource source, AdaptOptions options) {
        if (!(source instanceof RasterMetric raster)) {
            throw new IllegalArgumentException("loops over colours sample the metric from a raster, expected --raster N"
                    + " or --metric raster:FILE");
        }
        long begin = System.nanoTime();
        SweepOptions how = new SweepOptions(options.smoothing(),
                options.smart() ? Acceptance.BETTER : Acceptance.VALID, precision, texture);
        try (SmoothingSweep sweep = new SmoothingSweep(backend, mesh, raster, how)) {
            int sweeps = sweep.run(options.sweeps());
            double[] coordinates = sweep.coordinates();
            double seconds = (System.nanoTime() - begin) * 1e-9;
            SimplexMesh moved = new SimplexMesh(2, coordinates, mesh.corners(), mesh.regions(), mesh.patches(),
                    mesh.patchTags());
            double[] metric = raster.atAll(2, coordinates);
            return new Smoothed(new AdaptedMesh(moved, metric, MeshQuality.of(moved, metric), new AdaptReport(sweeps,
                    0, 0, 0, Map.of("all", seconds, "smooth", seconds), sweeps < options.sweeps())), sweep.metric());
        }
    }

    /** Measures what sampling and the backend's own interpolation have lost together. */
    static Optional<RasterMetric.LengthError> error(Smoothed smoothed, MetricSource exact) {
        return Optional.of(RasterMetric.lengthError(2, smoothed.metric(),
                exact.atAll(2, smoothed.adapted().mesh().coordinates())));
    }
}
