package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;

/** The values of a dat in device memory. They come to the host when asked for, through page-locked buffers. */
final class CudaDatStorage implements DatStorage {
    private final CudaContext context;
    private final ScalarType type;
    private final int length;
    private final CudaVector reals;
    private final CudaBuffer buffer;
    /** Where the values begin in the buffer, in bytes. */
    private final long begin;
    private final boolean owned;

    /** Makes storage of a vector's memory, or of a part of it, which the vector goes on owning. */
    CudaDatStorage(CudaContext context, CudaVector vector) {
        this.context = context;
        this.type = ScalarType.of(vector.precision());
        this.length = vector.length();
        this.reals = vector;
        this.buffer = vector.buffer();
        this.begin = vector.address() - buffer.address();
        this.owned = false;
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaDatStorage(CudaContext context, ScalarType type, int length) {
        this.context = context;
        this.type = type;
        this.length = length;
        this.begin = 0;
        this.owned = true;
        if (type.real()) {
            reals = context.vector(type.precision(), length);
            buffer = reals.buffer();
        } else {
            reals = null;
            buffer = context.zeros((long) length * type.bytes());
        }
    }

    long address() {
        return buffer.address() + begin;
    }

    @Override
    public ScalarType type() {
        return type;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public MemorySpace space() {
        return context.space();
    }

    @Override
    public double get(int index) {
        HostStorage one = HostStorage.zeros(type, 1);
        buffer.copyTo(segment(one), begin + (long) index * type.bytes());
        return one.get(0);
    }

    @Override
    public void set(int index, double value) {
        HostStorage one = HostStorage.zeros(type, 1);
        one.set(0, value);
        buffer.copyFrom(segment(one), begin + (long) index * type.bytes());
    }

    @Override
    public HostStorage toHost() {
        HostStorage copy = HostStorage.zeros(type, length);
        buffer.copyTo(segment(copy), begin);
        return copy;
    }

    @Override
    public void copyTo(HostStorage target) {
        requireSame("target", target);
        buffer.copyTo(segment(target), begin);
    }

    private void requireSame(String what, HostStorage other) {
        if (other.type() != type || other.length() != length) {
            throw new IllegalArgumentException(what + " is " + other + ", expected " + this);
        }
    }

    @Override
    public void copyFrom(HostStorage source) {
        requireSame("source", source);
        buffer.copyFrom(segment(source), begin);
    }

    private static MemorySegment segment(HostStorage storage) {
        return switch (storage.array()) {
            case double[] doubles -> MemorySegment.ofArray(doubles);
            case float[] floats -> MemorySegment.ofArray(floats);
            case int[] ints -> MemorySegment.ofArray(ints);
            default -> throw new IllegalStateException("unexpected array of " + storage);
        };
    }

    @Override
    public Optional<DenseVector> vector() {
        return Optional.ofNullable(reals);
    }

    @Override
    public void close() {
        if (owned) {
            buffer.close();
        }
    }

    @Override
    public String toString() {
        return "storage of " + length + " " + type.label() + " on " + context.space();
    }
}
