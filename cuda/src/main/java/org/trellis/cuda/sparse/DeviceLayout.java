package org.trellis.cuda.sparse;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.memory.HostVector;

/**
 * A matrix on the device, laid out for one family of kernels: buffers, and the arguments that kernels take after the
 * scalars and vectors. Shared by the operators that use it and freed when the last of them lets go.
 */
final class DeviceLayout {
    private final CudaContext context;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private final List<Argument> arguments = new ArrayList<>();
    private CudaBuffer values;
    private CudaBuffer valueMap;
    private int[] hostMap;
    private boolean permuted;
    private boolean stencil;
    private int users = 1;
    private long borrowedBytes;
    private int units;
    private int splitRows;
    private CudaBuffer hot;
    private int hotCount;

    /** An argument of a kernel: an address if {@code address}, else an {@code int}. */
    private record Argument(boolean address, long value) {}

    DeviceLayout(CudaContext context) {
        this.context = context;
    }

    /** Copies memory to the device and makes it the next argument. */
    DeviceLayout upload(MemorySegment source) {
        @SuppressWarnings("MustBeClosed") // closed with this
        CudaBuffer buffer = context.upload(source);
        buffers.add(buffer);
        return address(buffer.address());
    }

    /** Copies values, in the order of compressed rows or another, and makes them the next argument. */
    DeviceLayout uploadValues(MemorySegment source, boolean inOtherOrder) {
        upload(source);
        return valuesAreLast(inOtherOrder);
    }

    /** Says that the last buffer holds the values. */
    DeviceLayout valuesAreLast(boolean inOtherOrder) {
        values = buffers.getLast();
        permuted = inOtherOrder;
        return this;
    }

    /** Says that all chunks are stencils, whose values stand for several entries and cannot be replaced here. */
    DeviceLayout ofStencils() {
        stencil = true;
        return this;
    }

    boolean isStencil() {
        return stencil;
    }

    /** Says whether a refill needs to know first where each value goes. */
    boolean needsValueMap() {
        return permuted && valueMap == null;
    }

    /** Keeps where each value comes from; negative is padding. */
    @SuppressWarnings("MustBeClosed") // closed with this
    void keepValueMap(int[] source) {
        valueMap = context.upload(MemorySegment.ofArray(source));
        hostMap = source;
        buffers.add(valueMap);
    }

    /** Takes other values in the order of compressed rows from the device's memory. */
    void refill(CudaVector source, CudaElementKernels elements) {
        if (permuted) {
            elements.refill(source.precision(), source.address(), valueMap, values, hostMap.length);
        } else {
            context.copyOnDevice(values.address(), source.address(),
                    (long) source.length() * source.precision().bytes());
        }
    }

    /** Brings the values to the host in the order of compressed rows, after a refill. */
    HostVector fetch(Precision precision, int count) {
        HostVector fetched = HostVector.zeros(precision, count);
        HostVector stored = HostVector.zeros(precision, permuted ? hostMap.length : count);
        values.copyTo(CudaVector.memoryOf(stored));
        if (!permuted) {
            return stored;
        }
        for (int i = 0; i < hostMap.length; i++) {
            if (hostMap[i] >= 0) {
                stored.copyRange(i, fetched, hostMap[i], 1);
            }
        }
        return fetched;
    }

    /** Makes integers on the device the next argument. */
    DeviceLayout upload(int[] source) {
        return upload(MemorySegment.ofArray(source));
    }

    /** Makes zeroed device memory the next argument. */
    DeviceLayout zeros(long bytes) {
        @SuppressWarnings("MustBeClosed") // closed with this
        CudaBuffer buffer = context.zeros(bytes);
        buffers.add(buffer);
        return address(buffer.address());
    }

    /** Makes a buffer of which this takes ownership the next argument. */
    DeviceLayout own(CudaBuffer buffer) {
        buffers.add(buffer);
        return address(buffer.address());
    }

    /** Makes a buffer that is another owner's, and must not be written to, the next argument. */
    DeviceLayout borrow(CudaBuffer buffer) {
        borrowedBytes += buffer.bytes();
        return address(buffer.address());
    }

    /** Makes a null pointer the next argument. */
    DeviceLayout none() {
        return address(0);
    }

    private DeviceLayout address(long value) {
        arguments.add(new Argument(true, value));
        return this;
    }

    /** Makes a number the next argument. */
    DeviceLayout number(int value) {
        arguments.add(new Argument(false, value));
        return this;
    }

    /** Says how many chunks, tiles or rows there are, and how many rows are in pieces. */
    DeviceLayout counted(int newUnits, int newSplitRows) {
        this.units = newUnits;
        this.splitRows = newSplitRows;
        return this;
    }

    /** Copies the list of hot columns to the device. It is no argument of the product. */
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceLayout hot(int[] columns) {
        hot = context.upload(MemorySegment.ofArray(columns));
        buffers.add(hot);
        hotCount = columns.length;
        return this;
    }

    CudaBuffer hot() {
        return hot;
    }

    int hotCount() {
        return hotCount;
    }

    /** Returns the value of an argument. */
    long argument(int number) {
        return arguments.get(number).value;
    }

    int units() {
        return units;
    }

    int splitRows() {
        return splitRows;
    }

    int argumentCount() {
        return arguments.size();
    }

    /** Sets the arguments of a launch from a given one on. */
    void bind(KernelLaunch launch, int first) {
        for (int i = 0; i < arguments.size(); i++) {
            Argument argument = arguments.get(i);
            if (argument.address) {
                launch.setAddress(first + i, argument.value);
            } else {
                launch.setInt(first + i, (int) argument.value);
            }
        }
    }

    /** Returns the memory that a product reads, without what refills need. */
    long bytes() {
        return borrowedBytes
                + buffers.stream().filter(buffer -> buffer != valueMap).mapToLong(CudaBuffer::bytes).sum();
    }

    DeviceLayout retain() {
        users++;
        return this;
    }

    /** Says whether values may be replaced here: they stand for one entry each, and no other operator has them. */
    boolean takesValues() {
        return !stencil && users == 1 && borrowedBytes == 0;
    }

    boolean isFreed() {
        return users == 0;
    }

    void release() {
        if (--users == 0) {
            buffers.forEach(CudaBuffer::close);
        }
    }
}
