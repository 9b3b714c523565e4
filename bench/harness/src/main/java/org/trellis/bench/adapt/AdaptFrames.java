package org.trellis.bench.adapt;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.AdaptedMesh;
import org.trellis.adapt.file.SimplexMeshes;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.bench.option.FrameOptions;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.picture.VtuSeries;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;

/** The frames of an adaptation: the mesh before, between sweeps and at the end, coloured by quality from 0 to 1. */
final class AdaptFrames {
    private static final MeshPicture.Range QUALITY = new MeshPicture.Range(0, 1);

    private final FrameOptions options;
    private final String name;
    private final VtuSeries series;
    private int count;

    AdaptFrames(FrameOptions options, String name) {
        this.options = options;
        this.name = name;
        series = new VtuSeries(options.prefix());
    }

    /** Adapts and writes frames. */
    AdaptedMesh run(Adaptation adaptation, SimplexMesh before, MetricSource source) throws IOException {
        write(0, before, source.atAll(before.dimension(), before.coordinates()));
        AdaptedMesh adapted;
        try {
            adapted = adaptation.run((sweep, mesh, metric) -> {
                if (options.isDue(sweep)) {
                    write(sweep, mesh, metric);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (!options.isDue(adapted.report().sweeps())) {
            write(adapted.report().sweeps(), adapted.mesh(), adapted.metric());
        }
        return adapted;
    }

    private void write(int sweep, SimplexMesh mesh, double[] metric) {
        MeshData data = SimplexMeshes.toMeshData(mesh, AdaptCommand.qualities(mesh, metric), List.of());
        try {
            if (options.arePictures()) {
                Path prefix = options.prefix();
                MeshPicture.write(data, new MeshPicture.Field(data.cellData().getFirst(), true, 0), null, QUALITY,
                        String.format(Locale.ROOT, "%s after %d sweeps", name, sweep), prefix.resolveSibling(
                                String.format(Locale.ROOT, "%s-%04d.png", prefix.getFileName(), count++)));
            } else {
                DataArray tensors = DataArray.of("metric", metric.length / mesh.vertices(), metric);
                Path file = series.next(".vtu");
                MeshFiles.write(file, SimplexMeshes.toMeshData(mesh, AdaptCommand.qualities(mesh, metric),
                        List.of(tensors)), MeshWriteOptions.DEFAULT);
                series.list(sweep, file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
