package org.trellis.mesh.checkpoint;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.trellis.mesh.device.ScalarType;

/**
 * Something that the program has read, in the log beside a checkpoint.
 *
 * @param step      how many steps had been run
 * @param kind      what was read
 * @param name      the name of the dat, global or scalars
 * @param element   for {@link Kind#VALUE} the element, else 0
 * @param component for {@link Kind#VALUE} the component, else 0
 * @param type      how the values are stored
 * @param values    what the program saw
 */
record LogRecord(long step, Kind kind, String name, int element, int component, ScalarType type, double... values) {
    /** What was read. */
    enum Kind {
        /** All components of a global. */
        GLOBAL,
        /** All scalars of a declaration. */
        SCALARS,
        /** All values of a dat, in the user's order. */
        DAT,
        /** One value of a dat. */
        VALUE
    }

    /** Says what was read, for messages. */
    String what() {
        return switch (kind) {
            case GLOBAL -> "global '" + name + "'";
            case SCALARS -> "scalars '" + name + "'";
            case DAT -> "dat '" + name + "'";
            case VALUE -> "component " + component + " of element " + element + " of dat '" + name + "'";
        } + " after " + step + " steps";
    }

    /** Says whether another record is of the same reading. */
    boolean sameReading(LogRecord other) {
        return step == other.step && kind == other.kind && name.equals(other.name) && element == other.element
                && component == other.component && values.length == other.values.length;
    }

    /** Returns length, contents and checksum. */
    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(step);
            out.writeByte(kind.ordinal());
            out.writeUTF(name);
            out.writeInt(element);
            out.writeInt(component);
            out.writeByte(type.ordinal());
            out.writeInt(values.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] head = bytes.toByteArray();
        int length = Math.toIntExact(head.length + (long) values.length * type.bytes());
        ByteBuffer all = ByteBuffer.allocate(Math.addExact(length, 2 * Integer.BYTES)).putInt(length).put(head);
        for (double value : values) {
            switch (type) {
                case F64 -> all.putDouble(value);
                case F32 -> all.putFloat((float) value);
                case INT -> all.putInt((int) value);
            }
        }
        CRC32C sum = new CRC32C();
        sum.update(all.array(), 0, all.position());
        return all.putInt((int) sum.getValue()).array();
    }

    /**
     * Reads what {@link #toBytes} has written, without length and checksum.
     *
     * @throws IOException if it ends too early
     */
    static LogRecord of(byte[] contents) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(contents));
        long step = in.readLong();
        Kind kind = Kind.values()[in.readByte()];
        String name = in.readUTF();
        int element = in.readInt();
        int component = in.readInt();
        ScalarType type = ScalarType.values()[in.readByte()];
        double[] values = new double[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (type) {
                case F64 -> in.readDouble();
                case F32 -> in.readFloat();
                case INT -> in.readInt();
            };
        }
        return new LogRecord(step, kind, name, element, component, type, values);
    }
}
