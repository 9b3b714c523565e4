package org.trellis.matrices.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Numbers of any type from and to bytes. */
final class NumberBytes {
    private static final double TWO_TO_63 = 0x1p63;

    private NumberBytes() {}

    /** Decodes numbers. */
    static double[] decode(byte[] bytes, int from, int count, NumberType type, ByteOrder order) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, from, count * type.bytes()).order(order);
        double[] values = new double[count];
        switch (type) {
            case INT8 -> Arrays.setAll(values, i -> buffer.get());
            case UINT8 -> Arrays.setAll(values, i -> buffer.get() & 0xFF);
            case INT16 -> Arrays.setAll(values, i -> buffer.getShort());
            case UINT16 -> Arrays.setAll(values, i -> buffer.getShort() & 0xFFFF);
            case INT32 -> Arrays.setAll(values, i -> buffer.getInt());
            case UINT32 -> Arrays.setAll(values, i -> Integer.toUnsignedLong(buffer.getInt()));
            case INT64 -> Arrays.setAll(values, i -> buffer.getLong());
            case UINT64 -> Arrays.setAll(values, i -> unsigned(buffer.getLong()));
            case FLOAT32 -> Arrays.setAll(values, i -> buffer.getFloat());
            case FLOAT64 -> buffer.asDoubleBuffer().get(values);
        }
        return values;
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }

    /** Finds the first number that a text has and its type does not; -1 if there is none. */
    static int firstUnfit(double[] values, NumberType type) {
        if (type == NumberType.FLOAT64) {
            return -1;
        }
        double start = start(type);
        double end = end(type);
        // Of 64 bits, doubles beyond the largest integer are the nearest ones to it.
        double last = type.bytes() == Long.BYTES ? end : end - 1;
        for (int i = 0; i < values.length; i++) {
            double value = values[i];
            boolean fits = type == NumberType.FLOAT32
                    ? !Float.isInfinite((float) value) || Double.isInfinite(value)
                    : value >= start && value <= last && value == Math.rint(value);
            if (!fits) {
                return i;
            }
        }
        return -1;
    }

    private static double start(NumberType type) {
        return type.name().startsWith("U") ? 0 : -end(type);
    }

    /** The least power of two that an integer type has not. */
    private static double end(NumberType type) {
        return Math.scalb(1.0, 8 * type.bytes() - (type.name().startsWith("U") ? 0 : 1));
    }

    /** Rounds numbers that were written in single precision to what they stand for; returns the array itself. */
    static double[] round(double[] values, NumberType type) {
        for (int i = 0; type == NumberType.FLOAT32 && i < values.length; i++) {
            values[i] = (float) values[i];
        }
        return values;
    }

    /** Encodes numbers; integers are rounded, and must fit. */
    static byte[] encode(double[] values, NumberType type, ByteOrder order) {
        ByteBuffer buffer = ByteBuffer.allocate(Math.multiplyExact(values.length, type.bytes())).order(order);
        for (double value : values) {
            switch (type) {
                case FLOAT64 -> buffer.putDouble(value);
                case FLOAT32 -> buffer.putFloat((float) value);
                case INT8, UINT8 -> buffer.put((byte) integer(value, type));
                case INT16, UINT16 -> buffer.putShort((short) integer(value, type));
                case INT32, UINT32 -> buffer.putInt((int) integer(value, type));
                case INT64, UINT64 -> buffer.putLong(integer(value, type));
            }
        }
        return buffer.array();
    }

    /** Returns an integer as the bits of a type. */
    static long integer(double value, NumberType type) {
        double rounded = Math.rint(value);
        double start = start(type);
        double end = end(type);
        if (rounded == end && type.bytes() == Long.BYTES) {
            // What the largest integer of 64 bits is rounded to when it is read.
            return type == NumberType.UINT64 ? -1 : Long.MAX_VALUE;
        }
        if (!(rounded >= start && rounded < end)) {
            throw new IllegalArgumentException("value is " + value + ", expected a number that " + type
                    + " can hold, " + start + " to " + end);
        }
        return rounded >= TWO_TO_63 ? (long) (rounded / 2) << 1 : (long) rounded;
    }

    /** Appends a number as text from which the same bits come back. */
    static void append(StringBuilder text, double value, NumberType type) {
        if (type == NumberType.FLOAT32) {
            text.append((float) value);
        } else if (type.isReal()) {
            text.append(value);
        } else {
            long bits = integer(value, type);
            text.append(type == NumberType.UINT64 ? Long.toUnsignedString(bits) : Long.toString(bits));
        }
    }
}
