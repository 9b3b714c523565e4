package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import org.trellis.mesh.device.HostStorage;

/** The part of a message that has values of one dat: copies them out of its memory or into it. Allocates nothing. */
final class HaloTransfer {
    private final LocalDat dat;
    private final int[] places;
    private final DoubleBuffer doubles;
    private final FloatBuffer floats;
    private final IntBuffer ints;

    /**
     * Makes a part of a message.
     *
     * @param dat    the dat
     * @param places the elements
     * @param memory the message
     * @param from   the first byte
     */
    HaloTransfer(LocalDat dat, int[] places, ByteBuffer memory, int from) {
        this.dat = dat;
        this.places = places;
        ByteBuffer part = memory.slice(from, bytes(dat, places)).order(ByteOrder.nativeOrder());
        this.doubles = part.asDoubleBuffer();
        this.floats = part.asFloatBuffer();
        this.ints = part.asIntBuffer();
    }

    /** Returns the size of values. */
    static int bytes(LocalDat dat, int[] places) {
        return Math.multiplyExact(places.length, dat.dat().components() * dat.dat().type().bytes());
    }

    void pack() {
        HostStorage storage = dat.storage();
        switch (storage.type()) {
            case F64 -> pack((double[]) storage.array());
            case F32 -> pack((float[]) storage.array());
            case INT -> pack((int[]) storage.array());
        }
    }

    void unpack() {
        HostStorage storage = dat.storage();
        switch (storage.type()) {
            case F64 -> unpack((double[]) storage.array());
            case F32 -> unpack((float[]) storage.array());
            case INT -> unpack((int[]) storage.array());
        }
    }

    private void pack(double[] values) {
        int components = dat.dat().components();
        int stride = dat.dat().elementStride();
        int step = dat.dat().componentStride();
        int at = 0;
        for (int place : places) {
            for (int c = 0; c < components; c++) {
                doubles.put(at++, values[place * stride + c * step]);
            }
        }
    }

    private void unpack(double[] values) {
        int components = dat.dat().components();
        int stride = dat.dat().elementStride();
        int step = dat.dat().componentStride();
        int at = 0;
        for (int place : places) {
            for (int c = 0; c < components; c++) {
                values[place * stride + c * step] = doubles.get(at++);
            }
        }
    }

    private void pack(float[] values) {
        int components = dat.dat().components();
        int stride = dat.dat().elementStride();
        int step = dat.dat().componentStride();
        int at = 0;
        for (int place : places) {
            for (int c = 0; c < components; c++) {
                floats.put(at++, values[place * stride + c * step]);
            }
        }
    }

    private void unpack(float[] values) {
        int components = dat.dat().components();
        int stride = dat.dat().elementStride();
        int step = dat.dat().componentStride();
        int at = 0;
        for (int place : places) {
            for (int c = 0; c < components; c++) {
                values[place * stride + c * step] = floats.get(at++);
            }
        }
    }

    private void pack(int[] values) {
        int components = dat.dat().components();
        int stride = dat.dat().elementStride();
        int step = dat.dat().componentStride();
        int at = 0;
        for (int place : places) {
            for (int c = 0; c < components; c++) {
                ints.put(at++, values[place * stride + c * step]);
            }
        }
    }

    private void unpack(int[] values) {
        int components = dat.dat().components();
        int stride = dat.dat().elementStride();
        int step = dat.dat().componentStride();
        int at = 0;
        for (int place : places) {
            for (int c = 0; c < components; c++) {
                values[place * stride + c * step] = ints.get(at++);
            }
        }
    }
}
