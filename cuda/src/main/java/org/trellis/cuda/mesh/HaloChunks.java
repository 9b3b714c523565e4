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

    private static final int BYTES = 40;
    private static final int MESSAGE = 0;
    private static final int PLACES = 8;
    private static final int FROM = 16;
    private static final int TO = 20;
    private static final int COMPONENTS = 24;
    private static final int OPERAND = 28;
    private static final int SIZE = 32;

    private final List<CudaBuffer> places = new ArrayList<>();
    private final CudaBuffer table;
    private final int count;

    /**
     * Copies the table to the device.
     *
     * @param context  where
     * @param parcels  the messages
     * @param messages where each is, a device address
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    HaloChunks(CudaContext context, List<HaloParcel> parcels, long[] messages) {
        int chunks = 0;
        for (HaloParcel parcel : parcels) {
            for (HaloPart part : parcel.parts()) {
                chunks += Math.ceilDiv(values(part), VALUES);
            }
        }
        count = chunks;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(Math.max(1, (long) chunks * BYTES), Long.BYTES);
            long at = 0;
            for (int i = 0; i < messages.length; i++) {
                for (HaloPart part : parcels.get(i).parts()) {
                    at = fill(block, at, context, messages[i], part);
                }
            }
            table = context.upload(block);
        }
    }

    private static int values(HaloPart part) {
        return Math.multiplyExact(part.places().length, part.components());
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private long fill(MemorySegment block, long first, CudaContext context, long message, HaloPart part) {
        if (part.places().length == 0) {
            return first;
        }
        CudaBuffer list = context.upload(MemorySegment.ofArray(part.places()));
        places.add(list);
        long at = first;
        for (int from = 0; from < values(part); from += VALUES) {
            block.set(ValueLayout.JAVA_LONG, at + MESSAGE, message + part.offset());
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
        table.close();
    }
}
