package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.device.DatStorage;

/** What a prepared loop holds on the device, and where the loop's data are. */
final class LoopMemory implements LoopOperands.Addresses, AutoCloseable {
    private final CudaContext context;
    private final LoopDeclaration loop;
    private final DeviceArrays arrays;
    private final Contributions contributions;
    private final List<Object> retained = new ArrayList<>();
    private final List<CudaBuffer> columnTables = new ArrayList<>();
    private final Map<Integer, CudaBuffer> stored = new LinkedHashMap<>();
    private final Map<Integer, CudaBuffer> partials = new LinkedHashMap<>();
    private final CudaGlobals globals;
    private final CudaGlobal[] used;
    private CudaBuffer counter;
    private int blocks;
    /** What has the memory of contributions; null if this has. */
    private LoopMemory lender;

    LoopMemory(CudaContext context, LoopDeclaration loop, DeviceArrays arrays, CudaGlobals globals,
            Contributions contributions) {
        this.context = context;
        this.loop = loop;
        this.arrays = arrays;
        this.globals = globals;
        this.contributions = contributions;
        this.used = new CudaGlobal[loop.arity()];
        for (int a = 0; a < used.length; a++) {
            used[a] = loop.argument(a) instanceof Global global ? globals.retain(global) : null;
        }
    }

    /** Stores contributions where another loop does, unless there is none. */
    void borrow(LoopMemory other) {
        lender = other;
    }

    /** Returns an argument that is a global, or null. */
    CudaGlobal global(int argument) {
        return used[argument];
    }

    /** Sets the number of blocks that leave partial results. */
    void blocks(int count) {
        this.blocks = count;
    }

    @Override
    public long of(Object array) {
        long address = arrays.retain(array);
        retained.add(array);
        return address;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public long table(List<int[]> columns) {
        long[] table = columns.stream().mapToLong(this::of).toArray();
        CudaBuffer buffer = context.upload(MemorySegment.ofArray(table));
        columnTables.add(buffer);
        return buffer.address();
    }

    @Override
    public long texture(float[] values, int columns, int rows) {
        long object = arrays.retainTexture(values, columns, rows);
        retained.add(values);
        return object;
    }

    @Override
    public long of(Dat dat) {
        DatStorage storage = dat.storage();
        if (storage instanceof CudaDatStorage device) {
            return device.address();
        }
        throw new IllegalArgumentException(dat + " has " + storage + ", expected storage of the cuda backend");
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public long contributions(int argument) {
        return lender != null
                ? lender.contributions(argument)
                : stored.computeIfAbsent(argument, a -> context
                        .buffer(contributions.length(a) * loop.dat(a).type().bytes())).address();
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public long partials(int argument) {
        int components = loop.signature(argument).components();
        return partials.computeIfAbsent(argument, a -> context.buffer((long) Math.max(1, blocks) * components
                * Double.BYTES)).address();
    }

    @Override
    public long value(int argument) {
        return loop.argument(argument) instanceof Scalar scalar ? address(scalar) : used[argument].valueAddress();
    }

    @Override
    public long result(int argument) {
        return loop.argument(argument) instanceof Scalar scalar ? address(scalar) : used[argument].resultAddress();
    }

    /** Returns where a scalar is, which nothing copies. */
    static long address(Scalar scalar) {
        if (scalar.vector() instanceof CudaVector device) {
            return device.address() + (long) scalar.first() * Double.BYTES;
        }
        throw new IllegalArgumentException(scalar + " is on " + scalar.vector().space()
                + ", expected scalars of the cuda backend");
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public long counter() {
        if (counter == null) {
            counter = context.zeros(Integer.BYTES);
        }
        return counter.address();
    }

    @Override
    public void close() {
        retained.forEach(arrays::giveBack);
        retained.clear();
        stored.values().forEach(CudaBuffer::close);
        columnTables.forEach(CudaBuffer::close);
        partials.values().forEach(CudaBuffer::close);
        for (int a = 0; a < used.length; a++) {
            if (used[a] != null) {
                globals.giveBack(used[a]);
                used[a] = null;
            }
        }
        if (counter != null) {
            counter.close();
        }
    }
}
