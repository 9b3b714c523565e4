package org.trellis.matrices.harwellboeing;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.Precision;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.support.TextOutput;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Writes a matrix by columns, in fixed fields of lines of up to 80 characters. */
final class BoeingWriter {
    private static final Pattern TYPE = Pattern.compile(".*\\.([rcip][suhzr]a)(\\.gz)?");
    private static final int TITLE_CHARACTERS = 72;
    private static final int LINE_CHARACTERS = 80;
    private static final int DOUBLE_CHARACTERS = 25;
    private static final int FLOAT_CHARACTERS = 16;
    /** Rutherford-Boeing files do not count lines of right-hand sides. */
    private static final Pattern RUTHERFORD = Pattern.compile(".*\\.rb(\\.gz)?");

    private final Path file;
    private final CsrMatrix real;
    /** Imaginary parts in the structure of the real ones, or null. */
    private final CsrMatrix imaginary;
    private final WriteOptions options;

    /** Takes columns as rows: the transposed matrix, or the triangle of a symmetric one that is to be written. */
    BoeingWriter(Path file, CsrMatrix real, CsrMatrix imaginary, WriteOptions options) {
        this.file = file;
        this.real = real;
        this.imaginary = imaginary;
        this.options = options;
    }

    void write() throws IOException {
        String type = type();
        requireName(type);
        if (real.nonZeros() >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(real.nonZeros() + " entries for " + PrintableText.of(file.toString())
                    + ", expected fewer than " + Integer.MAX_VALUE + " in a Harwell-Boeing file; .mtx works");
        }
        TextOutput.write(file, StandardCharsets.ISO_8859_1, text -> write(type, text));
    }

    private String name() {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }

    private String type() {
        char values = options.pattern() ? 'P' : imaginary != null ? 'C' : 'R';
        char symmetry = options.symmetric() ? 'S' : real.rows() == real.columns() ? 'U' : 'R';
        return "" + values + symmetry + "A";
    }

    /** A name such as {@code .rsa} says what is in the file. */
    private void requireName(String type) {
        Matcher said = TYPE.matcher(name());
        if (said.matches() && !said.group(1).toUpperCase(Locale.ROOT).equals(type)) {
            throw new IllegalArgumentException("a matrix of type " + type + " for " + PrintableText.of(file.toString())
                    + ", expected a name that ends in ." + type.toLowerCase(Locale.ROOT) + ", .hb or .rb"
                    + (said.group(1).charAt(1) == 's' ? ", or a symmetric matrix and the option for it" : ""));
        }
    }

    private void write(String type, Writer text) throws IOException {
        long entries = real.nonZeros();
        Section pointers = new Section(text, String.valueOf(entries + 1).length() + 1);
        Section indices = new Section(text, String.valueOf(Math.max(1, real.columns())).length() + 1);
        Section values = new Section(text,
                real.precision() == Precision.F64 ? DOUBLE_CHARACTERS : FLOAT_CHARACTERS);
        long numbers = options.pattern() ? 0 : imaginary == null ? entries : 2 * entries;
        writeHeader(type, text, new long[]{pointers.lines(real.rows() + 1L), indices.lines(entries),
            values.lines(numbers)},
                new String[]{pointers.integers(), indices.integers(),
                    options.pattern() ? "" : values.reals(real.precision() == Precision.F64 ? 16 : 8)});
        for (CsrSegment segment : real.segments()) {
            for (int i = segment.firstRow() == 0 ? 0 : 1; i <= segment.rows(); i++) {
                pointers.add(String.valueOf(segment.base() + segment.rowOffsets()[i] + 1));
            }
        }
        pointers.end();
        for (CsrSegment segment : real.segments()) {
            for (int k = 0; k < segment.nonZeros(); k++) {
                indices.add(String.valueOf(segment.columnIndices()[k] + 1));
            }
        }
        indices.end();
        if (!options.pattern()) {
            writeValues(values);
        }
    }

    private void writeHeader(String type, Writer text, long[] lines, String[] formats) throws IOException {
        String title = options.comments().isEmpty() ? "written by Trellis" : options.comments().getFirst();
        String printable = title.replaceAll("[^ -~]", "?");
        String kept = printable.substring(0, Math.min(TITLE_CHARACTERS, printable.length()));
        text.write(padded(kept, TITLE_CHARACTERS) + padded("trellis", 8) + "\n");
        text.write(number(lines[0] + lines[1] + lines[2]) + number(lines[0]) + number(lines[1]) + number(lines[2])
                + (RUTHERFORD.matcher(name()).matches() ? "" : number(0)) + "\n");
        text.write(padded(type, 14) + number(real.columns()) + number(real.rows()) + number(real.nonZeros())
                + number(0) + "\n");
        text.write((padded(formats[0], 16) + padded(formats[1], 16) + padded(formats[2], 20)).stripTrailing() + "\n");
    }

    private void writeValues(Section values) throws IOException {
        for (int s = 0; s < real.segments().size(); s++) {
            CsrSegment segment = real.segments().get(s);
            HostVector others = imaginary == null ? null : imaginary.segments().get(s).values();
            for (int k = 0; k < segment.nonZeros(); k++) {
                values.add(text(segment.values(), segment, k));
                if (others != null) {
                    values.add(text(others, segment, k));
                }
            }
        }
        values.end();
    }

    private static String text(HostVector values, CsrSegment segment, int k) {
        double value = values.get(k);
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("value " + value + " in row " + (segment.columnIndices()[k] + 1)
                    + ", expected finite ones: a Harwell-Boeing file has no others");
        }
        return values.precision() == Precision.F64 ? Double.toString(value) : Float.toString((float) value);
    }

    private static String padded(String text, int characters) {
        return text + " ".repeat(Math.max(0, characters - text.length()));
    }

    private static String number(long value) {
        String digits = String.valueOf(value);
        return " ".repeat(Math.max(1, 14 - digits.length())) + digits;
    }

    /** Fields of one width, as many a line as there is room for. */
    private static final class Section {
        private final Writer text;
        private final int width;
        private final int repeat;
        private int inLine;

        Section(Writer text, int width) {
            this.text = text;
            this.width = width;
            this.repeat = LINE_CHARACTERS / width;
        }

        long lines(long fields) {
            return Math.ceilDiv(fields, (long) repeat);
        }

        String integers() {
            return "(" + repeat + "I" + width + ")";
        }

        String reals(int decimals) {
            return "(" + repeat + "E" + width + "." + decimals + ")";
        }

        void add(String field) throws IOException {
            text.write(" ".repeat(width - field.length()) + field);
            if (++inLine == repeat) {
                end();
            }
        }

        void end() throws IOException {
            if (inLine > 0) {
                text.write('\n');
                inLine = 0;
            }
        }
    }
}
