package org.trellis.matrices.market;

import org.trellis.common.Precision;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.SyntaxFailure;
import org.trellis.matrices.support.TextScanner;

/**
 * Turns the lines of a block into entries. The inner loop of reading: about ten nanoseconds an index, fifteen a value.
 *
 * <p>Entries go straight into arrays for about a million of them, which the results share. So large arrays are never
 * moved by the garbage collector, and nothing is copied until the matrix is assembled.
 *
 * <p>Not thread-safe: one parser per thread.
 */
final class EntryParser {

    /** The largest double that does not round to an infinite float. */
    private static final double LARGEST_AS_FLOAT = Math.nextDown(0x1.ffffffp127);

    private final MarketHeader header;
    private final ComplexPolicy complexPolicy;
    private final double largest;
    private final Precision precision;
    private final TextScanner scanner = new TextScanner();

    /** A little less than a power of two, so that an array and its header fill whole regions of the heap. */
    private static final int LARGEST_ARRAY = (1 << 20) - 64;

    private int[] rows = new int[0];
    private int[] columns = new int[0];
    private double[] values = new double[0];
    private int first;
    private int next;
    private int arraySize;
    private long lines;
    private int lineStart;
    private long previousKey;
    private boolean rowMajor;
    private int below;
    private int above;
    private int diagonal;
    private int arrayRow;
    private int arrayColumn;

    EntryParser(MarketHeader header, ReadOptions options) {
        this.header = header;
        this.complexPolicy = options.complexPolicy();
        this.precision = options.precision();
        this.largest = precision == Precision.F32 ? LARGEST_AS_FLOAT : Double.MAX_VALUE;
    }

    /**
     * Reads every line of a block.
     *
     * @throws SyntaxFailure at the first line that is not an entry, a comment or blank; {@link #result} then has what
     *                       came before it and {@link #lineStart} says where the line begins
     */
    EntryBlock parse(TextBlock block) {
        reset(block);
        if (header.format() == MarketFormat.COORDINATE) {
            readCoordinates(block.to());
        } else {
            readArray(block.to());
        }
        lines += block.droppedLines();
        if (block.overlong()) {
            lines++;
            lineStart = block.to();
            throw tooLong();
        }
        return result();
    }

    /** The entries of the last block so far. */
    EntryBlock result() {
        return new EntryBlock(rows, columns, values, first, next - first, lines,
                new EntryBlock.Shape(rowMajor, below < 0, above < 0, diagonal));
    }

    /** Where the line of the last failure begins. */
    int lineStart() {
        return lineStart;
    }

    private void reset(TextBlock block) {
        int most = (block.to() - block.from()) / header.leastEntryBytes() + 1;
        if (arraySize - next < most) {
            arraySize = Math.max(most, Math.min(LARGEST_ARRAY, 2 * arraySize));
            next = 0;
            boolean coordinates = header.format() == MarketFormat.COORDINATE;
            rows = new int[coordinates ? arraySize : 0];
            columns = new int[coordinates ? arraySize : 0];
            values = new double[header.field() == MarketField.PATTERN ? 0 : arraySize];
        }
        first = next;
        scanner.attach(block.bytes(), block.from());
        lines = 0;
        previousKey = -1;
        rowMajor = true;
        below = 0;
        above = 0;
        diagonal = 0;
    }

    private void readCoordinates(int end) {
        int rowLimit = header.rows();
        int columnLimit = header.columns();
        boolean vector = header.vector();
        boolean pattern = header.field() == MarketField.PATTERN;
        while (scanner.position() < end) {
            if (startsEntry()) {
                int row = scanner.index(rowLimit, "a row index");
                int column = 0;
                if (!vector) {
                    scanner.separator("a blank, then a column index");
                    column = scanner.index(columnLimit, "a column index");
                }
                if (!pattern) {
                    scanner.separator("a blank, then a value");
                    values[next] = value(row == column);
                }
                append(row, column);
                endLine();
            }
        }
    }

    private void readArray(int end) {
        while (scanner.position() < end) {
            if (startsEntry()) {
                values[next] = value(arrayRow == arrayColumn);
                next++;
                nextArrayElement();
                endLine();
            }
        }
    }

    /** Follows the place in the array; right only if one parser sees all blocks, see {@link #needsAllBlocks}. */
    private void nextArrayElement() {
        arrayRow++;
        if (arrayRow == header.rows()) {
            arrayColumn++;
            arrayRow = header.mirrored() ? arrayColumn : 0;
        }
    }

    /** Whether an error depends on how many entries came before, so that one parser must read the file in order. */
    static boolean needsAllBlocks(MarketHeader header) {
        return header.format() == MarketFormat.ARRAY && header.symmetry() == MarketSymmetry.HERMITIAN
                && header.field() == MarketField.COMPLEX;
    }

    /** Enters the next line; whether it holds an entry, whose first byte is then next. */
    private boolean startsEntry() {
        lines++;
        lineStart = scanner.position();
        return scanner.peek() > '%' || startsIrregularEntry();
    }

    /** Skips leading blanks, and the whole line if it is blank or a comment. */
    private boolean startsIrregularEntry() {
        scanner.skipBlanks();
        byte first = scanner.peek();
        if (first == '%') {
            scanner.skipLine();
            return false;
        }
        if (first == '\n' || first == '\r') {
            scanner.endOfLine("a line feed after the carriage return");
            return false;
        }
        return true;
    }

    private void append(int row, int column) {
        if (row == column) {
            checkDiagonal();
            diagonal++;
        }
        rows[next] = row;
        columns[next] = column;
        next++;
        long key = EntryBlock.key(row, column);
        rowMajor &= key > previousKey;
        previousKey = key;
        below |= column - row;
        above |= row - column;
    }

    private void checkDiagonal() {
        if (header.symmetry() == MarketSymmetry.SKEW_SYMMETRIC) {
            throw new SyntaxFailure(lineStart, "no entry on the diagonal of a skew-symmetric matrix");
        }
    }

    private void endLine() {
        scanner.endOfLine("the end of the line");
        if (scanner.position() - lineStart > TextBlock.LONGEST_LINE) {
            throw tooLong();
        }
    }

    private SyntaxFailure tooLong() {
        return new SyntaxFailure(lineStart, "a line of at most " + TextBlock.LONGEST_LINE + " bytes");
    }

    private double value(boolean onDiagonal) {
        return switch (header.field()) {
            case REAL -> inRange(scanner.position(), scanner.real());
            case INTEGER -> inRange(scanner.position(), scanner.integer());
            case COMPLEX -> complex(onDiagonal);
            case PATTERN -> 1;
        };
    }

    private double complex(boolean onDiagonal) {
        double real = inRange(scanner.position(), scanner.real());
        scanner.separator("a blank, then an imaginary part");
        int start = scanner.position();
        double imaginary = inRange(start, scanner.real());
        if (onDiagonal && header.symmetry() == MarketSymmetry.HERMITIAN && imaginary != 0) {
            throw new SyntaxFailure(start, "the imaginary part 0 on the diagonal of a Hermitian matrix");
        }
        return complexPolicy == ComplexPolicy.IMAGINARY_PART ? imaginary : real;
    }

    /** Infinity is legal where the file states it, not where a number is too large. */
    private double inRange(int start, double value) {
        if (Math.abs(value) > largest) {
            checkInfinite(start, value);
        }
        return value;
    }

    private void checkInfinite(int start, double value) {
        if (!Double.isInfinite(value) || scanner.hasDigit(start)) {
            throw new SyntaxFailure(start, "a number within the range of " + precision.label() + ", or inf");
        }
    }
}
