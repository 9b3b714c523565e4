package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;

/**
 * A share of a {@code new_grid.dat}: of several readers each parses its own part of the text, and together they have
 * every line once. For meshes that no reader is to hold whole. Rows are consecutive in each table, from the first
 * number on; a share that has none of a table says 0 rows of it. Numbers are those of the whole mesh.
 *
 * @param nodes         nodes of the whole mesh
 * @param cells         cells of the whole mesh
 * @param edges         interior edges of the whole mesh
 * @param boundaryEdges boundary edges of the whole mesh
 * @param firsts        the first node, cell, interior edge and boundary edge of the share
 * @param tables        x and y of nodes are apart; then four nodes of each cell; nodes and cells of each interior edge,
 *                      two each; two nodes, the cell and the kind of each boundary edge
 * @param coordinates   x and y of each node of the share
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record AirfoilPart(int nodes, int cells, int edges, int boundaryEdges, int[] firsts, int[][] tables,
        double[] coordinates) {
    private static final int GZIP = 0x1f;
    private static final int NODES = 0;
    private static final int CELLS = 1;
    private static final int EDGES = 2;
    private static final int BOUNDARY = 3;
    /** Numbers on the line of a node, cell, interior edge and boundary edge. */
    private static final int[] WIDTHS = {2, 4, 4, 4};
    private static final String[] WHAT = {"a node", "a cell", "an interior edge", "a boundary edge"};
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LONGEST_LINE = 1 << 16;
    /** So many digits fit into an int. */
    private static final int PLAIN_DIGITS = 9;

    /**
     * Takes a mesh as the only share.
     *
     * @param mesh the mesh, whose arrays are not copied but for tables of edges
     * @return all of it
     */
    public static AirfoilPart of(AirfoilMesh mesh) {
        int[] edgeTable = new int[WIDTHS[EDGES] * mesh.edges()];
        for (int e = 0; e < mesh.edges(); e++) {
            System.arraycopy(mesh.edgeNodes(), 2 * e, edgeTable, 4 * e, 2);
            System.arraycopy(mesh.edgeCells(), 2 * e, edgeTable, 4 * e + 2, 2);
        }
        int[] boundary = new int[WIDTHS[BOUNDARY] * mesh.boundaryEdges()];
        for (int e = 0; e < mesh.boundaryEdges(); e++) {
            System.arraycopy(mesh.boundaryNodes(), 2 * e, boundary, 4 * e, 2);
            boundary[4 * e + 2] = mesh.boundaryCells()[e];
            boundary[4 * e + 3] = mesh.boundaryKinds()[e];
        }
        return new AirfoilPart(mesh.nodes(), mesh.cells(), mesh.edges(), mesh.boundaryEdges(), new int[4],
                new int[][]{{}, mesh.cellNodes(), edgeTable, boundary}, mesh.coordinates());
    }

    /**
     * Reads a share. Each node, cell and edge has to have a line of its own, as the benchmark's files have them. Costs
     * two passes over the share of the text, and memory for what is in it.
     *
     * @param file   the file, not compressed
     * @param share  which share, from 0
     * @param shares how many there are
     * @param before receives how many lines begin in this share, and says how many begin in those before it. All
     *               readers ask at this point
     * @return what is in the share
     * @throws MatrixFormatException     if the contents of the share are wrong, or the file is compressed
     * @throws IllegalArgumentException  if there are no shares
     * @throws IndexOutOfBoundsException if there is no such share
     * @throws IOException               if the file cannot be read
     */
    public static AirfoilPart read(Path file, int share, int shares, LongUnaryOperator before) throws IOException {
        Checks.index("share of " + file, share, Checks.positive("number of shares", shares));
        try (FileChannel channel = FileChannel.open(file)) {
            Lines head = new Lines(file, channel, 0, Long.MAX_VALUE, 1);
            if (head.next() && head.isCompressed()) {
                throw new MatrixFormatException(file.toString(), 1, 1, "the file is compressed",
                        "plain text, of which a share can be found");
            }
            int[] counts = new int[WIDTHS.length];
            for (int kind = 0; kind < counts.length; kind++) {
                counts[kind] = head.integer(0, Integer.MAX_VALUE / WIDTHS[kind], "a number of nodes, cells or edges");
            }
            head.end();
            long start = head.position();
            long size = channel.size() - start;
            long from = start + size * share / shares;
            long to = start + size * (share + 1) / shares;
            long own = Lines.count(file, channel, start, from, to);
            long first = before.applyAsLong(own);
            Lines lines = new Lines(file, channel, Lines.begin(file, channel, start, from), to, 2 + first);
            return new Reader(counts, lines).read(first, own, share + 1 == shares);
        }
    }

    private int[] numbers(int kind, int rows) {
        return IntStream.range(firsts[kind], firsts[kind] + rows).toArray();
    }

    /**
     * Returns the nodes of the share.
     *
     * @return their numbers, rising; a new array
     */
    public int[] ownNodes() {
        return numbers(NODES, coordinates.length / 2);
    }

    /**
     * Returns the cells of the share.
     *
     * @return their numbers, rising; a new array
     */
    public int[] ownCells() {
        return numbers(CELLS, tables[CELLS].length / WIDTHS[CELLS]);
    }

    /**
     * Returns the interior edges of the share.
     *
     * @return their numbers, rising; a new array
     */
    public int[] ownEdges() {
        return numbers(EDGES, tables[EDGES].length / WIDTHS[EDGES]);
    }

    /**
     * Returns the boundary edges of the share.
     *
     * @return their numbers, rising; a new array
     */
    public int[] ownBoundaryEdges() {
        return numbers(BOUNDARY, tables[BOUNDARY].length / WIDTHS[BOUNDARY]);
    }

    /**
     * Returns four nodes of each cell of the share.
     *
     * @return cell after cell; the array itself
     */
    public int[] cellNodes() {
        return tables[CELLS];
    }

    /**
     * Returns two nodes of each interior edge of the share.
     *
     * @return edge after edge; a new array
     */
    public int[] edgeNodes() {
        return columns(EDGES, 0, 2);
    }

    /**
     * Returns two cells of each interior edge of the share.
     *
     * @return edge after edge; a new array
     */
    public int[] edgeCells() {
        return columns(EDGES, 2, 4);
    }

    /**
     * Returns two nodes of each boundary edge of the share.
     *
     * @return edge after edge; a new array
     */
    public int[] boundaryNodes() {
        return columns(BOUNDARY, 0, 2);
    }

    /**
     * Returns the cell of each boundary edge of the share.
     *
     * @return a new array
     */
    public int[] boundaryCells() {
        return columns(BOUNDARY, 2, 3);
    }

    /**
     * Returns what each boundary edge of the share is.
     *
     * @return {@link AirfoilMesh#WALL} or {@link AirfoilMesh#FAR_FIELD}; a new array
     */
    public int[] boundaryKinds() {
        return columns(BOUNDARY, 3, 4);
    }

    private int[] columns(int kind, int from, int to) {
        int[] table = tables[kind];
        int rows = table.length / WIDTHS[kind];
        int[] chosen = new int[rows * (to - from)];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(table, row * WIDTHS[kind] + from, chosen, row * (to - from), to - from);
        }
        return chosen;
    }

    /** Puts lines into tables. */
    private static final class Reader {
        private final int[] counts;
        private final Lines lines;

        Reader(int[] counts, Lines lines) {
            this.counts = counts;
            this.lines = lines;
        }

        AirfoilPart read(long before, long own, boolean last) throws IOException {
            int[] firsts = new int[counts.length];
            int[][] tables = new int[counts.length][];
            double[] coordinates = new double[0];
            long first = 0;
            for (int kind = 0; kind < counts.length; kind++) {
                long from = Math.clamp(before, first, first + counts[kind]);
                long to = Math.clamp(before + own, first, first + counts[kind]);
                firsts[kind] = (int) (from - first);
                int[] table = new int[kind == NODES ? 0 : Math.toIntExact((to - from) * WIDTHS[kind])];
                if (kind == NODES) {
                    coordinates = new double[Math.toIntExact((to - from) * WIDTHS[kind])];
                }
                for (int row = 0; row < to - from; row++) {
                    line(kind, row, table, coordinates);
                }
                tables[kind] = table;
                first += counts[kind];
            }
            if (before + own < first && last) {
                throw new MatrixFormatException(lines.file(), 0, 0, "the file has " + (before + own)
                        + " lines behind the first", first + " lines, one for each node, cell and edge");
            }
            while (lines.next()) {
                lines.end();
            }
            return new AirfoilPart(counts[NODES], counts[CELLS], counts[EDGES], counts[BOUNDARY], firsts, tables,
                    coordinates);
        }

        private void line(int kind, int row, int[] table, double... coordinates) throws IOException {
            if (!lines.next()) {
                throw new IOException(lines.file() + " has fewer lines than a moment ago");
            }
            int width = WIDTHS[kind];
            for (int i = 0; i < width; i++) {
                if (kind == NODES) {
                    coordinates[row * width + i] = lines.real(WHAT[kind]);
                } else {
                    boolean flag = kind == BOUNDARY && i == 3;
                    boolean node = kind == CELLS || i < 2;
                    table[row * width + i] = flag
                            ? lines.integer(AirfoilMesh.WALL, AirfoilMesh.FAR_FIELD, "a boundary flag")
                            : lines.integer(0, counts[node ? NODES : CELLS] - 1, node ? "a node" : "a cell");
                }
            }
            lines.end();
        }
    }

    /** Lines of a part of a file, and the numbers in them. */
    private static final class Lines {
        private final Path file;
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        private final long to;
        /** What has been read of the file: the bytes of the buffer from {@code next} to {@code limit}. */
        private final byte[] bytes = buffer.array();
        private int next;
        private int limit;
        private long readTo;
        private final byte[] text = new byte[LONGEST_LINE];
        private long position;
        private long line;
        private int length;
        private int at;

        Lines(Path file, FileChannel channel, long from, long to, long line) {
            this.file = file;
            this.channel = channel;
            this.readTo = from;
            this.position = from;
            this.to = to;
            this.line = line - 1;
        }

        String file() {
            return file.toString();
        }

        /** Where the next line begins. */
        long position() {
            return position;
        }

        /** Finds where the first line begins that begins at a place or behind it. */
        static long begin(Path file, FileChannel channel, long start, long from) throws IOException {
            if (from <= start) {
                return start;
            }
            Lines lines = new Lines(file, channel, from - 1, Long.MAX_VALUE, 0);
            lines.skipLine();
            return lines.position;
        }

        /** Counts the lines that begin in a part. */
        static long count(Path file, FileChannel channel, long start, long from, long to) throws IOException {
            Lines lines = new Lines(file, channel, begin(file, channel, start, from), to, 0);
            long count = 0;
            while (lines.position < to && lines.skipLine()) {
                count++;
            }
            return count;
        }

        /** Reads more of the file; false at its end. */
        private boolean fill() throws IOException {
            buffer.clear();
            next = 0;
            limit = Math.max(0, channel.read(buffer, readTo));
            readTo += limit;
            return limit > 0;
        }

        private boolean skipLine() throws IOException {
            long before = position;
            while (next < limit || fill()) {
                int begin = next;
                while (next < limit) {
                    if (bytes[next++] == '\n') {
                        position += next - begin;
                        return true;
                    }
                }
                position += next - begin;
            }
            return position > before;
        }

        /** Reads the next line that begins before the end; false if there is none. */
        boolean next() throws IOException {
            line++;
            length = 0;
            at = 0;
            if (position >= to) {
                return false;
            }
            boolean any = false;
            while (next < limit || fill()) {
                any = true;
                int begin = next;
                while (next < limit && bytes[next] != '\n') {
                    next++;
                }
                if (length + next - begin > text.length) {
                    throw failure(0, "a line of more than " + LONGEST_LINE + " bytes",
                            "a line for each number of rows");
                }
                System.arraycopy(bytes, begin, text, length, next - begin);
                length += next - begin;
                position += next - begin;
                if (next < limit) {
                    next++;
                    position++;
                    return true;
                }
            }
            return any;
        }

        boolean isCompressed() {
            return length > 0 && text[0] == GZIP;
        }

        private MatrixFormatException failure(int column, String found, String expected) {
            return new MatrixFormatException(file(), line, column, found, expected);
        }

        private static boolean isBlank(byte letter) {
            return letter == ' ' || letter == '\t' || letter == '\r';
        }

        private String word(String expected) {
            while (at < length && isBlank(text[at])) {
                at++;
            }
            int from = at;
            while (at < length && !isBlank(text[at])) {
                at++;
            }
            if (from == at) {
                throw failure(at + 1, "the end of the line", expected);
            }
            return new String(text, from, at - from, StandardCharsets.ISO_8859_1);
        }

        int integer(int least, int most, String expected) {
            int before = at;
            int plain = plainInteger();
            if (plain >= least && plain <= most) {
                return plain;
            }
            at = before;
            String word = word(expected);
            try {
                int value = Integer.parseInt(word);
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Said below, as numbers out of range are.
            }
            throw failure(at - word.length() + 1, "found " + PrintableText.quote(word),
                    expected + " from " + least + " to " + most);
        }

        /** Reads a number of up to nine digits; -1, and nothing is read, if there is anything else. */
        private int plainInteger() {
            int from = at;
            while (from < length && isBlank(text[from])) {
                from++;
            }
            int end = from;
            int value = 0;
            while (end < length && end - from < PLAIN_DIGITS && text[end] >= '0' && text[end] <= '9') {
                value = 10 * value + text[end++] - '0';
            }
            if (end == from || (end < length && !isBlank(text[end]))) {
                return -1;
            }
            at = end;
            return value;
        }

        double real(String what) {
            String word = word("two coordinates of " + what);
            try {
                return Double.parseDouble(word);
            } catch (NumberFormatException e) {
                throw failure(at - word.length() + 1, "found " + PrintableText.quote(word),
                        "a coordinate");
            }
        }

        /** Refuses what is left of the line. */
        void end() {
            while (at < length && isBlank(text[at])) {
                at++;
            }
            if (at < length) {
                throw failure(at + 1, "found more", "nothing behind it on this line");
            }
        }
    }
}
