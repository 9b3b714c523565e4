package org.trellis.cuda.mesh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;

/** The work of the blocks of threads that pack or unpack all messages of an exchange: a chunk of one part each. */
final class HaloChunks implements AutoCloseable {
    /** Values that a block moves. */
    static final int VALUES = 512;

    private static final int BYTES = 64;
    private static final int MESSAGE = 0;
    private static final int PLACES = 8;
    private static final int TURN_BYTES = 16;
    private static final int FLAG = 24;
    private static final int DONE = 32;
    private static final int FROM = 40;
    private static final int TO = 44;
    private static final int COMPONENTS = 48;
    private static final int OPERAND = 52;
    private static final int SIZE = 56;
    private static final int BLOCKS = 60;

    /**
     * Where a message is on the device.
     *
     * @param address   the message
     * @param turnBytes how far further that of every other exchange is
     * @param flag      where it is said that the message is there, or 0
     */
    record Place(long address, long turnBytes, long flag) {}

    private final List<CudaBuffer> places = new ArrayList<>();
    private final CudaBuffer table;
    private final CudaBuffer done;
    private final int count;

    /**
     * Copies the table to the device.
     *
     * @param context  where
     * @param parcels  the messages
     * @param messages where each is
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    HaloChunks(CudaContext context, List<HaloParcel> parcels, List<Place> messages) {
        int chunks = parcels.stream().mapToInt(HaloChunks::blocks).sum();
        count = chunks;
        done = context.zeros(Math.max(1, parcels.size()) * (long) Integer.BYTES);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(Math.max(1, (long) chunks * BYTES), Long.BYTES);
            long at = 0;
            for (int i = 0; i < messages.size(); i++) {
                long first = at;
                for (HaloPart part : parcels.get(i).parts()) {
                    at = fill(block, at, context, messages.get(i), part);
                }
                for (long chunk = first; chunk < at; chunk += BYTES) {
                    block.set(ValueLayout.JAVA_LONG, chunk + DONE, done.address() + (long) i * Integer.BYTES);
                    block.set(ValueLayout.JAVA_INT, chunk + BLOCKS, blocks(parcels.get(i)));
                }
            }
            table = context.upload(block);
        }
    }

    private static int blocks(HaloParcel parcel) {
        return parcel.parts().stream().mapToInt(part -> Math.ceilDiv(values(part), VALUES)).sum();
    }

    private static int values(HaloPart part) {
        return Math.multiplyExact(part.places().length, part.components());
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private long fill(MemorySegment block, long first, CudaContext context, Place message, HaloPart part) {
        if (part.places().length == 0) {
            return first;
        }
        CudaBuffer list = context.upload(MemorySegment.ofArray(part.places()));
        places.add(list);
        long at = first;
        for (int from = 0; from < values(part); from += VALUES) {
            block.set(ValueLayout.JAVA_LONG, at + MESSAGE, message.address() + part.offset());
            block.set(ValueLayout.JAVA_LONG, at + TURN_BYTES, message.turnBytes());
            block.set(ValueLayout.JAVA_LONG, at + FLAG, message.flag());
            block.set(ValueLayout.JAVA_LONG, at + PLACES, list.address());
            block.set(ValueLayout.JAVA_INT, at + FROM, from);
            block.set(ValueLayout.JAVA_INT, at + TO, Math.min(from + VALUES, values(part)));
            block.set(ValueLayout.JAVA_INT, at + COMPONENTS, part.components());
            block.set(ValueLayout.JAVA_INT, at + OPERAND, part.operand());
            block.set(ValueLayout.JAVA_INT, at + SIZE, part.type().bytes());
            at += BYTES;
        }
        return at;
    }

    int count() {
        return count;
    }

    long address() {
        return table.address();
    }

    @Override
    public void close() {
        places.forEach(CudaBuffer::close);
        done.close();
        table.close();
    }
}
