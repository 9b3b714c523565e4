package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Numbers as bytes, for the messages of collective operations: written one after another, and read in the same order.
 * Bytes are in the order of the machine, which all ranks share.
 */
public final class Packet {
    private static final int FIRST_CAPACITY = 256;

    private ByteBuffer buffer;

    private Packet(ByteBuffer buffer) {
        this.buffer = buffer.order(ByteOrder.nativeOrder());
    }

    /** Starts an empty packet to be written. */
    public Packet() {
        this(FIRST_CAPACITY);
    }

    /**
     * Starts an empty packet to be written.
     *
     * @param capacity how many bytes are expected; any number works, and memory is taken once if it is right
     */
    public Packet(int capacity) {
        this(ByteBuffer.allocate(Math.max(1, capacity)));
    }

    /**
     * Opens a packet to be read.
     *
     * @param bytes what {@link #toBytes} returned; not copied
     * @return the packet, at its beginning
     */
    public static Packet of(byte[] bytes) {
        return new Packet(ByteBuffer.wrap(bytes));
    }

    private ByteBuffer room(long bytes) {
        if (buffer.remaining() < bytes) {
            int needed = Checks.arrayLength("packet", buffer.position() + bytes);
            int capacity = (int) Math.max(needed, Math.min(Checks.LONGEST_ARRAY, 2L * buffer.capacity()));
            buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), capacity)).order(ByteOrder.nativeOrder())
                    .position(buffer.position());
        }
        return buffer;
    }

    /**
     * Writes a number.
     *
     * @param value the number
     * @return this packet
     * @throws IllegalArgumentException if there is more than an array holds
     */
    public Packet put(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    /**
     * Writes a number.
     *
     * @param value the number
     * @return this packet
     * @throws IllegalArgumentException if there is more than an array holds
     */
    public Packet put(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /**
     * Appends several numbers.
     *
     * @param values an array
     * @param from   the first
     * @param count  how many
     * @return this packet
     * @throws IllegalArgumentException if the packet gets longer than an array
     */
    public Packet put(int[] values, int from, int count) {
        ByteBuffer target = room((long) count * Integer.BYTES);
        target.asIntBuffer().put(values, from, count);
        target.position(target.position() + count * Integer.BYTES);
        return this;
    }

    /**
     * Writes a part of an array.
     *
     * @param values the array
     * @param from   the first element
     * @param count  how many
     * @return this packet
     * @throws IllegalArgumentException if there is more than an array holds
     */
    public Packet put(long[] values, int from, int count) {
        ByteBuffer target = room((long) count * Long.BYTES);
        target.asLongBuffer().put(values, from, count);
        target.position(target.position() + count * Long.BYTES);
        return this;
    }

    /**
     * Writes elements of a vector.
     *
     * @param values the vector; written in its precision
     * @param from   the first element
     * @param count  how many
     * @return this packet
     * @throws IllegalArgumentException if there is more than an array holds
     */
    public Packet put(HostVector values, int from, int count) {
        int bytes = values.precision().bytes();
        ByteBuffer target = room((long) count * bytes);
        if (values.precision() == Precision.F64) {
            target.asDoubleBuffer().put(values.doubleStorage(), values.offset() + from, count);
        } else {
            target.asFloatBuffer().put(values.floatStorage(), values.offset() + from, count);
        }
        target.position(target.position() + count * bytes);
        return this;
    }

    /**
     * Returns what was written. The packet is not to be written any more.
     *
     * @return an array of that length
     */
    public byte[] toBytes() {
        return !buffer.hasRemaining() ? buffer.array() : Arrays.copyOf(buffer.array(), buffer.position());
    }

    /**
     * Says whether there is more to read.
     *
     * @return true if not all has been read
     */
    public boolean hasMore() {
        return buffer.hasRemaining();
    }

    /**
     * Reads a number.
     *
     * @return the next number
     */
    public int getInt() {
        return buffer.getInt();
    }

    /**
     * Reads a number.
     *
     * @return the next number
     */
    public long getLong() {
        return buffer.getLong();
    }

    /**
     * Reads several numbers.
     *
     * @param values where to
     * @param from   the place of the first
     * @param count  how many
     */
    public void get(int[] values, int from, int count) {
        buffer.asIntBuffer().get(values, from, count);
        buffer.position(buffer.position() + count * Integer.BYTES);
    }

    /**
     * Reads numbers.
     *
     * @param values where they go
     * @param from   the first element to be overwritten
     * @param count  how many
     */
    public void get(long[] values, int from, int count) {
        buffer.asLongBuffer().get(values, from, count);
        buffer.position(buffer.position() + count * Long.BYTES);
    }

    /**
     * Reads elements of a vector.
     *
     * @param values where they go; of the precision in which they were written
     * @param from   the first element to be overwritten
     * @param count  how many
     */
    public void get(HostVector values, int from, int count) {
        if (values.precision() == Precision.F64) {
            buffer.asDoubleBuffer().get(values.doubleStorage(), values.offset() + from, count);
        } else {
            buffer.asFloatBuffer().get(values.floatStorage(), values.offset() + from, count);
        }
        buffer.position(buffer.position() + count * values.precision().bytes());
    }
}
