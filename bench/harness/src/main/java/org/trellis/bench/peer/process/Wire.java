package org.trellis.bench.peer.process;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Matrices and vectors between two processes, in pieces that buffers hold. */
final class Wire {
    private static final int PIECE = 1 << 17;

    private Wire() {}

    static void write(CsrMatrix matrix, DataOutputStream out) throws IOException {
        if (matrix.segments().size() != 1) {
            throw new IllegalArgumentException(
                    matrix + " has " + matrix.segments().size() + " segments, expected one: too large for peers");
        }
        CsrSegment segment = matrix.segments().getFirst();
        out.writeInt(matrix.rows());
        out.writeInt(matrix.columns());
        out.writeInt(segment.nonZeros());
        writeInts(segment.rowOffsets(), matrix.rows() + 1, out);
        writeInts(segment.columnIndices(), segment.nonZeros(), out);
        write(segment.values(), segment.nonZeros(), out);
    }

    static CsrMatrix readMatrix(DataInputStream in) throws IOException {
        int rows = in.readInt();
        int columns = in.readInt();
        int nonZeros = in.readInt();
        int[] offsets = readInts(rows + 1, in);
        int[] indices = readInts(nonZeros, in);
        return CsrMatrix.of(rows, columns, offsets, indices, readVector(in));
    }

    static void write(HostVector vector, DataOutputStream out) throws IOException {
        write(vector, vector.length(), out);
    }

    private static void write(HostVector vector, int length, DataOutputStream out) throws IOException {
        boolean wide = vector.precision() == Precision.F64;
        out.writeBoolean(wide);
        out.writeInt(length);
        ByteBuffer buffer = ByteBuffer.allocate(PIECE * Double.BYTES);
        for (int from = 0; from < length; from += PIECE) {
            int count = Math.min(PIECE, length - from);
            if (wide) {
                buffer.asDoubleBuffer().put(vector.doubleStorage(), vector.offset() + from, count);
            } else {
                buffer.asFloatBuffer().put(vector.floatStorage(), vector.offset() + from, count);
            }
            out.write(buffer.array(), 0, count * vector.precision().bytes());
        }
    }

    static HostVector readVector(DataInputStream in) throws IOException {
        boolean wide = in.readBoolean();
        int length = in.readInt();
        HostVector vector = HostVector.zeros(wide ? Precision.F64 : Precision.F32, length);
        ByteBuffer buffer = ByteBuffer.allocate(PIECE * Double.BYTES);
        for (int from = 0; from < length; from += PIECE) {
            int count = Math.min(PIECE, length - from);
            in.readFully(buffer.array(), 0, count * vector.precision().bytes());
            if (wide) {
                buffer.asDoubleBuffer().get(vector.doubleStorage(), from, count);
            } else {
                buffer.asFloatBuffer().get(vector.floatStorage(), from, count);
            }
        }
        return vector;
    }

    private static void writeInts(int[] values, int length, DataOutputStream out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(PIECE * Integer.BYTES);
        for (int from = 0; from < length; from += PIECE) {
            int count = Math.min(PIECE, length - from);
            buffer.asIntBuffer().put(values, from, count);
            out.write(buffer.array(), 0, count * Integer.BYTES);
        }
    }

    private static int[] readInts(int length, DataInputStream in) throws IOException {
        int[] values = new int[length];
        ByteBuffer buffer = ByteBuffer.allocate(PIECE * Integer.BYTES);
        for (int from = 0; from < length; from += PIECE) {
            int count = Math.min(PIECE, length - from);
            in.readFully(buffer.array(), 0, count * Integer.BYTES);
            buffer.asIntBuffer().get(values, from, count);
        }
        return values;
    }
}
