package org.trellis.matrices.mesh;

import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;

/** The legacy format of VTK, versions 1 to 5: unstructured grids and polygonal data, as text or binary. */
final class VtkLegacyReader {
    private static final int TENSOR = 9;
    private static final int HEX = 16;

    private final MeshText text;
    private boolean binary;
    private boolean polygons;
    private double[] points = new double[0];
    private final Set<String> seen = new HashSet<>();
    private final List<int[]> pendingOffsets = new ArrayList<>();
    private final List<int[]> pendingNodes = new ArrayList<>();
    private final CellCollector cells = new CellCollector();
    private final List<DataArray> pointData = new ArrayList<>();
    private final List<DataArray> cellData = new ArrayList<>();
    /** The data that are being read; null for those of the whole file, which are skipped. */
    private List<DataArray> target;
    private int targetSize;

    private VtkLegacyReader(MeshText text) {
        this.text = text;
    }

    static MeshData read(MeshText text) {
        return new VtkLegacyReader(text).read();
    }

    private MeshData read() {
        int start = text.position();
        String banner = text.line();
        if (banner == null || !banner.startsWith("# vtk DataFile Version")) {
            throw text.failure(start, "'# vtk DataFile Version'");
        }
        text.skipLine();
        int encoding = text.position();
        binary = switch (text.word().toUpperCase(Locale.ROOT)) {
            case "ASCII" -> false;
            case "BINARY" -> true;
            default -> throw text.failure(encoding, "ASCII or BINARY");
        };
        text.expect("DATASET");
        text.skip();
        int dataset = text.position();
        polygons = switch (text.word().toUpperCase(Locale.ROOT)) {
            case "UNSTRUCTURED_GRID" -> false;
            case "POLYDATA" -> true;
            default -> throw text.failure(dataset, "UNSTRUCTURED_GRID or POLYDATA");
        };
        while (text.skip()) {
            section();
        }
        if (!pendingNodes.isEmpty()) {
            throw text.failure(text.position(), "CELL_TYPES for the cells");
        }
        checkSizes();
        return new MeshData(3, points, cells.blocks(), pointData, cellData, List.of());
    }

    private void checkSizes() {
        for (DataArray array : pointData) {
            checkSize(array, points.length / 3, "points");
        }
        for (DataArray array : cellData) {
            checkSize(array, cells.count(), "cells");
        }
    }

    private void checkSize(DataArray array, int size, String what) {
        if (array.size() != size) {
            throw new MatrixFormatException(text.name(), 0, 0, "the array "
                    + PrintableText.cut(array.name(), PrintableText.LONGEST_QUOTE) + " is for " + array.size()
                    + " " + what, size + " " + what);
        }
    }

    private void section() {
        int start = text.position();
        String keyword = text.word().toUpperCase(Locale.ROOT);
        checkPlace(start, keyword);
        switch (keyword) {
            case "POINTS" -> {
                int count = text.count("a number of points", 1);
                points = values(3L * count, type(), "a coordinate");
            }
            case "CELLS", "VERTICES", "LINES", "POLYGONS" -> cellNodes(start, keyword);
            case "CELL_TYPES" -> cellTypes(start);
            case "POINT_DATA" -> {
                target = pointData;
                targetSize = text.count("a number of points", 0);
            }
            case "CELL_DATA" -> {
                target = cellData;
                targetSize = text.count("a number of cells", 0);
            }
            case "METADATA" -> skipMetadata();
            default -> attribute(start, keyword);
        }
    }

    /** The sections of the mesh itself are there once, and not those of another data set. */
    private void checkPlace(int start, String keyword) {
        boolean ofGrid = keyword.equals("CELLS") || keyword.equals("CELL_TYPES");
        boolean ofPolygons = keyword.equals("VERTICES") || keyword.equals("LINES") || keyword.equals("POLYGONS");
        if (polygons ? ofGrid : ofPolygons) {
            throw text.failure(start, "a keyword of " + (polygons ? "POLYDATA" : "UNSTRUCTURED_GRID"));
        }
        if ((ofGrid || ofPolygons || keyword.equals("POINTS")) && !seen.add(keyword)) {
            throw text.failure(start, "each section once; there is a section " + keyword + " before this");
        }
    }

    private void attribute(int start, String keyword) {
        if (keyword.equals("FIELD")) {
            field();
            return;
        }
        if (target == null) {
            throw text.failure(start, "a keyword of the legacy format, or POINT_DATA or CELL_DATA before it");
        }
        switch (keyword) {
            case "SCALARS" -> scalars();
            case "VECTORS", "NORMALS" -> array(word("a name"), 3, type());
            case "TENSORS" -> array(word("a name"), TENSOR, type());
            case "GLOBAL_IDS", "PEDIGREE_IDS" -> array(word("a name"), 1, type());
            case "TEXTURE_COORDINATES" -> {
                String name = word("a name");
                array(name, text.integer(1, 3, "a number of dimensions"), type());
            }
            case "COLOR_SCALARS" -> {
                String name = word("a name");
                array(name, text.integer(1, 4, "a number of components"),
                        binary ? NumberType.UINT8 : NumberType.FLOAT32);
            }
            case "LOOKUP_TABLE" -> {
                word("a name");
                int size = text.count("a table size", 4);
                values(4L * size, binary ? NumberType.UINT8 : NumberType.FLOAT32, "a colour");
            }
            default -> throw text.failure(start, "a keyword of the legacy format");
        }
    }

    private void scalars() {
        String name = word("a name");
        NumberType type = type();
        int components = text.moreOnLine() ? text.integer(1, 4, "a number of components") : 1;
        // What follows may be binary data, of which nothing is to be skipped.
        int before = text.position();
        if (text.word().equalsIgnoreCase("LOOKUP_TABLE")) {
            word("a name");
        } else {
            text.moveTo(before);
        }
        array(name, components, type);
    }

    private void field() {
        word("a name");
        int count = text.count("a number of arrays", 1);
        for (int i = 0; i < count; i++) {
            String name = word("a name");
            if (name.equals("METADATA")) {
                skipMetadata();
                name = word("a name");
            }
            int components = text.integer(0, Integer.MAX_VALUE, "a number of components");
            int tuples = text.integer(0, Integer.MAX_VALUE, "a number of tuples");
            text.skip();
            int typeAt = text.position();
            String typeName = text.word();
            if (typeName.equalsIgnoreCase("string")) {
                throw text.failure(typeAt, "numbers; arrays of strings are not supported");
            }
            NumberType type = typeOf(typeName, typeAt);
            double[] values = values((long) components * tuples, type, "a value of " + name);
            if (target != null && components > 0) {
                if (tuples != targetSize) {
                    throw text.failure(typeAt, targetSize + " tuples before the type, as the section says");
                }
                target.add(new DataArray(decoded(name), components, type, values));
            }
        }
    }

    private void array(String name, int components, NumberType type) {
        double[] values = values((long) components * targetSize, type, "a value of " + name);
        target.add(new DataArray(decoded(name), components, type, values));
    }

    /** Resolves what VTK writes instead of blanks and the like; a percent sign that is none of these is one. */
    private static String decoded(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream result = new ByteArrayOutputStream(bytes.length);
        for (int at = 0; at < bytes.length; at++) {
            int high = bytes[at] == '%' && at + 2 < bytes.length ? Character.digit(bytes[at + 1], HEX) : -1;
            int low = high >= 0 ? Character.digit(bytes[at + 2], HEX) : -1;
            result.write(low >= 0 ? high * HEX + low : bytes[at]);
            at += low >= 0 ? 2 : 0;
        }
        return result.toString(StandardCharsets.UTF_8);
    }

    private void skipMetadata() {
        text.skipLine();
        String line = text.line();
        while (line != null && !line.isBlank()) {
            line = text.line();
        }
    }

    private void cellNodes(int start, String keyword) {
        int countAt = text.position();
        int first = text.count("a number of cells", 1);
        int second = text.count("a size", 1);
        int before = text.position();
        int[] offsets;
        int[] nodes;
        if (text.word().equalsIgnoreCase("OFFSETS")) {
            offsets = first == 0 ? new int[1] : integers(first, type(), "an offset");
            text.expect("CONNECTIVITY");
            nodes = integers(second, type(), "a point");
        } else {
            text.moveTo(before);
            if (first > second) {
                throw text.failure(countAt, "a number of cells up to the size of their list, " + second
                        + ": each has its number of nodes there");
            }
            int[] list = integers(second, NumberType.INT32, "a number of nodes or a point");
            offsets = new int[first + 1];
            nodes = new int[second - first];
            split(start, list, offsets, nodes);
        }
        checkOffsets(start, offsets, nodes);
        if (polygons) {
            addPolygons(start, keyword, offsets, nodes);
        } else {
            pendingOffsets.add(offsets);
            pendingNodes.add(nodes);
        }
    }

    private void split(int start, int[] list, int[] offsets, int[] nodes) {
        int at = 0;
        for (int cell = 0; cell + 1 < offsets.length; cell++) {
            int count = at < list.length ? list[at] : -1;
            if (count < 0 || count > list.length - at - 1 || count > nodes.length - offsets[cell]) {
                throw text.failure(start, "a list of cells that fits its size; cell " + cell + " does not");
            }
            System.arraycopy(list, at + 1, nodes, offsets[cell], count);
            offsets[cell + 1] = offsets[cell] + count;
            at += count + 1;
        }
    }

    private void checkOffsets(int start, int[] offsets, int[] nodes) {
        for (int i = 0; i + 1 < offsets.length; i++) {
            if (offsets[i] > offsets[i + 1]) {
                throw text.failure(start, "offsets that increase; number " + (i + 1) + " is " + offsets[i + 1]);
            }
        }
        if (offsets[0] != 0 || offsets[offsets.length - 1] != nodes.length) {
            throw text.failure(start, "offsets from 0 to " + nodes.length + ", the number of nodes");
        }
    }

    private void addPolygons(int start, String keyword, int[] offsets, int[] nodes) {
        for (int i = 0; i + 1 < offsets.length; i++) {
            int count = offsets[i + 1] - offsets[i];
            CellShape shape = switch (keyword) {
                case "VERTICES" -> count == 1 ? CellShape.VERTEX : CellShape.POINTS;
                case "LINES" -> count == 2 ? CellShape.LINE : CellShape.POLYLINE;
                default -> count == 3
                        ? CellShape.TRIANGLE
                        : count == 4 ? CellShape.QUADRILATERAL : CellShape.POLYGON;
            };
            if (count < shape.leastNodes()) {
                throw text.failure(start, "at least " + shape.leastNodes() + " nodes for cell " + i);
            }
            add(start, shape, nodes, offsets[i], offsets[i + 1]);
        }
    }

    private void add(int start, CellShape shape, int[] nodes, int from, int to) {
        for (int k = from; k < to; k++) {
            if (nodes[k] < 0 || nodes[k] >= points.length / 3) {
                throw text.failure(start, "points from 0 to " + (points.length / 3 - 1) + "; cell " + cells.count()
                        + " has " + nodes[k]);
            }
        }
        cells.add(shape, nodes, from, to);
    }

    private void cellTypes(int start) {
        int count = text.count("a number of cells", 1);
        int[] codes = integers(count, NumberType.INT32, "a cell type");
        if (pendingNodes.isEmpty() || pendingOffsets.getLast().length - 1 != count) {
            throw text.failure(start, "as many cell types as there are cells, behind CELLS");
        }
        int[] offsets = pendingOffsets.removeLast();
        int[] nodes = pendingNodes.removeLast();
        for (int i = 0; i < count; i++) {
            VtkCells.Type type = VtkCells.type(codes[i]);
            if (type == null || !type.allows(offsets[i + 1] - offsets[i])) {
                throw text.failure(start, "cell types that are supported; cell " + i + " is of type " + codes[i]
                        + " with " + (offsets[i + 1] - offsets[i]) + " nodes");
            }
            VtkCells.arrange(codes[i], nodes, offsets[i]);
            add(start, type.shape(), nodes, offsets[i], offsets[i + 1]);
        }
    }

    private String word(String what) {
        if (!text.skip()) {
            throw text.failure(text.position(), what);
        }
        return text.word();
    }

    private NumberType type() {
        text.skip();
        int start = text.position();
        return typeOf(text.word(), start);
    }

    private NumberType typeOf(String name, int start) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "char", "signed_char" -> NumberType.INT8;
            case "unsigned_char" -> NumberType.UINT8;
            case "short" -> NumberType.INT16;
            case "unsigned_short" -> NumberType.UINT16;
            case "int" -> NumberType.INT32;
            case "unsigned_int" -> NumberType.UINT32;
            case "long", "vtktypeint64" -> NumberType.INT64;
            case "unsigned_long", "vtktypeuint64" -> NumberType.UINT64;
            // As documented, written with 32 bits.
            case "vtkidtype" -> NumberType.INT32;
            case "float" -> NumberType.FLOAT32;
            case "double" -> NumberType.FLOAT64;
            default -> throw text.failure(start, "a number type, such as int or double");
        };
    }

    private double[] values(long count, NumberType type, String what) {
        if (binary) {
            text.skipLine();
            text.checkRoom(text.position(), count, type.bytes(), "a number of values");
            int from = text.take(count * type.bytes(), what);
            return NumberBytes.decode(text.bytes(), from, (int) count, type, ByteOrder.BIG_ENDIAN);
        }
        text.checkRoom(text.position(), count, 2, "a number of values");
        int start = text.position();
        double[] values = new double[(int) count];
        text.reals(values, 0, values.length, what);
        int unfit = NumberBytes.firstUnfit(values, type);
        if (unfit >= 0) {
            throw text.failure(start, "values of type " + type + "; value " + unfit + " from here, " + values[unfit]
                    + ", is none");
        }
        return NumberBytes.round(values, type);
    }

    private int[] integers(int count, NumberType type, String what) {
        int start = text.position();
        if (!binary) {
            text.checkRoom(start, count, 2, "a number of integers");
            int[] integers = new int[count];
            for (int i = 0; i < count; i++) {
                integers[i] = text.integer(Integer.MIN_VALUE, Integer.MAX_VALUE, what);
            }
            return integers;
        }
        double[] values = values(count, type, what);
        int[] integers = new int[count];
        for (int i = 0; i < count; i++) {
            integers[i] = (int) values[i];
            if (integers[i] != values[i]) {
                throw text.failure(start, what + ", an integer of 32 bits; value " + i + " is " + values[i]);
            }
        }
        return integers;
    }
}
