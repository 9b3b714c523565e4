package org.trellis.mesh.checkpoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    /** Bytes besides the name and the values. */
    private static final int HEAD = Long.BYTES + 2 + 4 * Integer.BYTES;

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

    /** Returns how many bytes {@link #write} writes. */
    int bytes(byte... letters) {
        return Math.toIntExact(2L * Integer.BYTES + HEAD + letters.length + (long) values.length * type.bytes());
    }

    /**
     * Writes length, contents and room for a checksum, which {@link #seal} fills in. Programs read globals often: this
     * takes little time and no memory.
     *
     * @param all     where to, a buffer of an array
     * @param letters the name in UTF-8
     */
    void write(ByteBuffer all, byte... letters) {
        all.putInt(bytes(letters) - 2 * Integer.BYTES);
        all.putLong(step).put((byte) Codes.of(kind)).putInt(letters.length).put(letters).putInt(element)
                .putInt(component).put((byte) Codes.of(type)).putInt(values.length);
        for (double value : values) {
            switch (type) {
                case F64 -> all.putDouble(value);
                case F32 -> all.putFloat((float) value);
                case INT -> all.putInt((int) value);
            }
        }
        all.putInt(0);
    }

    /**
     * Fills in the checksums of records.
     *
     * @param records what {@link #write} has written, whole
     */
    static void seal(byte[] records) {
        ByteBuffer all = ByteBuffer.wrap(records);
        CRC32C sum = new CRC32C();
        for (int start = 0; start < records.length;) {
            int end = start + Integer.BYTES + all.getInt(start);
            sum.reset();
            sum.update(records, start, end - start);
            all.putInt(end, (int) sum.getValue());
            start = end + Integer.BYTES;
        }
    }

    /** Reads what {@link #write} has written, without length and checksum, which has been compared. */
    static LogRecord of(byte[] contents) {
        ByteBuffer in = ByteBuffer.wrap(contents);
        long step = in.getLong();
        Kind kind = Codes.kind(in.get());
        byte[] letters = new byte[in.getInt()];
        in.get(letters);
        int element = in.getInt();
        int component = in.getInt();
        ScalarType type = Codes.type(in.get());
        double[] values = new double[in.getInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (type) {
                case F64 -> in.getDouble();
                case F32 -> in.getFloat();
                case INT -> in.getInt();
            };
        }
        return new LogRecord(step, kind, new String(letters, StandardCharsets.UTF_8), element, component, type,
                values);
    }
}
