package org.trellis.matrices.mesh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Writes the legacy format of VTK, version 3, as an unstructured grid. */
final class VtkLegacyWriter {
    private static final int DELETE = 0x7F;

    private final OutputStream output;
    private final boolean binary;

    private VtkLegacyWriter(OutputStream output, boolean binary) {
        this.output = output;
        this.binary = binary;
    }

    static void write(MeshData mesh, MeshWriteOptions options, OutputStream output) throws IOException {
        new VtkLegacyWriter(output, options.encoding() != MeshEncoding.ASCII).write(mesh);
    }

    private void write(MeshData mesh) throws IOException {
        CellOrder order = new CellOrder(mesh);
        text("# vtk DataFile Version 3.0\nTrellis\n" + (binary ? "BINARY" : "ASCII") + "\nDATASET UNSTRUCTURED_GRID\n");
        text("POINTS " + mesh.pointCount() + " double\n");
        numbers(inSpace(mesh), 3, NumberType.FLOAT64);
        double[] list = new double[Math.toIntExact(order.nodes() + order.cells())];
        double[] types = new double[order.cells()];
        int at = 0;
        for (int cell = 0; cell < order.cells(); cell++) {
            CellBlock block = order.block(cell);
            list[at++] = block.nodesPerCell();
            for (int k = 0; k < block.nodesPerCell(); k++) {
                list[at++] = block.nodes()[order.start(cell) + k];
            }
            types[cell] = VtkCells.code(block);
        }
        text("CELLS " + order.cells() + " " + list.length + "\n");
        numbers(list, 1 << 4, NumberType.INT32);
        text("CELL_TYPES " + order.cells() + "\n");
        numbers(types, 1 << 4, NumberType.INT32);
        data("POINT_DATA", mesh.pointCount(), mesh.pointData());
        data("CELL_DATA", order.cells(), mesh.cellData());
    }

    /** Returns the points with three coordinates each. */
    static double[] inSpace(MeshData mesh) {
        if (mesh.dimensions() == 3) {
            return mesh.points();
        }
        double[] result = new double[3 * mesh.pointCount()];
        for (int i = 0; i < mesh.points().length; i++) {
            result[3 * (i / mesh.dimensions()) + i % mesh.dimensions()] = mesh.points()[i];
        }
        return result;
    }

    private void data(String section, int size, List<DataArray> arrays) throws IOException {
        if (arrays.isEmpty()) {
            return;
        }
        MeshFiles.checkNames(arrays.stream().map(DataArray::name).toList(), "UTF-8", character -> false);
        text(section + " " + size + "\nFIELD data " + arrays.size() + "\n");
        for (DataArray array : arrays) {
            text(encoded(array.name()) + " " + array.components() + " " + array.size() + " " + typeName(array.type())
                    + "\n");
            numbers(array.values(), array.components(), array.type());
        }
    }

    private static String encoded(String name) {
        StringBuilder result = new StringBuilder();
        for (byte character : name.getBytes(StandardCharsets.UTF_8)) {
            if (character <= ' ' || character == '%' || character == '"' || character == DELETE) {
                result.append(String.format(Locale.ROOT, "%%%02X", character & 0xFF));
            } else {
                result.append((char) character);
            }
        }
        // This word announces something else where a name is expected.
        String word = result.toString().equals("METADATA") ? "%4DETADATA" : result.toString();
        return word.isEmpty() ? "unnamed" : word;
    }

    private static String typeName(NumberType type) {
        return switch (type) {
            case INT8 -> "char";
            case UINT8 -> "unsigned_char";
            case INT16 -> "short";
            case UINT16 -> "unsigned_short";
            case INT32 -> "int";
            case UINT32 -> "unsigned_int";
            case INT64 -> "vtktypeint64";
            case UINT64 -> "vtktypeuint64";
            case FLOAT32 -> "float";
            case FLOAT64 -> "double";
        };
    }

    private void numbers(double[] values, int perLine, NumberType type) throws IOException {
        if (binary) {
            output.write(NumberBytes.encode(values, type, ByteOrder.BIG_ENDIAN));
            text("\n");
            return;
        }
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            NumberBytes.append(line, values[i], type);
            line.append((i + 1) % perLine == 0 || i + 1 == values.length ? '\n' : ' ');
            if (line.length() > 1 << 12) {
                text(line.toString());
                line.setLength(0);
            }
        }
        text(line.toString());
    }

    private void text(String text) throws IOException {
        output.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
