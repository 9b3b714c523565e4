package org.trellis.convert.cgns;

import io.jhdf.api.Group;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.NumberType;

/** Reads the mesh of an open file. */
final class CgnsReader {
    private static final String DATA_ARRAY = "DataArray_t";
    private static final String KINDS = "NODE, BAR_2, TRI_3, QUAD_4, TETRA_4, PYRA_5, PENTA_6, HEXA_8 or MIXED";

    private final CgnsNode zone;
    private final int dimensions;
    private final int cellDimension;
    private int vertices;
    /** The shape of each element, and where its corners start. */
    private CellShape[] shapes;
    private int[] starts;
    private int[] corners;
    private int used;

    CgnsReader(String file, Group root) {
        CgnsNode base = only(new CgnsNode(file, root), "CGNSBase_t", "base");
        long[] sizes = base.integers();
        if (sizes.length != 2 || sizes[0] < 1 || sizes[0] > sizes[1] || sizes[1] > 3) {
            throw base.wrong("dimensions of cells and space are " + Arrays.toString(sizes),
                    "two numbers from 1 to 3, the first not above the second");
        }
        cellDimension = (int) sizes[0];
        dimensions = (int) sizes[1];
        zone = only(base, "Zone_t", "zone");
    }

    private static CgnsNode only(CgnsNode parent, String label, String what) {
        List<CgnsNode> found = parent.children(label);
        if (found.size() != 1) {
            throw parent.wrong("there are " + found.size() + " nodes of kind " + label, "one " + what);
        }
        return found.getFirst();
    }

    MeshData read() {
        String type = zone.child("ZoneType").map(CgnsNode::text).orElse("Structured");
        if (!"Unstructured".equals(type)) {
            throw zone.wrong("the zone is of type " + type, "an unstructured one");
        }
        long[] sizes = zone.integers();
        if (sizes.length != 3 || sizes[0] < 0 || sizes[0] > Integer.MAX_VALUE / 3) {
            throw zone.wrong("sizes are " + Arrays.toString(sizes),
                    "numbers of vertices, cells and boundary vertices, at most 715827882 vertices");
        }
        vertices = (int) sizes[0];
        double[] points = points();
        List<CgnsNode> sections = zone.children("Elements_t");
        prepare(sections);
        sections.forEach(this::section);
        checkAll();
        List<CellGroup> groups = new ArrayList<>();
        double[] tags = groups(groups);
        List<DataArray> pointData = new ArrayList<>();
        List<DataArray> cellData = new ArrayList<>();
        cellData.add(new DataArray(MeshData.PHYSICAL, 1, NumberType.INT32, tags));
        solutions(sizes[1], pointData, cellData);
        return new MeshData(dimensions, points, blocks(), pointData, cellData, groups);
    }

    private double[] points() {
        CgnsNode coordinates = zone.required("GridCoordinates");
        String[] names = {"CoordinateX", "CoordinateY", "CoordinateZ"};
        double[][] axes = new double[dimensions][];
        for (int d = 0; d < dimensions; d++) {
            CgnsNode node = coordinates.required(names[d]);
            axes[d] = node.reals();
            if (axes[d].length != vertices) {
                throw node.wrong("there are " + axes[d].length + " values", "one for each of " + vertices
                        + " vertices");
            }
        }
        double[] points = new double[dimensions * vertices];
        for (int i = 0; i < points.length; i++) {
            points[i] = axes[i % dimensions][i / dimensions];
        }
        return points;
    }

    /** Returns the first and the last element of a section. */
    private static long[] range(CgnsNode section) {
        CgnsNode node = section.required("ElementRange");
        long[] range = node.integers();
        if (range.length != 2 || range[0] < 1 || range[1] < range[0] || range[1] >= Integer.MAX_VALUE) {
            throw node.wrong("the range is " + Arrays.toString(range),
                    "the first and the last number of an element, from 1 to 2147483646");
        }
        return range;
    }

    private void prepare(List<CgnsNode> sections) {
        long elements = 0;
        long count = 0;
        for (CgnsNode section : sections) {
            long[] range = range(section);
            CgnsNode node = section.required("ElementConnectivity");
            int numbers = node.integers().length;
            if (numbers < range[1] - range[0] + 1) {
                throw node.wrong("there are " + numbers + " numbers",
                        "at least one for each of the elements " + range[0]
                                + " to " + range[1]);
            }
            elements = Math.max(elements, range[1]);
            count += range[1] - range[0] + 1;
        }
        if (count != elements) {
            throw zone.wrong("sections have " + count + " elements and the last is number " + elements,
                    "each number from 1 on once");
        }
        shapes = new CellShape[(int) elements];
        starts = new int[(int) elements];
        corners = new int[(int) elements];
    }

    private void section(CgnsNode section) {
        long kind = section.integers()[0];
        long[] range = range(section);
        CgnsNode node = section.required("ElementConnectivity");
        if (kind != CgnsElement.MIXED && CgnsElement.of(kind).isEmpty()) {
            throw section.wrong(CgnsElement.refusal(kind), KINDS);
        }
        long[] nodes = node.integers();
        int at = 0;
        for (long element = range[0]; element <= range[1]; element++) {
            long own = kind;
            if (kind == CgnsElement.MIXED) {
                own = at < nodes.length ? nodes[at++] : CgnsElement.MIXED;
            }
            at = element(node, (int) element - 1, own, nodes, at);
        }
        if (at != nodes.length) {
            throw node.wrong("there are " + nodes.length + " numbers", at + " for elements " + range[0] + " to "
                    + range[1]);
        }
    }

    private int element(CgnsNode node, int element, long kind, long[] nodes, int at) {
        CellShape shape = CgnsElement.of(kind)
                .orElseThrow(() -> node.wrong("element " + (element + 1) + ": " + CgnsElement.refusal(kind), KINDS))
                .shape();
        int count = shape.leastNodes();
        if (shapes[element] != null) {
            throw node.wrong("element " + (element + 1) + " is in two sections", "each number once");
        }
        if (at + count > nodes.length) {
            throw node.wrong("there are " + nodes.length + " numbers, too few for element " + (element + 1),
                    "at least " + (at + count));
        }
        shapes[element] = shape;
        starts[element] = used;
        if (used + count > corners.length) {
            corners = Arrays.copyOf(corners, Math.max(used + count, Math.addExact(corners.length, corners.length / 2)));
        }
        for (int k = 0; k < count; k++) {
            long vertex = nodes[at + k];
            if (vertex < 1 || vertex > vertices) {
                throw node.wrong("corner " + (k + 1) + " of element " + (element + 1) + " is " + vertex,
                        "a vertex from 1 to " + vertices);
            }
            corners[used++] = (int) vertex - 1;
        }
        return at + count;
    }

    private void checkAll() {
        for (int i = 0; i < shapes.length; i++) {
            if (shapes[i] == null) {
                throw zone.wrong("element " + (i + 1) + " is in no section", "each number from 1 to " + shapes.length);
            }
        }
    }

    private List<CellBlock> blocks() {
        Map<CellShape, Integer> counts = new EnumMap<>(CellShape.class);
        for (CellShape shape : shapes) {
            counts.merge(shape, 1, Integer::sum);
        }
        List<CellBlock> blocks = new ArrayList<>();
        counts.forEach((shape, count) -> {
            int width = shape.leastNodes();
            int[] nodes = new int[Math.multiplyExact(count, width)];
            int[] numbers = new int[count];
            int cell = 0;
            for (int i = 0; i < shapes.length; i++) {
                if (shapes[i] == shape) {
                    System.arraycopy(corners, starts[i], nodes, cell * width, width);
                    numbers[cell++] = i;
                }
            }
            blocks.add(new CellBlock(shape, width, nodes, numbers));
        });
        return blocks;
    }

    /** Finds the boundary conditions, and returns the tag of each cell. */
    private double[] groups(List<CellGroup> groups) {
        double[] tags = new double[shapes.length];
        for (CgnsNode all : zone.children("ZoneBC_t")) {
            for (CgnsNode condition : all.children("BC_t")) {
                String name = condition.child("FamilyName").map(CgnsNode::text).orElse(condition.name());
                // Conditions of one family are one group.
                Optional<CellGroup> known = groups.stream().filter(group -> group.name().equals(name)).findFirst();
                CellGroup group = known.orElseGet(() -> new CellGroup(cellDimension - 1, groups.size() + 1, name));
                if (known.isEmpty()) {
                    groups.add(group);
                }
                for (long element : faces(condition)) {
                    tag(condition, element, group, groups, tags);
                }
            }
        }
        return tags;
    }

    private void tag(CgnsNode condition, long element, CellGroup group, List<CellGroup> groups, double... tags) {
        if (element < 1 || element > shapes.length || shapes[(int) element - 1].dimension() != cellDimension - 1) {
            throw condition.wrong("element " + element + " is listed, which "
                    + (element < 1 || element > shapes.length ? "is not there" : "is no face"),
                    "elements of dimension " + (cellDimension - 1) + ", from 1 to " + shapes.length);
        }
        int before = (int) tags[(int) element - 1];
        if (before != 0 && before != group.tag()) {
            throw condition.wrong("element " + element + " belongs to '" + groups.get(before - 1).name() + "' too",
                    "one boundary condition for a face");
        }
        tags[(int) element - 1] = group.tag();
    }

    /** Returns the elements that a boundary condition lists. */
    private static long[] faces(CgnsNode condition) {
        for (String name : List.of("ElementList", "ElementRange", "PointList", "PointRange")) {
            Optional<CgnsNode> set = condition.child(name);
            if (set.isPresent()) {
                String location = condition.child("GridLocation").map(CgnsNode::text).orElse("Vertex");
                if (name.startsWith("Point") && !location.endsWith("FaceCenter") && !"EdgeCenter".equals(location)) {
                    throw condition.wrong("points are listed at " + location, "faces, at FaceCenter");
                }
                long[] elements = set.get().integers();
                return name.endsWith("List") ? elements : all(set.get(), elements);
            }
        }
        throw condition.wrong("no elements are given", "PointList, PointRange, ElementList or ElementRange");
    }

    private static long[] all(CgnsNode node, long... range) {
        if (range.length != 2 || range[0] < 1 || range[1] < range[0] || range[1] - range[0] >= Integer.MAX_VALUE) {
            throw node.wrong("the range is " + Arrays.toString(range), "the first and the last element");
        }
        long[] elements = new long[(int) (range[1] - range[0] + 1)];
        Arrays.setAll(elements, i -> range[0] + i);
        return elements;
    }

    private void solutions(long cells, List<DataArray> pointData, List<DataArray> cellData) {
        for (CgnsNode solution : zone.children("FlowSolution_t")) {
            String location = solution.child("GridLocation").map(CgnsNode::text).orElse("Vertex");
            for (CgnsNode field : solution.children(DATA_ARRAY)) {
                Optional<NumberType> type = field.numberType();
                if (type.isEmpty()) {
                    continue;
                }
                if ("Vertex".equals(location) && fits(field, vertices)) {
                    pointData.add(new DataArray(field.name(), 1, type.get(), field.reals()));
                } else if ("CellCenter".equals(location) && fits(field, cells)) {
                    cellData.add(new DataArray(field.name(), 1, type.get(), spread(field)));
                }
            }
        }
    }

    private static boolean fits(CgnsNode field, long expected) {
        int found = field.reals().length;
        if (found != expected) {
            throw field.wrong("there are " + found + " values", expected + ", without layers around the zone");
        }
        return true;
    }

    /** Gives the values of cells to the elements of the highest dimension, in their order; others have 0. */
    private double[] spread(CgnsNode field) {
        double[] values = field.reals();
        double[] spread = new double[shapes.length];
        int next = 0;
        for (int i = 0; i < shapes.length; i++) {
            if (shapes[i].dimension() == cellDimension) {
                if (next == values.length) {
                    throw field.wrong("there are " + next + " values and more cells", "one for each cell");
                }
                spread[i] = values[next++];
            }
        }
        return spread;
    }
}
