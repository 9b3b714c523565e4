package org.trellis.matrices.mesh;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.trellis.file.AtomicFile;

/** The text format of {@link AirfoilMesh}: four counts, then a line for each node, cell, edge and boundary edge. */
final class AirfoilFile {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int DECIMALS = 6;
    /** Millionths of one. */
    static final double SCALE = 1e6;
    /** A product this near to half an integer may have been rounded across it. */
    private static final double DOUBT = 1e-3;
    /** Beyond this, products with the scale are no longer exact to the decimals that matter. */
    private static final double MAX_EXACT_PRODUCT = 1e6;

    private AirfoilFile() {}

    static AirfoilMesh read(MeshText text) {
        int nodes = text.count("a number of nodes", 4);
        int cells = text.count("a number of cells", 8);
        int edges = text.count("a number of edges", 8);
        int boundary = text.count("a number of boundary edges", 8);
        text.checkRoom(0, 4L * nodes + 8L * cells + 8L * edges + 8L * boundary, 1, "numbers of nodes, cells and edges");
        double[] coordinates = new double[2 * nodes];
        text.reals(coordinates, 0, coordinates.length, "a coordinate");
        int[] cellNodes = new int[4 * cells];
        for (int i = 0; i < cellNodes.length; i++) {
            cellNodes[i] = node(text, nodes);
        }
        int[] edgeNodes = new int[2 * edges];
        int[] edgeCells = new int[2 * edges];
        for (int i = 0; i < edgeNodes.length; i += 2) {
            edgeNodes[i] = node(text, nodes);
            edgeNodes[i + 1] = node(text, nodes);
            edgeCells[i] = cell(text, cells);
            edgeCells[i + 1] = cell(text, cells);
        }
        int[] boundaryNodes = new int[2 * boundary];
        int[] boundaryCells = new int[boundary];
        int[] boundaryKinds = new int[boundary];
        for (int i = 0; i < boundary; i++) {
            boundaryNodes[2 * i] = node(text, nodes);
            boundaryNodes[2 * i + 1] = node(text, nodes);
            boundaryCells[i] = cell(text, cells);
            boundaryKinds[i] = text.integer(AirfoilMesh.WALL, AirfoilMesh.FAR_FIELD, "a boundary flag");
        }
        if (text.skip()) {
            throw text.failure(text.position(), "nothing behind the last boundary edge");
        }
        return new AirfoilMesh(coordinates, cellNodes, edgeNodes, edgeCells, boundaryNodes, boundaryCells,
                boundaryKinds);
    }

    private static int node(MeshText text, int nodes) {
        return text.integer(0, nodes - 1, "a node");
    }

    private static int cell(MeshText text, int cells) {
        return text.integer(0, cells - 1, "a cell");
    }

    static void write(AirfoilMesh mesh, Path file) throws IOException {
        boolean compressed = String.valueOf(file.getFileName()).endsWith(".gz");
        AtomicFile.write(file, raw -> {
            try (OutputStream output = new BufferedOutputStream(
                    compressed ? new GZIPOutputStream(raw, BUFFER_BYTES) : raw, BUFFER_BYTES)) {
                writeTo(mesh, output);
            }
        });
    }

    /** Writes the text; the bits of the numbers decide on every byte, so that equal meshes give equal files. */
    static void writeTo(AirfoilMesh mesh, OutputStream output) throws IOException {
        StringBuilder line = new StringBuilder();
        flush(line.append(mesh.nodes()).append(' ').append(mesh.cells()).append(' ').append(mesh.edges()).append(' ')
                .append(mesh.boundaryEdges()), output);
        for (int i = 0; i < mesh.nodes(); i++) {
            appendDecimal(line, mesh.coordinates()[2 * i]);
            appendDecimal(line.append(' '), mesh.coordinates()[2 * i + 1]);
            flush(line, output);
        }
        int[] cells = mesh.cellNodes();
        for (int i = 0; i < cells.length; i += 4) {
            flush(line.append(cells[i]).append(' ').append(cells[i + 1]).append(' ').append(cells[i + 2]).append(' ')
                    .append(cells[i + 3]), output);
        }
        for (int i = 0; i < mesh.edgeNodes().length; i += 2) {
            flush(line.append(mesh.edgeNodes()[i]).append(' ').append(mesh.edgeNodes()[i + 1]).append(' ')
                    .append(mesh.edgeCells()[i]).append(' ').append(mesh.edgeCells()[i + 1]), output);
        }
        for (int i = 0; i < mesh.boundaryEdges(); i++) {
            flush(line.append(mesh.boundaryNodes()[2 * i]).append(' ').append(mesh.boundaryNodes()[2 * i + 1])
                    .append(' ').append(mesh.boundaryCells()[i]).append(' ').append(mesh.boundaryKinds()[i]), output);
        }
    }

    /** Lines have a blank at both ends, as the standard mesh has them. */
    private static void flush(StringBuilder line, OutputStream output) throws IOException {
        output.write(line.insert(0, ' ').append(" \n").toString().getBytes(StandardCharsets.ISO_8859_1));
        line.setLength(0);
    }

    /** Appends a number with six decimals as C prints it, the sign of zero included. */
    private static void appendDecimal(StringBuilder line, double value) {
        double millionths = millionths(value);
        if (!(Math.abs(millionths) < MAX_EXACT_PRODUCT * SCALE)) {
            line.append(new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN).toPlainString());
            return;
        }
        if (Double.doubleToRawLongBits(millionths) < 0) {
            line.append('-');
        }
        String digits = Long.toString((long) Math.abs(millionths));
        line.repeat('0', Math.max(0, DECIMALS + 1 - digits.length())).append(digits);
        line.insert(line.length() - DECIMALS, '.');
    }

    /** Rounds to millionths, to even where it lies exactly between two; the result is an integer or negative zero. */
    static double millionths(double value) {
        double product = value * SCALE;
        double rounded = Math.rint(product);
        boolean doubtful = Math.abs(Math.abs(product - rounded) - 0.5) < DOUBT && Math.abs(value) < MAX_EXACT_PRODUCT;
        if (!doubtful) {
            return rounded;
        }
        double exact = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN).unscaledValue().doubleValue();
        return exact == 0 ? Math.copySign(0.0, value) : exact;
    }
}
