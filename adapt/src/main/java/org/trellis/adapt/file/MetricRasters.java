package org.trellis.adapt.file;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.matrices.mesh.TensorRaster;
import org.trellis.matrices.mesh.TensorRasterFile;

/** Metrics on rasters from and to files, as {@link TensorRasterFile} describes them. */
public final class MetricRasters {
    private MetricRasters() {}

    /**
     * Reads a metric.
     *
     * @param file the file, perhaps with .gz
     * @return the metric; of the plane if there is one layer of points
     * @throws IOException                              if it cannot be read
     * @throws org.trellis.common.MatrixFormatException if it is no such file, or its tensors are no metric; names line
     *                                                  and column
     */
    public static RasterMetric read(Path file) throws IOException {
        return TensorRasterFile.read(file, raster -> RasterMetric.of(raster.dimension(), raster.origin(),
                raster.spacing(), raster.samples(), raster.tensors()));
    }

    /**
     * Writes a metric.
     *
     * @param file   the file
     * @param metric the metric
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, RasterMetric metric) throws IOException {
        TensorRasterFile.write(file, new TensorRaster(metric.dimension(), metric.origin(), metric.spacing(),
                metric.samples(), metric.tensors()));
    }
}
