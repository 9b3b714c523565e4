package org.trellis.mesh.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The numbers of all steps of a run so far. What repeats itself takes hardly any room: chunks are compressed. */
final class StepSequence {
    private static final int CHUNK = 1 << 16;
    private static final int LOW_BITS = 0x7f;
    private static final int CONTINUATION_BIT = 0x80;
    private static final int SHIFT = 7;

    private final List<byte[]> chunks = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final byte[] tail = new byte[CHUNK];
    private int filled;
    private long steps;

    long steps() {
        return steps;
    }

    void add(int id) {
        int rest = id;
        while (rest > LOW_BITS) {
            put((rest & LOW_BITS) | CONTINUATION_BIT);
            rest >>>= SHIFT;
        }
        put(rest);
        steps++;
    }

    /** Adds several steps. */
    void add(int... ids) {
        for (int id : ids) {
            if (id > LOW_BITS || filled == CHUNK) {
                add(id);
            } else {
                tail[filled++] = (byte) id;
                steps++;
            }
        }
    }

    private void put(int value) {
        if (filled == CHUNK) {
            chunks.add(packed());
            lengths.add(filled);
            filled = 0;
        }
        tail[filled++] = (byte) value;
    }

    private byte[] packed() {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(tail, 0, filled);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] part = new byte[1 << 12];
            while (!deflater.finished()) {
                out.write(part, 0, deflater.deflate(part));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(steps);
        out.writeInt(chunks.size() + 1);
        for (int i = 0; i < chunks.size(); i++) {
            write(out, lengths.get(i), chunks.get(i));
        }
        write(out, filled, packed());
    }

    private static void write(DataOutput out, int length, byte[] packed) throws IOException {
        out.writeInt(length);
        out.writeInt(packed.length);
        out.write(packed);
    }

    /** Steps that another run has made, one after the other. */
    static final class Cursor {
        private final long steps;
        private final List<byte[]> chunks = new ArrayList<>();
        private final List<Integer> lengths = new ArrayList<>();
        private int chunk = -1;
        private byte[] now = new byte[0];
        private int next;

        Cursor(DataInput in) throws IOException {
            steps = in.readLong();
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                lengths.add(in.readInt());
                byte[] packed = new byte[in.readInt()];
                in.readFully(packed);
                chunks.add(packed);
            }
        }

        long steps() {
            return steps;
        }

        int next() {
            int id = 0;
            for (int shift = 0;; shift += SHIFT) {
                int value = take();
                id |= (value & LOW_BITS) << shift;
                if ((value & CONTINUATION_BIT) == 0) {
                    return id;
                }
            }
        }

        private int take() {
            while (next == now.length) {
                chunk++;
                now = unpacked(chunks.get(chunk), lengths.get(chunk));
                next = 0;
            }
            return now[next++];
        }

        private static byte[] unpacked(byte[] packed, int length) {
            Inflater inflater = new Inflater();
            try {
                byte[] plain = new byte[length];
                inflater.setInput(packed);
                int done = inflater.inflate(plain);
                if (done != length) {
                    throw new CheckpointException("steps of a checkpoint are " + done + " bytes, expected " + length);
                }
                return plain;
            } catch (DataFormatException e) {
                throw new CheckpointException("steps of a checkpoint cannot be unpacked", e);
            } finally {
                inflater.end();
            }
        }
    }
}
