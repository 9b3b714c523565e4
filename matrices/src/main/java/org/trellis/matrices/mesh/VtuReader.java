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
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ReadOptions;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** VTK's XML format for unstructured grids, in all its encodings; several pieces become one mesh. */
final class VtuReader {
    private static final String APPENDED = "<AppendedData";
    private static final int MOST_BLANKS = 1 << 12;
    private static final int LARGEST_TYPE = 255;

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
    private int appendedEnd;
    private int appendedReads;
    /** Bytes that compressed arrays of this file may still expand to, as for a file that is compressed as a whole. */
    private long expansion;
    private int pointCount;
    private int pieces;

    private VtuReader(MeshText text) {
        this.text = text;
        this.expansion = ReadOptions.DEFAULT.textLimit(text.length());
    }

    static MeshData read(MeshText text) throws IOException {
        return new VtuReader(text).read();
    }

    private MeshData read() throws IOException {
        int xmlEnd = appendedTag();
        Element root = parse(xmlEnd);
        if (!root.getTagName().equals("VTKFile") || !root.getAttribute("type").equals("UnstructuredGrid")) {
            throw wrong(
                    "the root is " + shown(root.getTagName()) + " of type "
                            + PrintableText.quote(root.getAttribute("type")),
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
        checkUsed(root);
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
            default -> throw wrong("byte_order is " + PrintableText.quote(root.getAttribute("byte_order")),
                    "LittleEndian or BigEndian");
        };
        headerBytes = switch (root.getAttribute("header_type")) {
            case "", "UInt32" -> Integer.BYTES;
            case "UInt64" -> Long.BYTES;
            default -> throw wrong("header_type is " + PrintableText.quote(root.getAttribute("header_type")),
                    "UInt32 or UInt64");
        };
        compressed = switch (root.getAttribute("compressor")) {
            case "" -> false;
            case "vtkZLibDataCompressor" -> true;
            default -> throw wrong("compressor is " + PrintableText.quote(root.getAttribute("compressor")),
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
            if ((bytes[start] & 0xFF) > ' ' || start - close > MOST_BLANKS) {
                throw text.failure(start, "the appended data, which start with an underscore");
            }
            start++;
        }
        appendedEnd = tag("</AppendedData>", tag("</VTKFile>", text.length()));
        if (appendedEnd <= start) {
            throw text.failure(start, "appended data and their end");
        }
        int end = appendedEnd;
        if (base64) {
            end = start;
            while (bytes[end] != '<') {
                end++;
            }
            if (end < appendedEnd) {
                throw text.failure(end, "base64 up to the end of the appended data");
            }
        }
        appendedStart = start + 1;
        appended = new VtuBlock(bytes, appendedStart, end, base64, compressed, headerBytes, order);
    }

    /** Returns where the tag starts that ends at a place, but for blanks; nothing else may follow the data. */
    private int tag(String tag, int end) {
        byte[] bytes = text.bytes();
        int last = end;
        while (last > 0 && (bytes[last - 1] & 0xFF) <= ' ') {
            last--;
        }
        int start = last - tag.length();
        if (start < 0 || !new String(bytes, start, tag.length(), StandardCharsets.ISO_8859_1).equals(tag)) {
            throw wrong("behind the appended data is something else", tag + " at the end of the file");
        }
        return start;
    }

    /** If every array of the appended data was read, nothing else may be there. */
    private void checkUsed(Element root) {
        if (appended == null) {
            return;
        }
        int arrays = 0;
        NodeList all = root.getElementsByTagName("DataArray");
        for (int i = 0; i < all.getLength(); i++) {
            arrays += ((Element) all.item(i)).getAttribute("format").equalsIgnoreCase("appended") ? 1 : 0;
        }
        for (int at = Math.max(appendedStart, appended.furthest()); arrays == appendedReads && at < appendedEnd; at++) {
            if ((text.bytes()[at] & 0xFF) > ' ') {
                throw text.failure(at, "the end of the appended data: no array has what is here");
            }
        }
    }

    private void readPiece(Element piece) {
        int count = number(piece, "NumberOfPoints", 0);
        int cellCount = number(piece, "NumberOfCells", 0);
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
        for (Element array : children(element, "DataArray")) {
            if (arrays.put(array.getAttribute("Name"), array) != null) {
                throw wrong("Cells has two arrays " + PrintableText.quote(array.getAttribute("Name")), "each once");
            }
        }
        for (String name : List.of("connectivity", "offsets", "types")) {
            if (!arrays.containsKey(name)) {
                throw wrong("Cells has no array '" + name + "'", "connectivity, offsets and types");
            }
        }
        int[] offsets = integers(arrays.get("offsets"), cellCount, Integer.MAX_VALUE);
        int[] types = integers(arrays.get("types"), cellCount, LARGEST_TYPE);
        int total = cellCount == 0 ? 0 : offsets[cellCount - 1];
        int[] nodes = integers(arrays.get("connectivity"), total, count - 1);
        int from = 0;
        for (int cell = 0; cell < cellCount; cell++) {
            VtkCells.Type type = VtkCells.type(types[cell]);
            int to = offsets[cell];
            if (type == null || to < from || to > nodes.length || !type.allows(to - from)) {
                throw wrong("cell " + cell + " is of type " + types[cell] + " with " + ((long) to - from) + " nodes",
                        "a type that is supported, with its number of nodes");
            }
            VtkCells.arrange(types[cell], nodes, from);
            for (int k = from; k < to; k++) {
                nodes[k] += pointCount;
            }
            cells.add(type.shape(), nodes, from, to);
            from = to;
        }
    }

    /** Reads an array of integers from 0 to some number, whatever type it is declared to have. */
    private int[] integers(Element element, int length, int high) {
        DataArray array = array(element, length);
        int[] integers = new int[length];
        for (int i = 0; i < length; i++) {
            double value = array.values()[i];
            if (!(value >= 0 && value <= high && value == Math.rint(value))) {
                throw wrong("entry " + i + " of " + array.name() + " is " + value, "an integer from 0 to " + high);
            }
            integers[i] = (int) value;
        }
        return integers;
    }

    private void readData(Element piece, String tag, int size, Map<String, List<DataArray>> target) {
        // Some writers have several of them; the names of the arrays must differ all the same.
        for (Element section : children(piece, tag)) {
            for (Element element : children(section, "DataArray")) {
                DataArray array = array(element, size * (long) components(element));
                List<DataArray> parts = target.computeIfAbsent(array.name(), name -> new ArrayList<>());
                if (parts.size() != pieces) {
                    throw wrong(
                            "the array " + shown(array.name()) + " is in piece " + pieces
                                    + ", but not in all before it",
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
                throw wrong("the array " + shown(name) + " is not in every piece with the same number of components",
                        "the same arrays in every piece");
            }
            double[] values = parts.stream().flatMapToDouble(part -> Arrays.stream(part.values())).toArray();
            result.add(new DataArray(name, first.components(), first.type(), values));
        });
        return result;
    }

    private DataArray array(Element element, long length) {
        String name = element.getAttribute("Name");
        String shown = shown(name);
        NumberType type = type(element, shown);
        double[] values = switch (element.getAttribute("format").toLowerCase(Locale.ROOT)) {
            case "", "ascii" -> fromText(element, shown, type, length);
            case "binary" -> inline(element, shown, type, length);
            case "appended" -> appendedAt(element, shown, type, length);
            default -> throw wrong("the array " + shown + " has format "
                    + PrintableText.quote(element.getAttribute("format")), "ascii, binary or appended");
        };
        return new DataArray(name, components(element), type, values);
    }

    private static String shown(String name) {
        return PrintableText.cut(name, PrintableText.LONGEST_QUOTE);
    }

    private double[] fromText(Element element, String name, NumberType type, long length) {
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
        int unfit = NumberBytes.firstUnfit(values, type);
        if (unfit >= 0) {
            throw wrong("value " + unfit + " of the array " + name + " is " + values[unfit],
                    "a number that its type " + type + " can hold");
        }
        return NumberBytes.round(values, type);
    }

    private double[] inline(Element element, String name, NumberType type, long length) {
        byte[] characters = content(element).getBytes(StandardCharsets.ISO_8859_1);
        int count = 0;
        for (byte character : characters) {
            if (character > ' ') {
                characters[count++] = character;
            }
        }
        VtuBlock block = new VtuBlock(characters, 0, count, true, compressed, headerBytes, order);
        double[] values = decoded(block, 0, name, type, length);
        if (block.furthest() < count) {
            throw wrong("the array " + name + " has " + (count - block.furthest()) + " characters too many",
                    length + " numbers of " + type.bytes() + " bytes");
        }
        return values;
    }

    private double[] appendedAt(Element element, String name, NumberType type, long length) {
        if (appended == null) {
            throw wrong("the array " + name + " is said to be appended", "AppendedData in the file");
        }
        appendedReads++;
        return decoded(appended, appendedStart + (long) number(element, "offset", 0), name, type, length);
    }

    /** Nothing is set aside before the header of the array has been compared with what the piece declares. */
    private double[] decoded(VtuBlock block, long position, String name, NumberType type, long length) {
        try {
            VtuBlock.Place place = block.locate(position);
            if (place.size() % type.bytes() != 0 || place.size() / type.bytes() != length) {
                throw wrong("the array " + name + " has " + place.size() + " bytes", length + " numbers of "
                        + type.bytes() + " bytes");
            }
            expansion -= compressed ? place.size() : 0;
            if (expansion < 0) {
                throw wrong("the compressed arrays expand to more than "
                        + ReadOptions.DEFAULT.textLimit(text.length()) + " bytes",
                        "contents that are not out of proportion to the size of the file");
            }
            return NumberBytes.decode(block.read(place), 0, (int) length, type, order);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            MatrixFormatException failure = wrong("the array " + name + " " + e.getMessage(), "a complete array");
            failure.initCause(e);
            throw failure;
        }
    }

    private NumberType type(Element element, String name) {
        String given = element.getAttribute("type");
        for (NumberType type : NumberType.values()) {
            if (type.name().equalsIgnoreCase(given)) {
                return type;
            }
        }
        throw wrong("the array " + name + " has type " + PrintableText.quote(given),
                "Int8 to UInt64, Float32 or Float64");
    }

    private int components(Element element) {
        String given = element.getAttribute("NumberOfComponents");
        return given.isEmpty() ? 1 : number(element, "NumberOfComponents", 1);
    }

    private int number(Element element, String attribute, int least) {
        String given = element.getAttribute(attribute).strip();
        try {
            int number = Integer.parseInt(given);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number that is too small.
        }
        throw wrong(shown(element.getTagName()) + " has " + attribute + " " + PrintableText.quote(given),
                "an integer from " + least + " to " + Integer.MAX_VALUE);
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
        if (found.size() != 1) {
            throw wrong(parent.getTagName() + " has " + found.size() + " elements " + tag, "one");
        }
        return found.getFirst();
    }

    private static List<Element> children(Element parent, String tag) {
        List<Element> result = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(tag)) {
                result.add(element);
            }
        }
        return result;
    }

    private MatrixFormatException wrong(String problem, String expected) {
        return new MatrixFormatException(text.name(), 0, 0, problem, expected);
    }
}
