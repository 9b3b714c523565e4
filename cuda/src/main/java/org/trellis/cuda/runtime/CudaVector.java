package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;

/** A vector in device memory. It starts at a multiple of 256 bytes, so wide loads are aligned. */
public final class CudaVector implements DenseVector {
    private final CudaBuffer buffer;
    private final Precision precision;
    private final int length;

    CudaVector(CudaContext context, Precision precision, int length) {
        Checks.notNegative("vector length", length);
        this.precision = precision;
        this.length = length;
        this.buffer = new CudaBuffer(context, (long) length * precision.bytes(),
                "vector of " + length + " " + precision.label() + " on " + context.name());
        buffer.clear();
    }

    /**
     * Returns where the elements are.
     *
     * @return the device address of element 0
     * @throws IllegalStateException if the vector is closed
     */
    public long address() {
        return buffer.address();
    }

    /**
     * Returns the memory that holds the elements.
     *
     * @return the buffer itself; closed with the vector
     */
    public CudaBuffer buffer() {
        return buffer;
    }

    @Override
    public int length() {
        return length;
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
        buffer.copyFrom(elements("source", source));
    }

    @Override
    public void copyTo(HostVector target) {
        buffer.copyTo(elements("target", target));
    }

    /**
     * Queues a copy from a vector of the same context.
     *
     * @param source the source, of the same length and precision
     * @throws IllegalArgumentException if length or precision differ
     */
    public void copyFrom(CudaVector source) {
        Checks.length("source length", source.length, length);
        requirePrecision("source", source.precision);
        buffer.copyFrom(source.buffer);
    }

    private MemorySegment elements(String name, HostVector vector) {
        Checks.length(name + " length", vector.length(), length);
        requirePrecision(name, vector.precision());
        return precision == Precision.F64
                ? MemorySegment.ofArray(vector.doubles())
                : MemorySegment.ofArray(vector.floats());
    }

    private void requirePrecision(String name, Precision other) {
        if (other != precision) {
            throw new IllegalArgumentException(name + " precision is " + other.label() + ", expected "
                    + precision.label());
        }
    }

    @Override
    public void close() {
        buffer.close();
    }

    @Override
    public String toString() {
        return "vector of " + length + " " + precision.label() + " on " + space();
    }
}
