package org.trellis.matrices.mesh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import org.trellis.common.PrintableText;

/** Writes VTK's XML format for unstructured grids: one piece, coordinates in double precision. */
final class VtuWriter {
    /** Bytes of a compressed block, as VTK makes them. */
    private static final int BLOCK_BYTES = 1 << 15;
    private static final String WHITE = "\t\n\r";
    /** Two numbers that are no characters, and not allowed in XML. */
    private static final int LAST_BUT_ONE = 0xFFFE;
    private static final int LAST = 0xFFFF;

    private final MeshWriteOptions options;
    private final OutputStream output;
    private final List<byte[]> appended = new ArrayList<>();
    private long offset;

    private VtuWriter(MeshWriteOptions options, OutputStream output) {
        this.options = options;
        this.output = output;
    }

    static void write(MeshData mesh, MeshWriteOptions options, OutputStream output) throws IOException {
        new VtuWriter(options, output).write(mesh);
    }

    private void write(MeshData mesh) throws IOException {
        checkNames(mesh.pointData());
        checkNames(mesh.cellData());
        CellOrder order = new CellOrder(mesh);
        text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\""
                + (options.byteOrder() == ByteOrder.LITTLE_ENDIAN ? "LittleEndian" : "BigEndian")
                + "\" header_type=\"" + (options.wideHeaders() ? "UInt64" : "UInt32") + '"'
                + (compresses() ? " compressor=\"vtkZLibDataCompressor\"" : "") + ">\n<UnstructuredGrid>\n"
                + "<Piece NumberOfPoints=\"" + mesh.pointCount() + "\" NumberOfCells=\"" + order.cells() + "\">\n");
        data("PointData", mesh.pointData());
        data("CellData", mesh.cellData());
        text("<Points>\n");
        array(new DataArray("Points", 3, NumberType.FLOAT64, VtkLegacyWriter.inSpace(mesh)));
        text("</Points>\n<Cells>\n");
        cells(order);
        text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
        if (!appended.isEmpty()) {
            boolean raw = options.encoding() == MeshEncoding.APPENDED_RAW;
            text("<AppendedData encoding=\"" + (raw ? "raw" : "base64") + "\">\n_");
            for (byte[] block : appended) {
                output.write(block);
            }
            text("\n</AppendedData>\n");
        }
        text("</VTKFile>\n");
    }

    /** No XML has control characters other than tabs and line ends, whichever way they are written. */
    private static void checkNames(List<DataArray> arrays) {
        Set<String> names = new LinkedHashSet<>();
        for (DataArray array : arrays) {
            if (!names.add(array.name())) {
                throw new IllegalArgumentException("two arrays have the name " + PrintableText.quote(array.name())
                        + ", expected different names: in VTK's XML format they identify arrays");
            }
        }
        MeshFiles.checkNames(List.copyOf(names), "XML", character -> (character < ' '
                && WHITE.indexOf(character) < 0) || character == LAST_BUT_ONE || character == LAST);
    }

    private boolean compresses() {
        return options.compressed() && options.encoding() != MeshEncoding.ASCII;
    }

    private void data(String tag, List<DataArray> arrays) throws IOException {
        text("<" + tag + ">\n");
        for (DataArray array : arrays) {
            array(array);
        }
        text("</" + tag + ">\n");
    }

    private void cells(CellOrder order) throws IOException {
        double[] connectivity = new double[Math.toIntExact(order.nodes())];
        double[] offsets = new double[order.cells()];
        double[] types = new double[order.cells()];
        int at = 0;
        for (int cell = 0; cell < order.cells(); cell++) {
            CellBlock block = order.block(cell);
            for (int k = 0; k < block.nodesPerCell(); k++) {
                connectivity[at++] = block.nodes()[order.start(cell) + k];
            }
            offsets[cell] = at;
            types[cell] = VtkCells.code(block);
        }
        array(new DataArray("connectivity", 1, NumberType.INT32, connectivity));
        array(new DataArray("offsets", 1, NumberType.INT32, offsets));
        array(new DataArray("types", 1, NumberType.UINT8, types));
    }

    private void array(DataArray array) throws IOException {
        text("<DataArray type=\"" + typeName(array.type()) + "\" Name=\"" + escaped(array.name())
                + (array.components() == 1 ? "" : "\" NumberOfComponents=\"" + array.components())
                + "\" format=\"");
        switch (options.encoding()) {
            case ASCII -> ascii(array);
            case BINARY -> {
                text("binary\">\n");
                output.write(encoded(array, true));
                text("\n</DataArray>\n");
            }
            case APPENDED_RAW, APPENDED_BASE64 -> {
                byte[] block = encoded(array, options.encoding() == MeshEncoding.APPENDED_BASE64);
                text("appended\" offset=\"" + offset + "\"/>\n");
                appended.add(block);
                offset += block.length;
            }
        }
    }

    private void ascii(DataArray array) throws IOException {
        text("ascii\">\n");
        StringBuilder line = new StringBuilder();
        int perLine = Math.max(array.components(), 12 / array.components() * array.components());
        for (int i = 0; i < array.values().length; i++) {
            NumberBytes.append(line, array.values()[i], array.type());
            boolean last = i + 1 == array.values().length || (i + 1) % perLine == 0;
            line.append(last ? '\n' : ' ');
            if (last) {
                text(line.toString());
                line.setLength(0);
            }
        }
        text("</DataArray>\n");
    }

    private byte[] encoded(DataArray array, boolean base64) {
        byte[] bytes = NumberBytes.encode(array.values(), array.type(), options.byteOrder());
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        if (!compresses()) {
            data.writeBytes(header(bytes.length));
            data.writeBytes(bytes);
            return base64 ? Base64.getEncoder().encode(data.toByteArray()) : data.toByteArray();
        }
        int blocks = Math.ceilDiv(bytes.length, BLOCK_BYTES);
        long[] sizes = new long[3 + blocks];
        sizes[0] = blocks;
        sizes[1] = BLOCK_BYTES;
        sizes[2] = bytes.length % BLOCK_BYTES;
        for (int i = 0; i < blocks; i++) {
            int from = i * BLOCK_BYTES;
            int before = data.size();
            deflate(bytes, from, Math.min(BLOCK_BYTES, bytes.length - from), data);
            sizes[3 + i] = (long) data.size() - before;
        }
        byte[] header = header(sizes);
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(base64 ? Base64.getEncoder().encode(header) : header);
        both.writeBytes(base64 ? Base64.getEncoder().encode(data.toByteArray()) : data.toByteArray());
        return both.toByteArray();
    }

    private static void deflate(byte[] bytes, int from, int length, ByteArrayOutputStream target) {
        Deflater deflater = new Deflater();
        byte[] buffer = new byte[BLOCK_BYTES];
        deflater.setInput(bytes, from, length);
        deflater.finish();
        while (!deflater.finished()) {
            target.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
    }

    private byte[] header(long... sizes) {
        int width = options.wideHeaders() ? Long.BYTES : Integer.BYTES;
        ByteBuffer buffer = ByteBuffer.allocate(sizes.length * width).order(options.byteOrder());
        for (long size : sizes) {
            if (options.wideHeaders()) {
                buffer.putLong(size);
            } else {
                buffer.putInt((int) size);
            }
        }
        return buffer.array();
    }

    static String typeName(NumberType type) {
        return switch (type) {
            case INT8 -> "Int8";
            case UINT8 -> "UInt8";
            case INT16 -> "Int16";
            case UINT16 -> "UInt16";
            case INT32 -> "Int32";
            case UINT32 -> "UInt32";
            case INT64 -> "Int64";
            case UINT64 -> "UInt64";
            case FLOAT32 -> "Float32";
            case FLOAT64 -> "Float64";
        };
    }

    /** White space other than blanks would become blanks if it were not escaped. */
    static String escaped(String name) {
        return name.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;").replace(">", "&gt;")
                .replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;");
    }

    private void text(String text) throws IOException {
        output.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
