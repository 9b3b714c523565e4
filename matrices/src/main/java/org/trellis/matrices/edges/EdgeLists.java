package org.trellis.matrices.edges;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringTokenizer;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.support.TextLines;
import org.trellis.matrices.support.TextOutput;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * Reads and writes lists of edges, as SNAP, GAP and NetworkX have them: on each line two vertices and perhaps a weight,
 * between blanks, tabs, commas or semicolons. Vertices are numbered from 0. Lines that begin with {@code #} or {@code
 * %}
 * are comments.
 *
 * <p>The matrix has an entry {@code (i, j)} for each edge from i to j, of the edge's weight or 1; edges that occur
 * several
 * times add up. It is square, with as many rows as the greatest number of a vertex asks for, unless a comment {@code #
 * trellis: rows R columns C} says otherwise, which the writer puts first.
 */
public final class EdgeLists {
    private static final String SIZES = "# trellis: rows ";
    private static final String SEPARATORS = " \t,;";
    /** Vertices that a file may name whatever its size; more only if it has as many bytes. */
    private static final int ALWAYS_ALLOWED_VERTICES = 1 << 22;

    private EdgeLists() {}

    /**
     * Reads a matrix.
     *
     * @param file    a list of edges, plain or compressed with gzip
     * @param options precision, and how far a compressed file may expand; threads are not used
     * @return the matrix
     * @throws MatrixFormatException if the contents are wrong; names the line
     * @throws IOException if the file cannot be read
     */
    public static CsrMatrix read(Path file, ReadOptions options) throws IOException {
        try (TextLines lines = TextLines.open(file, options::textLimit)) {
            return new Reader(lines).read().toPrecision(options.precision());
        }
    }

    /**
     * Writes a matrix, each entry as an edge.
     *
     * @param file    the file, replaced if it exists
     * @param matrix  a matrix in any storage format
     * @param options whether values are left out, and comments; a list of edges is never symmetric by itself
     * @throws IllegalArgumentException if the options ask for one triangle only
     * @throws IOException if the file cannot be written
     */
    public static void write(Path file, SparseMatrix matrix, WriteOptions options) throws IOException {
        if (options.symmetric()) {
            throw new IllegalArgumentException("a list of edges of one triangle only, expected all entries: "
                    + "readers take each edge as it stands");
        }
        TextOutput.write(file, StandardCharsets.UTF_8, writer -> {
            writer.write(SIZES + matrix.rows() + " columns " + matrix.columns() + "\n");
            for (String comment : options.comments()) {
                writer.write("# " + comment + "\n");
            }
            CsrMatrix csr = matrix.toCsr();
            for (int row = 0; row < csr.rows(); row++) {
                writer.write(edges(csr, row, options.pattern()));
            }
        });
    }

    private static String edges(CsrMatrix csr, int row, boolean pattern) {
        StringBuilder text = new StringBuilder();
        var segment = csr.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            text.append(row).append(' ').append(segment.columnIndices()[k]);
            if (!pattern) {
                text.append(' ').append(number(segment.values(), k));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String number(HostVector values, int k) {
        return switch (values.precision()) {
            case F64 -> Double.toString(values.get(k));
            case F32 -> Float.toString((float) values.get(k));
        };
    }

    /** The state of one reading. */
    private static final class Reader {
        private final TextLines lines;
        private int[] from = new int[1024];
        private int[] to = new int[1024];
        private double[] weights = new double[1024];
        private int count;
        private int greatest = -1;
        private long greatestLine;
        private int rows = -1;
        private int columns = -1;

        Reader(TextLines lines) {
            this.lines = lines;
        }

        CsrMatrix read() throws IOException {
            for (String line = lines.next(); line != null; line = lines.next()) {
                String text = line.strip();
                if (text.startsWith("#") || text.startsWith("%")) {
                    takeSizes(text);
                } else if (!text.isEmpty()) {
                    takeEdge(text);
                }
            }
            int size = greatest + 1;
            if (rows < 0) {
                requireSensible(size, greatestLine, "vertex " + greatest);
                rows = size;
                columns = size;
            }
            return CooMatrix.of(rows, columns, Arrays.copyOf(from, count), Arrays.copyOf(to, count),
                    HostVector.of(Arrays.copyOf(weights, count))).toCsr();
        }

        /** Sizes cost memory, so what a short file claims is not believed. */
        private void requireSensible(int size, long line, String what) {
            long most = Math.max(ALWAYS_ALLOWED_VERTICES, lines.bytes());
            if (size > most) {
                throw new MatrixFormatException(lines.file(), line, 0, what + " in a file of " + lines.bytes()
                        + " bytes", "at most " + most + " vertices in a file of this size");
            }
        }

        private void takeSizes(String comment) {
            if (!comment.startsWith(SIZES)) {
                return;
            }
            if (count > 0 || rows >= 0) {
                throw problem("sizes " + PrintableText.quote(comment), "them once, before the first edge");
            }
            String[] parts = comment.substring(SIZES.length()).split(" columns ", -1);
            if (parts.length != 2) {
                throw problem("sizes " + PrintableText.quote(comment), SIZES + "R columns C");
            }
            rows = index(parts[0].strip(), "a number of rows", Integer.MAX_VALUE - 8);
            columns = index(parts[1].strip(), "a number of columns", Integer.MAX_VALUE - 8);
            if (Math.max(rows, columns) > Math.max(ALWAYS_ALLOWED_VERTICES, lines.bytes())) {
                throw problem(Math.max(rows, columns) + " rows or columns", "at most " + ALWAYS_ALLOWED_VERTICES);
            }
        }

        private void takeEdge(String text) {
            StringTokenizer tokens = new StringTokenizer(text, SEPARATORS);
            if (tokens.countTokens() < 2 || tokens.countTokens() > 3) {
                throw problem("line " + PrintableText.quote(text), "two vertices and perhaps a weight");
            }
            int source = index(tokens.nextToken(), "a vertex", rows < 0 ? Integer.MAX_VALUE - 9 : rows - 1);
            int target = index(tokens.nextToken(), "a vertex", rows < 0 ? Integer.MAX_VALUE - 9 : columns - 1);
            if (count == from.length) {
                int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * count);
                from = Arrays.copyOf(from, capacity);
                to = Arrays.copyOf(to, capacity);
                weights = Arrays.copyOf(weights, capacity);
            }
            from[count] = source;
            to[count] = target;
            weights[count++] = tokens.hasMoreTokens() ? weight(tokens.nextToken()) : 1;
            if (Math.max(source, target) > greatest) {
                greatest = Math.max(source, target);
                greatestLine = lines.number();
            }
        }

        private int index(String token, String what, int most) {
            try {
                int index = Integer.parseInt(token);
                if (index >= 0 && index <= most) {
                    return index;
                }
            } catch (NumberFormatException e) {
                // Said below, with the place.
            }
            throw problem(PrintableText.quote(token), what + " from 0 to " + most);
        }

        private double weight(String token) {
            try {
                return Double.parseDouble(token);
            } catch (NumberFormatException e) {
                throw problem(PrintableText.quote(token), "a weight, which is a number");
            }
        }

        private MatrixFormatException problem(String found, String expected) {
            return new MatrixFormatException(lines.file(), lines.number(), 0, found, expected);
        }
    }
}
