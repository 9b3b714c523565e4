package org.trellis.matrices.mesh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.trellis.file.AtomicFile;

/**
 * Writes the files of Triangle (in the plane) and TetGen (in space): {@code NAME.node}, {@code NAME.ele}, and {@code
 * NAME.edge} or {@code NAME.face}, which is written without facets too, so that none of another mesh is left beside it.
 * Numbers start at 1. Point arrays become attributes, component by component, without their names; the array {@code
 * marker} the points' markers. Of cell arrays, {@code physical}, or else {@code attribute}, becomes the attribute of
 * cells and the marker of facets.
 */
final class TriangleWriter {
    private static final String ATTRIBUTE = "attribute";
    private static final String MARKER = "marker";

    private final MeshData mesh;
    private final int dimensions;
    private final Optional<DataArray> tags;

    private TriangleWriter(MeshData mesh) {
        this.mesh = mesh.flattened();
        dimensions = this.mesh.dimensions();
        tags = this.mesh.cellArray(MeshData.PHYSICAL).or(() -> this.mesh.cellArray(ATTRIBUTE));
    }

    static void write(Path file, MeshData mesh) throws IOException {
        TriangleWriter writer = new TriangleWriter(mesh);
        writer.check();
        boolean plane = writer.dimensions == 2;
        write(file, ".node", writer.points());
        write(file, plane ? ".edge" : ".face", writer.facets(plane ? CellShape.LINE : CellShape.TRIANGLE));
        write(file, ".ele", writer.cells(plane ? CellShape.TRIANGLE : CellShape.TETRAHEDRON));
    }

    private static void write(Path file, String extension, CharSequence text) throws IOException {
        String name = String.valueOf(file.getFileName());
        boolean compressed = name.toLowerCase(Locale.ROOT).endsWith(".gz");
        String bare = compressed ? name.substring(0, name.length() - 3) : name;
        Path target = file.resolveSibling(
                bare.substring(0, bare.lastIndexOf('.')) + extension + (compressed ? ".gz" : ""));
        AtomicFile.write(target, raw -> {
            try (OutputStream output = compressed ? new GZIPOutputStream(raw) : raw) {
                output.write(text.toString().getBytes(StandardCharsets.US_ASCII));
            }
        });
    }

    private void check() {
        for (CellBlock block : mesh.blocks()) {
            boolean isSimplex = block.shape() == CellShape.LINE || block.shape() == CellShape.TRIANGLE
                    || (block.shape() == CellShape.TETRAHEDRON && dimensions == 3);
            boolean isPart = block.shape().dimension() >= dimensions - 1;
            if (dimensions < 2 || !isSimplex || !isPart || block.nodesPerCell() != block.shape().dimension() + 1) {
                throw new IllegalArgumentException("the mesh has " + block + " in " + dimensions
                        + " dimensions, expected triangles of 3 nodes and lines in the plane, or tetrahedra of 4 nodes"
                        + " and triangles in space, for a file of Triangle or TetGen");
            }
        }
    }

    private CharSequence points() {
        List<DataArray> attributes = new ArrayList<>(mesh.pointData());
        Optional<DataArray> markers = mesh.pointArray(MARKER).filter(array -> array.components() == 1);
        markers.ifPresent(attributes::remove);
        int count = attributes.stream().mapToInt(DataArray::components).sum();
        StringBuilder text = new StringBuilder();
        text.append(mesh.pointCount()).append(' ').append(dimensions).append(' ').append(count).append(' ')
                .append(markers.isPresent() ? 1 : 0).append('\n');
        for (int point = 0; point < mesh.pointCount(); point++) {
            text.append(point + 1);
            append(text, mesh.points(), point * dimensions, dimensions);
            for (DataArray array : attributes) {
                append(text, array.values(), point * array.components(), array.components());
            }
            if (markers.isPresent()) {
                text.append(' ').append((long) markers.get().values()[point]);
            }
            text.append('\n');
        }
        return text;
    }

    private static void append(StringBuilder text, double[] values, int from, int count) {
        for (int i = from; i < from + count; i++) {
            text.append(' ');
            NumberBytes.append(text, values[i], NumberType.FLOAT64);
        }
    }

    private CharSequence cells(CellShape shape) {
        int[] numbers = numbers(shape);
        StringBuilder text = new StringBuilder();
        text.append(numbers.length).append(' ').append(dimensions + 1).append(tags.isPresent() ? " 1\n" : " 0\n");
        return list(text, numbers, dimensions + 1);
    }

    private CharSequence facets(CellShape shape) {
        int[] numbers = numbers(shape);
        StringBuilder text = new StringBuilder();
        text.append(numbers.length).append(tags.isPresent() ? " 1\n" : " 0\n");
        return list(text, numbers, dimensions);
    }

    /** The cells of a shape by their numbers in the mesh, in order. */
    private int[] numbers(CellShape shape) {
        return mesh.blocks().stream().filter(block -> block.shape() == shape)
                .flatMapToInt(block -> IntStream.of(block.numbers())).sorted().toArray();
    }

    private StringBuilder list(StringBuilder text, int[] numbers, int nodes) {
        CellOrder order = new CellOrder(mesh);
        for (int i = 0; i < numbers.length; i++) {
            text.append(i + 1);
            for (int k = 0; k < nodes; k++) {
                text.append(' ').append(order.block(numbers[i]).nodes()[order.start(numbers[i]) + k] + 1);
            }
            if (tags.isPresent()) {
                text.append(' ').append((long) tags.get().values()[numbers[i] * tags.get().components()]);
            }
            text.append('\n');
        }
        return text;
    }
}
