package org.trellis.bench.peer.solver;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A system in a file from which each process maps its rows: a number that says what it is, rows and non-zeros (three
 * longs), {@code rows + 1} row offsets (longs), the right-hand side and the values (doubles), the column indices
 * (ints), all in this machine's order of bytes.
 */
public final class SystemFile {
    private static final long MAGIC = 0x7472656c6c697301L;
    private static final long HEADER = 3L * Long.BYTES;

    private final MemorySegment offsets;
    private final MemorySegment b;
    private final MemorySegment values;
    private final MemorySegment columns;

    private SystemFile(MemorySegment all, long rows, long nonZeros) {
        long at = HEADER;
        this.offsets = all.asSlice(at, (rows + 1) * Long.BYTES);
        at += offsets.byteSize();
        this.b = all.asSlice(at, rows * Double.BYTES);
        at += b.byteSize();
        this.values = all.asSlice(at, nonZeros * Double.BYTES);
        at += values.byteSize();
        this.columns = all.asSlice(at, nonZeros * Integer.BYTES);
    }

    private static long size(long rows, long nonZeros) {
        return HEADER + (rows + 1) * Long.BYTES + rows * Double.BYTES + nonZeros * (Double.BYTES + Integer.BYTES);
    }

    /**
     * Writes a system.
     *
     * @param file   the file to make
     * @param matrix a matrix in double precision
     * @param b      the right-hand side
     * @throws IOException if it cannot be written
     */
    static void write(Path file, CsrMatrix matrix, HostVector b) throws IOException {
        long bytes = size(matrix.rows(), matrix.nonZeros());
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment all = channel.map(MapMode.READ_WRITE, 0, bytes, arena);
            all.setAtIndex(JAVA_LONG, 0, MAGIC);
            all.setAtIndex(JAVA_LONG, 1, matrix.rows());
            all.setAtIndex(JAVA_LONG, 2, matrix.nonZeros());
            SystemFile parts = new SystemFile(all, matrix.rows(), matrix.nonZeros());
            MemorySegment.copy(b.doubleStorage(), b.offset(), parts.b, JAVA_DOUBLE, 0, b.length());
            for (CsrSegment segment : matrix.segments()) {
                for (int row = 0; row <= segment.rows(); row++) {
                    parts.offsets.setAtIndex(JAVA_LONG, segment.firstRow() + row,
                            segment.base() + segment.rowOffsets()[row]);
                }
                HostVector own = segment.values();
                MemorySegment.copy(own.doubleStorage(), own.offset(), parts.values, JAVA_DOUBLE,
                        segment.base() * Double.BYTES, segment.nonZeros());
                MemorySegment.copy(segment.columnIndices(), 0, parts.columns, JAVA_INT,
                        segment.base() * Integer.BYTES, segment.nonZeros());
            }
        }
    }

    /**
     * Maps a file.
     *
     * @param file  what {@link PeerSystem#file} names
     * @param arena how long it is needed
     * @return the system
     * @throws IOException if it cannot be read or holds no system
     */
    public static SystemFile map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long found = channel.size();
            if (found < HEADER) {
                throw new IOException(file + " has " + found + " bytes, expected a system of at least " + HEADER);
            }
            MemorySegment all = channel.map(MapMode.READ_ONLY, 0, found, arena);
            long rows = all.getAtIndex(JAVA_LONG, 1);
            long nonZeros = all.getAtIndex(JAVA_LONG, 2);
            if (all.getAtIndex(JAVA_LONG, 0) != MAGIC || found != size(rows, nonZeros)) {
                throw new IOException(file + " has " + found + " bytes, expected a system of " + rows + " rows and "
                        + nonZeros + " non-zeros as this version writes it");
            }
            return new SystemFile(all, rows, nonZeros);
        }
    }

    /**
     * Returns the size of the system.
     *
     * @return its number of rows
     */
    public long rows() {
        return b.byteSize() / Double.BYTES;
    }

    /**
     * Returns where a row begins.
     *
     * @param row 0 to the number of rows
     * @return the number of entries before it
     */
    public long offset(long row) {
        return offsets.getAtIndex(JAVA_LONG, row);
    }

    /**
     * Returns a part of the right-hand side.
     *
     * @param from the first row
     * @param to   the row after the last
     * @return doubles; a view
     */
    public MemorySegment rightHandSide(long from, long to) {
        return b.asSlice(from * Double.BYTES, (to - from) * Double.BYTES);
    }

    /**
     * Returns the values of rows.
     *
     * @param from the first row
     * @param to   the row after the last
     * @return doubles; a view
     */
    public MemorySegment values(long from, long to) {
        return values.asSlice(offset(from) * Double.BYTES, (offset(to) - offset(from)) * Double.BYTES);
    }

    /**
     * Returns the column indices of rows.
     *
     * @param from the first row
     * @param to   the row after the last
     * @return ints; a view
     */
    public MemorySegment columns(long from, long to) {
        return columns.asSlice(offset(from) * Integer.BYTES, (offset(to) - offset(from)) * Integer.BYTES);
    }

    /**
     * Divides the rows so that every process has about as many entries, in whole blocks.
     *
     * @param part  the process
     * @param parts their number
     * @param block rows that belong together, a divisor of the number of rows
     * @return the first row of the process; for {@code part == parts} the number of rows
     */
    public long firstRow(int part, int parts, int block) {
        long wanted = offset(rows()) * part / parts;
        long low = 0;
        long high = rows() / block;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (offset(middle * block) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return part == parts ? rows() : low * block;
    }
}
