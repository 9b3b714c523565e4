package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.BoundVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.Numbering;

/**
 * A vector in device memory. It starts at a multiple of 256 bytes, so wide loads are aligned, unless it is a part of
 * another vector that begins elsewhere.
 */
public final class CudaVector extends BoundVector {
    private final CudaBuffer buffer;
    private final Precision precision;

    CudaVector(CudaContext context, Precision precision, int length) {
        super(length);
        this.precision = precision;
        this.buffer = new CudaBuffer(context, (long) length * precision.bytes(),
                "vector of " + length + " " + precision.label() + " on " + context.name());
        try {
            buffer.clear();
        } catch (RuntimeException e) {
            buffer.close();
            throw e;
        }
    }

    private CudaVector(CudaVector parent, int from, int count, Numbering bound) {
        super(parent, from, count, bound);
        this.precision = parent.precision;
        this.buffer = parent.buffer;
    }

    /**
     * Returns the elements of a vector on the host as memory.
     *
     * @param vector the vector
     * @return its part of its array, not a copy
     * @throws IllegalStateException if the vector's numbering is not current any more
     */
    public static MemorySegment memoryOf(HostVector vector) {
        boolean isDouble = vector.precision() == Precision.F64;
        MemorySegment array =
                isDouble ? MemorySegment.ofArray(vector.doubleStorage()) : MemorySegment.ofArray(vector.floatStorage());
        long bytes = vector.precision().bytes();
        return array.asSlice(vector.offset() * bytes, vector.length() * bytes);
    }

    /**
     * Returns where the elements are.
     *
     * @return the device address of element 0
     * @throws IllegalStateException if the vector is closed or its numbering is not current any more
     */
    public long address() {
        requireCurrent();
        return buffer.address() + byteOffset();
    }

    private long byteOffset() {
        return (long) offset() * precision.bytes();
    }

    /**
     * Returns the memory that holds the elements, of a part that of the whole vector.
     *
     * @return the buffer itself; closed with the vector that owns it
     */
    public CudaBuffer buffer() {
        return buffer;
    }

    @Override
    public Precision precision() {
        return precision;
    }

    @Override
    public MemorySpace space() {
        return buffer.context().space();
    }

    @Override
    public void copyFrom(HostVector source) {
        requireCurrent();
        buffer.copyFrom(elements("source", source), byteOffset());
    }

    @Override
    public void copyTo(HostVector target) {
        requireCurrent();
        buffer.copyTo(elements("target", target), byteOffset());
    }

    /**
     * Queues a copy from a vector of the same context.
     *
     * @param source the source, of the same length and precision
     * @throws IllegalArgumentException if length or precision differ
     */
    public void copyFrom(CudaVector source) {
        Checks.length("source length", source.length(), length());
        requirePrecision("source", source.precision);
        buffer.context().copyOnDevice(address(), source.address(), (long) length() * precision.bytes());
    }

    private MemorySegment elements(String name, HostVector vector) {
        Checks.length(name + " length", vector.length(), length());
        requirePrecision(name, vector.precision());
        return memoryOf(vector);
    }

    private void requirePrecision(String name, Precision other) {
        if (other != precision) {
            throw new IllegalArgumentException(name + " precision is " + other.label() + ", expected "
                    + precision.label());
        }
    }

    @Override
    public CudaVector part(int from, int count) {
        return new CudaVector(this, from, count, null);
    }

    @Override
    public CudaVector view(Numbering bound) {
        return new CudaVector(this, 0, length(), Objects.requireNonNull(bound));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // one buffer is what is asked about
    public boolean overlaps(DenseVector other) {
        return other instanceof CudaVector vector && vector.buffer == buffer && rangeMeets(vector);
    }

    @Override
    public void close() {
        if (isWhole()) {
            buffer.close();
        }
    }

    @Override
    public String toString() {
        return (isWhole() ? "" : "view of a ") + "vector of " + length() + " " + precision.label() + " on " + space();
    }
}
