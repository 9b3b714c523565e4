package org.trellis.matrices.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.common.MatrixFormatException;

/** Gmsh's formats 2.2 and 4.1, as text or binary. Sections that are not understood are skipped. */
final class GmshReader {
    /** Sections that describe the one mesh of the file; of others, such as data of several steps, there may be more. */
    private static final Set<String> ONCE =
            Set.of("MeshFormat", "PhysicalNames", "Entities", "PartitionedEntities", "Nodes", "Elements");
    private static final long UNCONDITIONAL_VALUES = 1 << 20;
    private static final long VALUES_PER_BYTE = 4;
    private static final int MOST_COMPONENTS = 9;

    private final MeshText text;
    private final List<CellGroup> groups = new ArrayList<>();
    private final CellCollector cells = new CellCollector();
    private final Tags physical = new Tags();
    private final Tags geometrical = new Tags();
    private final Map<Integer, Integer> pointOf = new HashMap<>();
    private final Map<Integer, Integer> cellOf = new HashMap<>();
    /** The first physical tag of each entity of format 4.1, by dimension and tag. */
    private final Map<Long, Integer> physicalOf = new HashMap<>();
    private final List<DataArray> pointData = new ArrayList<>();
    private final List<DataArray> cellData = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    /** Values of data that may still be set aside: nodes without a value cost memory, but no bytes of the file. */
    private long sparseValues;
    private double[] points = new double[0];
    private boolean binary;
    private boolean version4;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    /** A growing list of tags. */
    private static final class Tags {
        private double[] values = new double[64];
        private int count;

        void add(int tag) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = tag;
        }

        DataArray array(String name) {
            return new DataArray(name, 1, NumberType.INT32, Arrays.copyOf(values, count));
        }
    }

    private GmshReader(MeshText text) {
        this.text = text;
        this.sparseValues = UNCONDITIONAL_VALUES + VALUES_PER_BYTE * text.length();
    }

    static MeshData read(MeshText text) {
        return new GmshReader(text).read();
    }

    private MeshData read() {
        text.expect("$MeshFormat");
        seen.add("MeshFormat");
        readFormat();
        text.expect("$EndMeshFormat");
        while (text.skip()) {
            int start = text.position();
            String name = text.word();
            if (!name.startsWith("$") || name.startsWith("$End")) {
                throw text.failure(start, "the start of a section, $ and its name");
            }
            String section = name.substring(1);
            if (ONCE.contains(section) && !seen.add(section)) {
                throw text.failure(start, "each section once; there is a $" + section + " before this");
            }
            section(section);
        }
        List<DataArray> allCellData = new ArrayList<>();
        allCellData.add(physical.array(MeshData.PHYSICAL));
        allCellData.add(geometrical.array(MeshData.GEOMETRICAL));
        allCellData.addAll(cellData);
        return new MeshData(3, points, cells.blocks(), pointData, allCellData, groups);
    }

    private void readFormat() {
        text.skip();
        int start = text.position();
        String version = text.word();
        version4 = version.equals("4.1");
        if (!version4 && !version.equals("2.2") && !version.equals("2") && !version.equals("2.1")) {
            throw text.failure(start, "version 2.2 or 4.1");
        }
        binary = text.integer(0, 1, "0 for text or 1 for binary") == 1;
        text.integer(8, 8, "the size of real numbers, 8: an integer");
        if (binary) {
            text.skipLine();
            int at = text.take(Integer.BYTES, "the number 1");
            int one = ByteBuffer.wrap(text.bytes()).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            if (one != 1 && one != Integer.reverseBytes(1)) {
                throw wrong("at byte " + at + " is the integer " + one,
                        "the number 1, from which the order of bytes is known");
            }
            order = one == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        }
    }

    private void section(String name) {
        if (binary) {
            boolean textual = name.equals("PhysicalNames");
            if (!textual && !name.endsWith("Data")) {
                text.skipLine();
            }
        }
        switch (name) {
            case "PhysicalNames" -> readNames();
            case "Entities" -> readEntities();
            case "Nodes" -> {
                if (version4) {
                    readNodes4();
                } else {
                    readNodes2();
                }
            }
            case "Elements" -> {
                if (version4) {
                    readElements4();
                } else {
                    readElements2();
                }
            }
            case "NodeData" -> readData(pointData, pointOf, points.length / 3);
            case "ElementData" -> readData(cellData, cellOf, cells.count());
            default -> skipTo("$End" + name);
        }
        text.expect("$End" + name);
    }

    private void skipTo(String end) {
        byte[] bytes = text.bytes();
        byte[] wanted = end.getBytes(StandardCharsets.ISO_8859_1);
        int start = text.position();
        for (int at = start; at + wanted.length <= text.length(); at++) {
            if (bytes[at] == '$' && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                text.moveTo(at);
                return;
            }
        }
        throw text.failure(start, end + " at the end of the section");
    }

    private void readNames() {
        int count = text.count("a number of names", 5);
        for (int i = 0; i < count; i++) {
            int dimension = text.integer(0, 3, "a dimension");
            int tag = integer("a tag");
            int start = text.position();
            String line = String.valueOf(text.line()).strip();
            if (line.length() < 2 || !line.startsWith("\"") || !line.endsWith("\"")) {
                throw text.failure(start, "a name in quotation marks");
            }
            groups.add(new CellGroup(dimension, tag, line.substring(1, line.length() - 1)));
        }
    }

    private int integer(String what) {
        return text.integer(Integer.MIN_VALUE, Integer.MAX_VALUE, what);
    }

    /** Reads an integer of 32 bits, as text or binary. */
    private int number(String what) {
        if (!binary) {
            return integer(what);
        }
        int at = text.take(Integer.BYTES, what);
        return ByteBuffer.wrap(text.bytes()).order(order).getInt(at);
    }

    /** Reads an integer of 32 bits in a range. */
    private int between(int low, int high, String what) {
        if (!binary) {
            return text.integer(low, high, what);
        }
        int value = number(what);
        if (value < low || value > high) {
            throw wrong("before byte " + text.position() + " is " + value, what + " from " + low + " to " + high);
        }
        return value;
    }

    /** Reads an integer that has 64 bits in binary files. */
    private int size(String what) {
        if (!binary) {
            return text.integer(0, Integer.MAX_VALUE, what);
        }
        int at = text.take(Long.BYTES, what);
        long value = ByteBuffer.wrap(text.bytes()).order(order).getLong(at);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw wrong("at byte " + at + " is " + value, what + " from 0 to " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private double real(String what) {
        if (!binary) {
            return text.real(what);
        }
        int at = text.take(Double.BYTES, what);
        return ByteBuffer.wrap(text.bytes()).order(order).getDouble(at);
    }

    private int room(int count, int bytesEach, String what) {
        text.checkRoom(text.position(), count, bytesEach, what);
        return count;
    }

    private void readNodes2() {
        int count = text.count("a number of nodes", 8);
        if (binary) {
            text.skipLine();
        }
        points = new double[3 * count];
        for (int i = 0; i < count; i++) {
            name(pointOf, number("a node number"), i, "node");
            for (int d = 0; d < 3; d++) {
                points[3 * i + d] = real("a coordinate");
            }
        }
    }

    private void name(Map<Integer, Integer> indices, int tag, int index, String what) {
        Integer before = indices.putIfAbsent(tag, index);
        if (before != null) {
            throw wrong(what + " " + tag + " is there twice", "each number once");
        }
    }

    private void readElements2() {
        int count = text.count("a number of elements", 6);
        if (binary) {
            text.skipLine();
        }
        for (int done = 0; done < count;) {
            int tag = binary ? 0 : number("an element number");
            GmshCells.Type type = type(number("an element type"));
            int together = binary ? number("a number of elements") : 1;
            int tagCount = number("a number of tags");
            if (together < 1 || together > count - done || tagCount < 0 || tagCount > 1 << 16) {
                throw wrong("a group of " + together + " elements has " + tagCount + " tags each",
                        "at most " + (count - done) + " elements, and few tags");
            }
            for (int i = 0; i < together; i++) {
                readElement2(binary ? number("an element number") : tag, type, tagCount);
            }
            done += together;
        }
    }

    private void readElement2(int tag, GmshCells.Type type, int tagCount) {
        int[] firstTags = new int[2];
        for (int k = 0; k < tagCount; k++) {
            int value = number("a tag");
            if (k < 2) {
                firstTags[k] = value;
            }
        }
        physical.add(firstTags[0]);
        geometrical.add(firstTags[1]);
        int[] nodes = new int[type.nodes()];
        for (int k = 0; k < nodes.length; k++) {
            nodes[k] = point(number("a node"));
        }
        add(tag, type, nodes);
    }

    private void add(int tag, GmshCells.Type type, int[] nodes) {
        int[] arranged = GmshCells.fromGmsh(type, nodes);
        name(cellOf, tag, cells.add(type.shape(), arranged, 0, arranged.length), "element");
    }

    private GmshCells.Type type(int code) {
        GmshCells.Type type = GmshCells.type(code);
        if (type == null) {
            if (!binary) {
                throw text.failure(text.position(), "an element type that is supported before this; " + code
                        + " is not");
            }
            throw wrong("before byte " + text.position() + " is the element type " + code, "one that is supported");
        }
        return type;
    }

    private int point(int tag) {
        Integer index = pointOf.get(tag);
        if (index == null) {
            if (!binary) {
                throw text.failure(text.position(), "a node of the file before this; " + tag + " is none");
            }
            throw wrong("before byte " + text.position() + " is node " + tag, "a node of the file");
        }
        return index;
    }

    private void readEntities() {
        int[] counts = new int[4];
        for (int d = 0; d < 4; d++) {
            counts[d] = size("a number of entities");
        }
        for (int dimension = 0; dimension < 4; dimension++) {
            for (int i = 0; i < counts[dimension]; i++) {
                int tag = number("an entity's tag");
                for (int k = 0; k < (dimension == 0 ? 3 : 6); k++) {
                    real("a coordinate");
                }
                int tags = size("a number of physical tags");
                for (int k = 0; k < tags; k++) {
                    int value = number("a physical tag");
                    if (k == 0) {
                        // Negative where the entity is turned round.
                        physicalOf.put(key(dimension, tag), Math.abs(value));
                    }
                }
                int bounding = dimension == 0 ? 0 : size("a number of bounding entities");
                for (int k = 0; k < bounding; k++) {
                    number("a bounding entity");
                }
            }
        }
    }

    private static long key(int dimension, int tag) {
        return (long) dimension << 32 | Integer.toUnsignedLong(tag);
    }

    private void readNodes4() {
        int blocks = size("a number of blocks");
        int count = room(size("a number of nodes"), 6, "a number of nodes");
        size("the least node number");
        size("the greatest node number");
        points = new double[3 * count];
        int done = 0;
        for (int block = 0; block < blocks; block++) {
            int dimension = between(0, 3, "a dimension");
            number("an entity");
            boolean parametric = between(0, 1, "whether there are parameters") != 0;
            int inBlock = size("a number of nodes");
            if (inBlock > count - done) {
                throw wrong("block " + block + " has " + inBlock + " nodes", "at most " + (count - done));
            }
            for (int i = 0; i < inBlock; i++) {
                name(pointOf, size("a node number"), done + i, "node");
            }
            for (int i = 0; i < inBlock; i++) {
                for (int d = 0; d < 3; d++) {
                    points[3 * (done + i) + d] = real("a coordinate");
                }
                for (int k = 0; parametric && k < dimension; k++) {
                    real("a parameter");
                }
            }
            done += inBlock;
        }
        if (done != count) {
            throw wrong("the blocks have " + done + " nodes", count + ", as the section says");
        }
    }

    private void readElements4() {
        int blocks = size("a number of blocks");
        int count = room(size("a number of elements"), 4, "a number of elements");
        size("the least element number");
        size("the greatest element number");
        int done = 0;
        for (int block = 0; block < blocks; block++) {
            int dimension = between(0, 3, "a dimension");
            int entity = number("an entity");
            GmshCells.Type type = type(number("an element type"));
            int inBlock = size("a number of elements");
            if (inBlock > count - done) {
                throw wrong("block " + block + " has " + inBlock + " elements", "at most " + (count - done));
            }
            int tag = physicalOf.getOrDefault(key(dimension, entity), 0);
            for (int i = 0; i < inBlock; i++) {
                int number = size("an element number");
                int[] nodes = new int[type.nodes()];
                for (int k = 0; k < nodes.length; k++) {
                    nodes[k] = point(size("a node"));
                }
                physical.add(tag);
                geometrical.add(entity);
                add(number, type, nodes);
            }
            done += inBlock;
        }
        if (done != count) {
            throw wrong("the blocks have " + done + " elements", count + ", as the section says");
        }
    }

    /** Reads values of some nodes or elements; the others have the value zero. */
    private void readData(List<DataArray> target, Map<Integer, Integer> indices, int size) {
        int strings = text.count("a number of strings", 1);
        text.skipLine();
        String name = "data";
        for (int i = 0; i < strings; i++) {
            String line = String.valueOf(text.line()).strip();
            name = i == 0 ? line.replaceAll("^\"|\"$", "") : name;
        }
        int reals = text.count("a number of reals", 1);
        for (int i = 0; i < reals; i++) {
            text.real("a real tag");
        }
        int integers = text.count("a number of integers", 1);
        int[] tags = new int[Math.max(3, integers)];
        for (int i = 0; i < integers; i++) {
            tags[i] = integer("an integer tag");
        }
        if (integers < 3 || tags[1] < 1 || tags[1] > MOST_COMPONENTS || tags[2] < 0 || tags[2] > size) {
            throw text.failure(text.position(), "the step, 1 to " + MOST_COMPONENTS + " components and at most " + size
                    + " values before this");
        }
        if (binary) {
            text.skipLine();
        }
        target.add(DataArray.of(name, tags[1], readValues(indices, tags[1], tags[2], size)));
    }

    private double[] readValues(Map<Integer, Integer> indices, int components, int count, int size) {
        text.checkRoom(text.position(), count, binary ? Integer.BYTES + components * Double.BYTES : 2 + 2 * components,
                "a number of values");
        sparseValues -= (long) size * components - (long) count * components;
        if (sparseValues < 0) {
            throw wrong(
                    "its data have values for few nodes or elements and stand for far more of them than the file of "
                            + text.length() + " bytes has values",
                    "data for most of the mesh");
        }
        double[] values = new double[Math.multiplyExact(size, components)];
        BitSet there = new BitSet(size);
        for (int i = 0; i < count; i++) {
            int tag = number("a node or element number");
            Integer index = indices.get(tag);
            if (index == null || there.get(index)) {
                throw wrong("before byte " + text.position() + " is a value for " + tag,
                        index == null ? "a number that is in the mesh" : "one value for each");
            }
            there.set(index);
            for (int k = 0; k < components; k++) {
                values[index * components + k] = real("a value");
            }
        }
        return values;
    }

    private MatrixFormatException wrong(String problem, String expected) {
        return new MatrixFormatException(text.name(), 0, 0, problem, expected);
    }
}
