package org.trellis.matrices.mesh;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.trellis.common.MatrixFormatException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** VTK's XML format for unstructured grids, in all its encodings; several pieces become one mesh. */
final class VtuReader {
    private static final String APPENDED = "<AppendedData";

    private final MeshText text;
    private final List<double[]> points = new ArrayList<>();
    private final CellCollector cells = new CellCollector();
    private final Map<String, List<DataArray>> pointData = new LinkedHashMap<>();
    private final Map<String, List<DataArray>> cellData = new LinkedHashMap<>();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private boolean compressed;
    private int headerBytes = Integer.BYTES;
    private VtuBlock appended;
    private int appendedStart;
    private int pointCount;
    private int pieces;

    private VtuReader(MeshText text) {
        this.text = text;
    }

    static MeshData read(MeshText text) throws IOException {
        return new VtuReader(text).read();
    }

    private MeshData read() throws IOException {
        int xmlEnd = appendedTag();
        Element root = parse(xmlEnd);
        if (!root.getTagName().equals("VTKFile") || !root.getAttribute("type").equals("UnstructuredGrid")) {
            throw wrong("the root is " + root.getTagName() + " of type '" + root.getAttribute("type") + "'",
                    "a VTKFile of type UnstructuredGrid");
        }
        readEncoding(root);
        if (xmlEnd < text.length()) {
            locateAppended(xmlEnd);
        }
        Element grid = child(root, "UnstructuredGrid");
        for (Element piece : children(grid, "Piece")) {
            readPiece(piece);
        }
        double[] all = points.stream().flatMapToDouble(Arrays::stream).toArray();
        return new MeshData(3, all, cells.blocks(), joined(pointData), joined(cellData), List.of());
    }

    /** Finds where the appended data start, which need not be XML; the end of the file if there are none. */
    private int appendedTag() {
        byte[] tag = APPENDED.getBytes(StandardCharsets.ISO_8859_1);
        byte[] bytes = text.bytes();
        for (int at = 0; at + tag.length <= text.length(); at++) {
            if (bytes[at] == '<' && Arrays.equals(bytes, at, at + tag.length, tag, 0, tag.length)) {
                return at;
            }
        }
        return text.length();
    }

    private Element parse(int xmlEnd) throws IOException {
        byte[] xml = Arrays.copyOf(text.bytes(), xmlEnd);
        if (xmlEnd < text.length()) {
            byte[] close = "</VTKFile>".getBytes(StandardCharsets.ISO_8859_1);
            xml = Arrays.copyOf(xml, xmlEnd + close.length);
            System.arraycopy(close, 0, xml, xmlEnd, close.length);
        }
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setExpandEntityReferences(false);
            factory.setXIncludeAware(false);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new Strict());
            return builder.parse(new ByteArrayInputStream(xml)).getDocumentElement();
        } catch (SAXParseException e) {
            MatrixFormatException failure = new MatrixFormatException(text.name(), Math.max(0, e.getLineNumber()),
                    Math.max(0, e.getColumnNumber()), "the XML is wrong: " + e.getMessage(), "a well-formed VTU file");
            failure.initCause(e);
            throw failure;
        } catch (SAXException | ParserConfigurationException e) {
            MatrixFormatException failure = wrong("the XML is wrong: " + e.getMessage(), "a well-formed VTU file");
            failure.initCause(e);
            throw failure;
        }
    }

    /** Errors are thrown; the default would print them. */
    private static final class Strict implements ErrorHandler {
        @Override
        public void warning(SAXParseException exception) {
            // The file can be read.
        }

        @Override
        public void error(SAXParseException exception) throws SAXException {
            throw exception;
        }

        @Override
        public void fatalError(SAXParseException exception) throws SAXException {
            throw exception;
        }
    }

    private void readEncoding(Element root) {
        order = switch (root.getAttribute("byte_order")) {
            case "", "LittleEndian" -> ByteOrder.LITTLE_ENDIAN;
            case "BigEndian" -> ByteOrder.BIG_ENDIAN;
            default -> throw wrong("byte_order is '" + root.getAttribute("byte_order") + "'",
                    "LittleEndian or BigEndian");
        };
        headerBytes = switch (root.getAttribute("header_type")) {
            case "", "UInt32" -> Integer.BYTES;
            case "UInt64" -> Long.BYTES;
            default -> throw wrong("header_type is '" + root.getAttribute("header_type") + "'", "UInt32 or UInt64");
        };
        compressed = switch (root.getAttribute("compressor")) {
            case "" -> false;
            case "vtkZLibDataCompressor" -> true;
            default -> throw wrong("compressor is '" + root.getAttribute("compressor") + "'",
                    "vtkZLibDataCompressor, the only one that is supported");
        };
    }

    private void locateAppended(int tag) {
        byte[] bytes = text.bytes();
        int close = tag;
        while (close < text.length() && bytes[close] != '>') {
            close++;
        }
        String attributes = new String(bytes, tag, close - tag, StandardCharsets.ISO_8859_1);
        boolean raw = attributes.matches("(?s).*encoding\\s*=\\s*[\"']raw[\"'].*");
        boolean base64 = attributes.matches("(?s).*encoding\\s*=\\s*[\"']base64[\"'].*");
        if (raw == base64) {
            throw text.failure(tag, "appended data with the encoding raw or base64");
        }
        int start = close + 1;
        while (start < text.length() && bytes[start] != '_') {
            start++;
        }
        int end = text.length();
        if (base64) {
            end = start;
            while (end < text.length() && bytes[end] != '<') {
                end++;
            }
        }
        appendedStart = Math.min(start + 1, end);
        appended = new VtuBlock(bytes, end, base64, compressed, headerBytes, order);
    }

    private void readPiece(Element piece) {
        int count = number(piece, "NumberOfPoints");
        int cellCount = number(piece, "NumberOfCells");
        List<Element> coordinates = children(child(piece, "Points"), "DataArray");
        if (coordinates.size() != 1) {
            throw wrong("Points has " + coordinates.size() + " arrays", "one, the coordinates");
        }
        points.add(array(coordinates.getFirst(), 3L * count).values());
        readCells(child(piece, "Cells"), count, cellCount);
        readData(piece, "PointData", count, pointData);
        readData(piece, "CellData", cellCount, cellData);
        pointCount = Math.addExact(pointCount, count);
        pieces++;
    }

    private void readCells(Element element, int count, int cellCount) {
        Map<String, Element> arrays = new LinkedHashMap<>();
        children(element, "DataArray").forEach(array -> arrays.put(array.getAttribute("Name"), array));
        for (String name : List.of("connectivity", "offsets", "types")) {
            if (!arrays.containsKey(name)) {
                throw wrong("Cells has no array '" + name + "'", "connectivity, offsets and types");
            }
        }
        double[] offsets = array(arrays.get("offsets"), cellCount).values();
        double[] types = array(arrays.get("types"), cellCount).values();
        long total = cellCount == 0 ? 0 : (long) offsets[cellCount - 1];
        double[] connectivity = array(arrays.get("connectivity"), total).values();
        int[] nodes = new int[connectivity.length];
        for (int i = 0; i < nodes.length; i++) {
            if (!(connectivity[i] >= 0 && connectivity[i] < count)) {
                throw wrong("entry " + i + " of connectivity is " + connectivity[i], "a point from 0 to "
                        + (count - 1));
            }
            nodes[i] = (int) connectivity[i];
        }
        int from = 0;
        for (int cell = 0; cell < cellCount; cell++) {
            VtkCells.Type type = VtkCells.type((int) types[cell]);
            int to = (int) offsets[cell];
            if (type == null || to < from || to > nodes.length || !type.allows(to - from)) {
                throw wrong("cell " + cell + " is of type " + (int) types[cell] + " with " + (to - from) + " nodes",
                        "a type that is supported, with its number of nodes");
            }
            VtkCells.arrange((int) types[cell], nodes, from);
            for (int k = from; k < to; k++) {
                nodes[k] += pointCount;
            }
            cells.add(type.shape(), nodes, from, to);
            from = to;
        }
    }

    private void readData(Element piece, String tag, int size, Map<String, List<DataArray>> target) {
        for (Element section : children(piece, tag)) {
            for (Element element : children(section, "DataArray")) {
                DataArray array = array(element, size * (long) components(element));
                List<DataArray> parts = target.computeIfAbsent(array.name(), name -> new ArrayList<>());
                if (parts.size() != pieces) {
                    throw wrong("the array " + array.name() + " is in piece " + pieces + ", but not in all before it",
                            "the same arrays in every piece, each once");
                }
                parts.add(array);
            }
        }
    }

    private List<DataArray> joined(Map<String, List<DataArray>> data) {
        List<DataArray> result = new ArrayList<>();
        data.forEach((name, parts) -> {
            DataArray first = parts.getFirst();
            if (parts.size() != pieces
                    || parts.stream().anyMatch(part -> part.components() != first.components())) {
                throw wrong("the array " + name + " is not in every piece with the same number of components",
                        "the same arrays in every piece");
            }
            double[] values = parts.stream().flatMapToDouble(part -> Arrays.stream(part.values())).toArray();
            result.add(new DataArray(name, first.components(), first.type(), values));
        });
        return result;
    }

    private DataArray array(Element element, long length) {
        String name = element.getAttribute("Name");
        NumberType type = type(element, name);
        double[] values = switch (element.getAttribute("format").toLowerCase(Locale.ROOT)) {
            case "", "ascii" -> Numbers.round(fromText(element, name, length), type);
            case "binary" -> fromBytes(inline(element, name), name, type, length);
            case "appended" -> fromBytes(appendedAt(element, name), name, type, length);
            default -> throw wrong("the array " + name + " has format '" + element.getAttribute("format") + "'",
                    "ascii, binary or appended");
        };
        return new DataArray(name, components(element), type, values);
    }

    private double[] fromText(Element element, String name, long length) {
        String content = content(element);
        if (length < 0 || length > content.length() / 2 + 1) {
            throw wrong("the array " + name + " has " + content.length() + " characters", length + " numbers");
        }
        MeshText numbers = MeshText.of(text.name() + ", array " + name,
                content.getBytes(StandardCharsets.ISO_8859_1), (char) 0);
        double[] values = new double[(int) length];
        numbers.reals(values, 0, values.length, "a value");
        if (numbers.skip()) {
            throw wrong("the array " + name + " has more than " + length + " numbers", "that many");
        }
        return values;
    }

    private byte[] inline(Element element, String name) {
        byte[] characters = content(element).getBytes(StandardCharsets.ISO_8859_1);
        int count = 0;
        for (byte character : characters) {
            if (character > ' ') {
                characters[count++] = character;
            }
        }
        return decoded(new VtuBlock(characters, count, true, compressed, headerBytes, order), 0, name);
    }

    private byte[] appendedAt(Element element, String name) {
        if (appended == null) {
            throw wrong("the array " + name + " is said to be appended", "AppendedData in the file");
        }
        return decoded(appended, appendedStart + (long) number(element, "offset"), name);
    }

    private byte[] decoded(VtuBlock block, long position, String name) {
        try {
            return block.at(position);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            MatrixFormatException failure = wrong("the array " + name + " " + e.getMessage(), "a complete array");
            failure.initCause(e);
            throw failure;
        }
    }

    private double[] fromBytes(byte[] bytes, String name, NumberType type, long length) {
        if (bytes.length != length * type.bytes()) {
            throw wrong("the array " + name + " has " + bytes.length + " bytes", length + " numbers of "
                    + type.bytes() + " bytes");
        }
        return Numbers.decode(bytes, 0, (int) length, type, order);
    }

    private NumberType type(Element element, String name) {
        String given = element.getAttribute("type");
        for (NumberType type : NumberType.values()) {
            if (type.name().equalsIgnoreCase(given)) {
                return type;
            }
        }
        throw wrong("the array " + name + " has type '" + given + "'", "Int8 to UInt64, Float32 or Float64");
    }

    private int components(Element element) {
        String given = element.getAttribute("NumberOfComponents");
        return given.isEmpty() ? 1 : Math.max(1, number(element, "NumberOfComponents"));
    }

    private int number(Element element, String attribute) {
        try {
            return Math.max(0, Integer.parseInt(element.getAttribute(attribute).strip()));
        } catch (NumberFormatException e) {
            MatrixFormatException failure = wrong(element.getTagName() + " has " + attribute + " '"
                    + element.getAttribute(attribute) + "'", "an integer");
            failure.initCause(e);
            throw failure;
        }
    }

    /** Returns the text of an element without that of elements within it. */
    private static String content(Element element) {
        StringBuilder result = new StringBuilder();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeType() == Node.TEXT_NODE || node.getNodeType() == Node.CDATA_SECTION_NODE) {
                result.append(node.getNodeValue());
            }
        }
        return result.toString();
    }

    private Element child(Element parent, String tag) {
        List<Element> found = children(parent, tag);
        if (found.isEmpty()) {
            throw wrong(parent.getTagName() + " has no " + tag, "one");
        }
        return found.getFirst();
    }

    private static List<Element> children(Element parent, String tag) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(i -> parent.getChildNodes().item(i))
                .filter(node -> node instanceof Element element && element.getTagName().equals(tag))
                .map(Element.class::cast).toList();
    }

    private MatrixFormatException wrong(String problem, String expected) {
        return new MatrixFormatException(text.name(), 0, 0, problem, expected);
    }
}
