package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.trellis.common.MatrixFormatException;
import org.trellis.file.AtomicFile;

/**
 * Rasters of metrics as files: the legacy format of VTK for structured points, as text, with the tensors as a field
 * {@code metric} of 3 numbers (plane) or 6 (space) for each point, by rows of the upper triangle. ParaView shows them.
 */
public final class TensorRasterFile {
    private static final String FIELD = "metric";
    private static final int SPACE = 3;
    private static final int MAX_SAMPLES = 1 << 24;

    private TensorRasterFile() {}

    /**
     * Reads a raster.
     *
     * @param <T>  what is made of it
     * @param file the file, perhaps with .gz
     * @param make makes it; the raster is of the plane if there is one layer of points
     * @return what was made
     * @throws IOException           if it cannot be read
     * @throws MatrixFormatException if it is no such file, or {@code make} refuses its numbers by an
     *                               {@link IllegalArgumentException}; names line and column
     */
    public static <T> T read(Path file, Function<TensorRaster, T> make) throws IOException {
        MeshText text = MeshText.read(file, (char) 0);
        text.line();
        text.line();
        for (String word : new String[]{"ASCII", "DATASET", "STRUCTURED_POINTS", "DIMENSIONS"}) {
            text.expect(word);
        }
        int[] samples = new int[SPACE];
        for (int k = 0; k < SPACE; k++) {
            samples[k] = text.integer(k < 2 ? 2 : 1, MAX_SAMPLES, "a number of points along an axis");
        }
        double[] origin = new double[SPACE];
        double[] spacing = new double[SPACE];
        text.expect("ORIGIN");
        text.reals(origin, 0, SPACE, "a coordinate");
        text.expect("SPACING");
        text.reals(spacing, 0, SPACE, "a distance of points");
        int dimension = samples[2] == 1 ? 2 : SPACE;
        int size = dimension * (dimension + 1) / 2;
        long points = (long) samples[0] * samples[1] * samples[2];
        text.expect("POINT_DATA");
        int count = text.count("the number of points", 2 * size);
        if (count != points) {
            throw text.failure(text.position(), points + " points before this, as DIMENSIONS says");
        }
        for (String word : new String[]{"FIELD", "data", "1", FIELD, Integer.toString(size), Integer.toString(count),
            "double"}) {
            text.expect(word);
        }
        double[] tensors = new double[count * size];
        text.reals(tensors, 0, tensors.length, "a number of a tensor");
        text.end("nothing behind the last tensor");
        try {
            return make.apply(new TensorRaster(dimension, origin, spacing, samples, tensors));
        } catch (IllegalArgumentException e) {
            MatrixFormatException failure =
                    text.failure(text.position(), "a raster of a metric before this: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /**
     * Writes a raster.
     *
     * @param file   the file
     * @param raster the tensors
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, TensorRaster raster) throws IOException {
        int d = raster.dimension();
        int size = raster.tensorSize();
        int count = raster.tensors().length / size;
        StringBuilder text = new StringBuilder("# vtk DataFile Version 3.0\nTrellis, a metric\nASCII\n"
                + "DATASET STRUCTURED_POINTS\nDIMENSIONS");
        for (int k = 0; k < SPACE; k++) {
            text.append(' ').append(k < d ? raster.samples()[k] : 1);
        }
        text.append("\nORIGIN");
        for (int k = 0; k < SPACE; k++) {
            text.append(' ').append(k < d ? raster.origin()[k] : 0);
        }
        text.append("\nSPACING");
        for (int k = 0; k < SPACE; k++) {
            text.append(' ').append(k < d ? raster.spacing()[k] : 1);
        }
        text.append("\nPOINT_DATA ").append(count).append("\nFIELD data 1\n" + FIELD + " ").append(size).append(' ')
                .append(count).append(" double\n");
        for (int i = 0; i < raster.tensors().length; i++) {
            text.append(raster.tensors()[i]).append((i + 1) % size == 0 ? '\n' : ' ');
        }
        AtomicFile.writeText(file, text.toString());
    }
}
