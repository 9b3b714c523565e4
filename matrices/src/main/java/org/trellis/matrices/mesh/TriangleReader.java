package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.common.MatrixFormatException;

/**
 * The files of Triangle and TetGen: {@code NAME.node} with the points, {@code NAME.ele} with the cells, and {@code
 * NAME.edge} or {@code NAME.face} with the boundary; or {@code NAME.poly} with segments. The first number of the
 * points, 0
 * or 1, is where all numbers start.
 */
final class TriangleReader {
    private static final char COMMENT = '#';

    private int dimensions;
    private int firstIndex;
    private double[] points = new double[0];
    private final CellCollector cells = new CellCollector();
    private final List<DataArray> pointData = new ArrayList<>();
    private final List<Double> attributes = new ArrayList<>();
    private boolean anyAttribute;

    private TriangleReader() {}

    static MeshData read(Path file) throws IOException {
        String name = String.valueOf(file.getFileName()).replaceAll("(?i)\\.gz$", "");
        String stem = name.substring(0, name.lastIndexOf('.'));
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return new TriangleReader().read(file, stem, extension);
    }

    private MeshData read(Path file, String stem, String extension) throws IOException {
        if (extension.equals("poly")) {
            readPoly(file, stem);
        } else {
            readPoints(file, stem);
            Path elements = sibling(file, stem, ".ele");
            if (elements != null) {
                readElements(MeshText.read(elements, COMMENT));
            }
            for (String kind : List.of(".edge", ".face")) {
                Path boundary = sibling(file, stem, kind);
                if (boundary != null) {
                    readBoundary(MeshText.read(boundary, COMMENT), kind.equals(".edge"));
                }
            }
        }
        List<DataArray> cellData = new ArrayList<>();
        if (anyAttribute) {
            cellData.add(DataArray.of("attribute", 1, attributes.stream().mapToDouble(value -> value).toArray()));
        }
        return new MeshData(dimensions, points, cells.blocks(), pointData, cellData, List.of());
    }

    private static Path sibling(Path file, String stem, String extension) {
        String name = String.valueOf(file.getFileName());
        if (name.equals(stem + extension) || name.equals(stem + extension + ".gz")) {
            return file;
        }
        for (String end : List.of(extension, extension + ".gz")) {
            Path candidate = file.resolveSibling(stem + end);
            if (Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private static Path required(Path file, String stem, String extension) {
        Path found = sibling(file, stem, extension);
        if (found == null) {
            throw new MatrixFormatException(file.toString(), 0, 0, "there is no file " + stem + extension
                    + " beside it", "one with the points");
        }
        return found;
    }

    private void readPoints(Path file, String stem) throws IOException {
        MeshText text = MeshText.read(required(file, stem, ".node"), COMMENT);
        readNodes(text);
        text.end("nothing behind the last of the points that the first line declares");
    }

    private void readPoly(Path file, String stem) throws IOException {
        MeshText text = MeshText.read(file, COMMENT);
        int before = text.position();
        if (text.count("a number of points", 0) == 0) {
            readPoints(file, stem);
            text.integer(1, 3, "a number of dimensions");
            text.integer(0, Integer.MAX_VALUE, "a number of attributes");
            text.integer(0, 1, "a number of boundary markers");
        } else {
            text.moveTo(before);
            readNodes(text);
        }
        int start = text.position();
        if (dimensions != 2) {
            throw text.failure(start, "points in the plane; facets in space are not supported");
        }
        readLines(text);
        skipPlaces(text, "a hole");
        skipPlaces(text, "a region");
        text.end("nothing behind segments, holes and regions");
    }

    /** Holes, and regions with their attribute and largest area, are for Triangle and no part of a mesh. */
    private void skipPlaces(MeshText text, String what) {
        if (!text.skip()) {
            return;
        }
        int count = text.count("a number, of holes or regions", 2);
        endLine(text);
        for (int i = 0; i < count; i++) {
            text.integer(0, Integer.MAX_VALUE, "the number of " + what);
            for (int k = 0; k < dimensions || (k < dimensions + 2 && text.moreOnLine()); k++) {
                text.real("a number of " + what);
            }
            endLine(text);
        }
    }

    private void readNodes(MeshText text) {
        int count = text.count("a number of points", 2);
        dimensions = text.integer(1, 3, "a number of dimensions");
        int attributeCount = text.integer(0, 1 << 16, "a number of attributes");
        int markers = text.integer(0, 1, "a number of boundary markers");
        // In space, some writers leave markers off although they announce them, or the other way round.
        text.checkRoom(text.position(), (1L + dimensions + attributeCount) * count, 2, "a number of points");
        points = new double[dimensions * count];
        double[][] values = new double[attributeCount][count];
        double[] marker = new double[count];
        for (int i = 0; i < count; i++) {
            int index = text.integer(0, Integer.MAX_VALUE, "the number of a point");
            if (i == 0) {
                firstIndex = Math.min(index, 1);
            }
            if (index != firstIndex + i) {
                throw text.failure(text.position(), "the number " + (firstIndex + i) + " before it");
            }
            text.reals(points, dimensions * i, dimensions * (i + 1), "a coordinate");
            for (int k = 0; k < attributeCount; k++) {
                values[k][i] = text.real("an attribute");
            }
            if (text.moreOnLine()) {
                marker[i] = text.integer(Integer.MIN_VALUE, Integer.MAX_VALUE, "a boundary marker");
                markers = 1;
            }
            endLine(text);
        }
        for (int k = 0; k < attributeCount; k++) {
            pointData.add(DataArray.of("attribute" + k, 1, values[k]));
        }
        if (markers == 1) {
            pointData.add(new DataArray("marker", 1, NumberType.INT32, marker));
        }
    }

    private static void endLine(MeshText text) {
        if (text.moreOnLine()) {
            throw text.failure(text.position(), "the end of the line");
        }
    }

    private void readElements(MeshText text) {
        int count = text.count("a number of cells", 2);
        int nodes = text.integer(2, 27, "a number of nodes of a cell");
        boolean attributed = text.integer(0, 1 << 16, "a number of attributes") > 0;
        CellShape shape = shape(text, nodes, text.moreOnLine() ? text.word() : "");
        int[] cell = new int[nodes];
        for (int i = 0; i < count; i++) {
            text.integer(0, Integer.MAX_VALUE, "the number of a cell");
            for (int k = 0; k < nodes; k++) {
                cell[k] = point(text);
            }
            if (shape == CellShape.TRIANGLE && nodes == 6) {
                // Triangle lists the middle of the side opposite a corner; VTK that of the side after it.
                int opposite = cell[3];
                cell[3] = cell[5];
                cell[5] = cell[4];
                cell[4] = opposite;
            }
            cells.add(shape, cell, 0, nodes);
            addAttribute(text, attributed);
            while (text.moreOnLine()) {
                text.real("an attribute");
            }
        }
        text.end("nothing behind the last of the cells that the first line declares");
    }

    private void addAttribute(MeshText text, boolean announced) {
        boolean there = text.moreOnLine();
        attributes.add(there ? text.real("an attribute") : 0.0);
        anyAttribute |= there || announced;
    }

    private CellShape shape(MeshText text, int nodes, String word) {
        boolean block = word.equalsIgnoreCase("HEX");
        CellShape shape = switch (dimensions * 100 + nodes) {
            case 102, 103, 202, 302 -> CellShape.LINE;
            case 203, 206, 303, 306 -> CellShape.TRIANGLE;
            case 204 -> CellShape.QUADRILATERAL;
            case 304, 310 -> block ? CellShape.QUADRILATERAL : CellShape.TETRAHEDRON;
            case 308 -> CellShape.HEXAHEDRON;
            default -> null;
        };
        if (shape == null) {
            throw text.failure(text.position(), "cells that are supported before this; " + nodes + " nodes in "
                    + dimensions + " dimensions are not");
        }
        return shape;
    }

    private int point(MeshText text) {
        return text.integer(firstIndex, points.length / dimensions - 1 + firstIndex, "a point") - firstIndex;
    }

    private void readBoundary(MeshText text, boolean edges) {
        if (edges) {
            readLines(text);
            text.end("nothing behind the last of the edges that the first line declares");
            return;
        }
        int count = text.count("a number of faces", 2);
        text.integer(0, 1, "a number of boundary markers");
        int[] face = new int[4];
        for (int i = 0; i < count; i++) {
            text.integer(0, Integer.MAX_VALUE, "the number of a face");
            int nodes = 0;
            while (nodes < 3) {
                face[nodes++] = point(text);
            }
            int[] rest = new int[2];
            int more = 0;
            while (text.moreOnLine() && more < 2) {
                rest[more++] = text.integer(Integer.MIN_VALUE, Integer.MAX_VALUE, "a point or a marker");
            }
            endLine(text);
            boolean four = more == 2 || (more == 1 && isHexahedral());
            if (four) {
                face[nodes++] = checkedPoint(text, rest[0]);
            }
            cells.add(four ? CellShape.QUADRILATERAL : CellShape.TRIANGLE, face, 0, nodes);
            boolean marked = more == (four ? 2 : 1);
            attributes.add(marked ? (double) rest[more - 1] : 0.0);
            anyAttribute |= marked;
        }
        text.end("nothing behind the last of the faces that the first line declares");
    }

    private boolean isHexahedral() {
        return cells.has(CellShape.HEXAHEDRON);
    }

    private int checkedPoint(MeshText text, int given) {
        int point = given - firstIndex;
        if (point < 0 || point >= points.length / dimensions) {
            throw text.failure(text.position(), "a point from " + firstIndex + " to "
                    + (points.length / dimensions - 1 + firstIndex) + " before it");
        }
        return point;
    }

    private void readLines(MeshText text) {
        int count = text.count("a number of edges", 2);
        boolean announced = text.integer(0, 1, "a number of boundary markers") == 1;
        int[] edge = new int[2];
        for (int i = 0; i < count; i++) {
            text.integer(0, Integer.MAX_VALUE, "the number of an edge");
            edge[0] = point(text);
            edge[1] = point(text);
            cells.add(CellShape.LINE, edge, 0, 2);
            addAttribute(text, announced);
            endLine(text);
        }
    }
}
