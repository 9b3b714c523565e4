package org.trellis.matrices.harwellboeing;

import java.io.IOException;
import java.util.Arrays;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.TextLines;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** One read: the header, the column pointers, the row indices and the values. */
final class ColumnsReader {
    private static final int FIRST_CAPACITY = 1 << 10;
    /** Rows that any file may claim; more only in proportion to its text. */
    private static final int UNCONDITIONAL_ROWS = 1 << 24;
    private static final int TYPE_LINE = 3;

    private final TextLines lines;
    private final ReadOptions options;
    private HeaderParser.Parsed parsed;
    private HarwellBoeingHeader header;

    ColumnsReader(TextLines lines, ReadOptions options) {
        this.lines = lines;
        this.options = options;
    }

    CsrMatrix read() throws IOException {
        parsed = new HeaderParser(lines).parse();
        header = parsed.header();
        if (header.values() == 'C' && options.complexPolicy() == ComplexPolicy.REFUSE) {
            throw new MatrixFormatException(lines.file(), TYPE_LINE, 1, "the values are complex",
                    "real, integer or pattern; or MatrixFiles.readComplex, or a policy: ComplexPolicy.REAL_FORM, "
                            + "REAL_PART or IMAGINARY_PART, on the command line --complex=REAL_FORM");
        }
        int[] pointers = readPointers();
        int[] rows = readRows(pointers);
        int[] columns = new int[rows.length];
        for (int column = 0; column < header.columns(); column++) {
            Arrays.fill(columns, pointers[column], pointers[column + 1], column);
        }
        double[] values = readValues(rows, columns);
        checkEnd();
        checkSize();
        return assemble(rows, columns, values);
    }

    /** Grows with what is there, not with what the header claims. */
    private int[] readPointers() throws IOException {
        skipFifthHeaderLine();
        FieldReader fields = new FieldReader(lines, parsed.pointers(), "a column pointer");
        int[] pointers = new int[(int) Math.min(FIRST_CAPACITY, header.columns() + 1L)];
        long previous = 1;
        for (int column = 0; column <= header.columns(); column++) {
            if (column == pointers.length) {
                pointers = Arrays.copyOf(pointers, (int) Math.min(header.columns() + 1L, 2L * column));
            }
            long high = column == 0 ? 1 : header.entries() + 1L;
            long low = column == header.columns() ? header.entries() + 1L : previous;
            previous = fields.integer(low, high);
            pointers[column] = (int) previous - 1;
        }
        fields.end();
        return pointers;
    }

    /** Harwell-Boeing files with right-hand sides, and some others, have a fifth line that starts with a letter. */
    private void skipFifthHeaderLine() throws IOException {
        if (parsed.rightHandSide() || lines.nextStartsWithLetter()) {
            lines.next();
        }
    }

    private void checkSize() {
        long limit = Math.max(UNCONDITIONAL_ROWS, lines.bytes());
        if (header.rows() > limit) {
            throw new MatrixFormatException(lines.file(), TYPE_LINE, 1,
                    header.rows() + " rows are out of proportion to " + lines.bytes() + " bytes of text",
                    "at most " + limit + " rows (the larger of " + UNCONDITIONAL_ROWS + " and one for each byte)");
        }
    }

    private int[] readRows(int[] pointers) throws IOException {
        FieldReader fields = new FieldReader(lines, parsed.indices(), "a row index");
        int[] rows = new int[Math.min(FIRST_CAPACITY, header.entries())];
        for (int column = 0; column < header.columns(); column++) {
            boolean ascending = true;
            for (int k = pointers[column]; k < pointers[column + 1]; k++) {
                if (k == rows.length) {
                    rows = Arrays.copyOf(rows, (int) Math.min(header.entries(), 2L * k));
                }
                rows[k] = (int) fields.integer(firstRow(column), header.rows()) - 1;
                ascending &= k == pointers[column] || rows[k - 1] < rows[k];
            }
            if (!ascending) {
                checkDistinct(Arrays.copyOfRange(rows, pointers[column], pointers[column + 1]), column, fields);
            }
        }
        fields.end();
        return rows;
    }

    private static void checkDistinct(int[] rows, int column, FieldReader fields) {
        Arrays.sort(rows);
        for (int k = 1; k < rows.length; k++) {
            if (rows[k] == rows[k - 1]) {
                throw fields.unexpected("a column " + (column + 1) + " that has row " + (rows[k] + 1) + " only once");
            }
        }
    }

    /** The lower triangle is stored, of a skew matrix without the diagonal. */
    private long firstRow(int column) {
        return switch (header.symmetry()) {
            case 'S', 'H' -> column + 1L;
            case 'Z' -> column + 2L;
            default -> 1;
        };
    }

    private double[] readValues(int[] rows, int[] columns) throws IOException {
        double[] values = new double[rows.length];
        if (header.values() == 'P') {
            Arrays.fill(values, 1);
            return values;
        }
        FieldReader fields = new FieldReader(lines, parsed.values(), "a value");
        for (int k = 0; k < values.length; k++) {
            values[k] = readValue(fields, rows[k] == columns[k]);
            if (options.precision() == Precision.F32 && Float.isInfinite((float) values[k])) {
                throw fields.unexpected("a value within the range of f32");
            }
        }
        fields.end();
        return values;
    }

    private double readValue(FieldReader fields, boolean onDiagonal) throws IOException {
        double real = fields.real();
        if (header.values() == 'I' && real != Math.rint(real)) {
            throw fields.unexpected("an integer");
        }
        if (header.values() != 'C') {
            return real;
        }
        double imaginary = fields.real();
        if (onDiagonal && header.symmetry() == 'H' && imaginary != 0) {
            throw fields.unexpected("the imaginary part 0 on the diagonal of a Hermitian matrix");
        }
        return options.complexPolicy() == ComplexPolicy.IMAGINARY_PART ? imaginary : real;
    }

    private void checkEnd() throws IOException {
        if (parsed.rightHandSide()) {
            lines.finish();
            return;
        }
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (!line.isBlank()) {
                throw new MatrixFormatException(lines.file(), lines.number(), 1,
                        "found " + PrintableText.quote(line.strip()),
                        "the end of the file");
            }
        }
    }

    private CsrMatrix assemble(int[] rows, int[] columns, double[] values) {
        int count = rows.length;
        long expanded = count;
        for (int k = 0; header.mirrored() && k < count; k++) {
            expanded += rows[k] == columns[k] ? 0 : 1;
        }
        if (expanded > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS) {
            throw new MatrixFormatException(lines.file(), TYPE_LINE, 1,
                    expanded + " entries, mirrored ones counted, are more than the reader can assemble",
                    "at most " + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
        }
        int[] allRows = Arrays.copyOf(rows, (int) expanded);
        int[] allColumns = Arrays.copyOf(columns, (int) expanded);
        double[] allValues = Arrays.copyOf(values, (int) expanded);
        boolean negated = header.symmetry() == 'Z'
                || (header.symmetry() == 'H' && options.complexPolicy() == ComplexPolicy.IMAGINARY_PART);
        int next = count;
        for (int k = 0; next < expanded; k++) {
            if (rows[k] != columns[k]) {
                allRows[next] = columns[k];
                allColumns[next] = rows[k];
                allValues[next] = negated ? -values[k] : values[k];
                next++;
            }
        }
        if (header.mirrored()) {
            sortByColumns(allRows, allColumns, allValues);
        }
        return compress(allRows, allColumns, allValues);
    }

    /** Sorts entries whose mirrored ones come behind the others; as many rows as columns, and few next to the text. */
    private void sortByColumns(int[] rows, int[] columns, double[] values) {
        int[] fromRows = rows.clone();
        double[] fromValues = values.clone();
        int[] starts = scatter(columns, header.columns(), fromRows, fromValues, rows, values);
        for (int column = 0; column < header.columns(); column++) {
            Arrays.fill(columns, starts[column], starts[column + 1], column);
        }
    }

    /** Makes rows of entries that are sorted by columns; nothing but the offsets grows with the number of rows. */
    private CsrMatrix compress(int[] rows, int[] columns, double[] values) {
        int[] columnIndices = new int[columns.length];
        double[] sorted = new double[values.length];
        int[] offsets = scatter(rows, header.rows(), columns, values, columnIndices, sorted);
        return CsrMatrix.of(header.rows(), header.columns(), offsets, columnIndices, HostVector.of(sorted))
                .toPrecision(options.precision());
    }

    /** Sorts indices and values by keys from 0 to a size, stably; returns where each key starts, and the end. */
    private static int[] scatter(int[] keys, int size, int[] indices, double[] values, int[] toIndices,
            double[] toValues) {
        int[] starts = new int[size + 1];
        for (int key : keys) {
            starts[key]++;
        }
        for (int key = 1; key <= size; key++) {
            starts[key] += starts[key - 1];
        }
        // From behind, so that the ends of keys become their starts.
        for (int k = keys.length - 1; k >= 0; k--) {
            int place = --starts[keys[k]];
            toIndices[place] = indices[k];
            toValues[place] = values[k];
        }
        return starts;
    }
}
