package org.trellis.cuda.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.algebra.AlgebraLaunch;
import org.trellis.cuda.algebra.RowScan;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.fem.RowStructure;

/**
 * Finds the elements of each row, and the structure of the matrix of elements, on the device: sorts the unknowns of
 * each element, lists the elements of each row, and merges their unknowns twice, to count and to store them. Takes 12
 * bytes for each unknown of each element beside the result.
 */
final class ElementStructure implements AutoCloseable {
    private static final int THREADS = 128;
    private static final int ARGUMENTS = 11;
    private static final int MIN_ROOM = 4;

    private final CudaContext context;
    private final AlgebraLaunch launches;
    private final int perElement;
    private final int rows;
    private final long cells;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private final long[] arguments = new long[ARGUMENTS];

    @SuppressWarnings("MustBeClosed") // closed with this
    ElementStructure(CudaContext context, AlgebraLaunch launches, int[] unknowns, int perElement, int rows) {
        this(context, launches, 0, unknowns.length / perElement, perElement, rows);
        arguments[0] = keep(context.upload(MemorySegment.ofArray(unknowns))).address();
    }

    /**
     * The same of unknowns that are on the device.
     *
     * @param unknowns address of the unknowns of all elements
     */
    ElementStructure(CudaContext context, AlgebraLaunch launches, long unknowns, long cells, int perElement,
            int rows) {
        this.context = context;
        this.launches = launches;
        this.perElement = perElement;
        this.rows = rows;
        this.cells = cells;
        arguments[0] = unknowns;
        arguments[9] = cells;
        arguments[10] = rows;
    }

    /**
     * The elements of rows on the device; the caller closes the buffers.
     *
     * @param offsets where the slots of each row start, and their number
     * @param slots   as those of {@link org.trellis.fem.RowElements}
     * @param most    the largest number of slots of a row
     */
    record Incidence(CudaBuffer offsets, CudaBuffer slots, int most) {}

    private CudaBuffer keep(CudaBuffer buffer) {
        buffers.add(buffer);
        return buffer;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer ints(long count) {
        return keep(context.buffer(count * Integer.BYTES));
    }

    /** Lists the elements of each row, in any order. */
    @SuppressWarnings("MustBeClosed") // closed here, or by the caller
    private Incidence list() {
        try (CudaBuffer lengths = context.zeros((long) rows * Integer.BYTES);
                CudaBuffer most = context.zeros(Integer.BYTES);
                CudaBuffer cursors = context.buffer((rows + 1L) * Integer.BYTES)) {
            arguments[2] = lengths.address();
            arguments[8] = most.address();
            run("countElements", 0, cells * perElement);
            RowScan starts = RowScan.of(launches, lengths, rows);
            CudaBuffer slots = context.buffer((long) starts.total() * Integer.BYTES);
            arguments[5] = starts.offsets().address();
            cursors.copyFrom(starts.offsets());
            arguments[3] = cursors.address();
            arguments[4] = slots.address();
            run("listSlots", 0, cells * perElement);
            int[] found = new int[1];
            most.copyTo(MemorySegment.ofArray(found));
            return new Incidence(starts.offsets(), slots, found[0]);
        }
    }

    /** Finds the elements of rows, in ascending order. */
    Incidence incidence() {
        Incidence incidence = list();
        run("sortSlots", 0, rows);
        return incidence;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    RowStructure find() {
        arguments[1] = ints(cells * perElement).address();
        run("sortElements", 0, cells);
        Incidence incidence = list();
        keep(incidence.offsets());
        keep(incidence.slots());
        CudaBuffer lengths = ints(rows);
        arguments[2] = lengths.address();
        int room = Math.max(MIN_ROOM, Integer.highestOneBit(Math.max(1, 2 * incidence.most() - 1)));
        run("countColumns", room, rows);
        RowScan offsets = RowScan.of(launches, lengths, rows);
        arguments[6] = keep(offsets.offsets()).address();
        CudaBuffer columns = ints(offsets.total());
        arguments[7] = columns.address();
        run("listColumns", room, rows);
        int[] rowOffsets = new int[rows + 1];
        int[] columnIndices = new int[offsets.total()];
        offsets.offsets().copyTo(MemorySegment.ofArray(rowOffsets));
        columns.copyTo(MemorySegment.ofArray(columnIndices));
        return new RowStructure(rowOffsets, columnIndices);
    }

    static KernelSource source(int perElement, int most) {
        KernelSource plain =
                KernelSource.resource(ElementStructure.class, "structure.cu").including(KernelSource.class, "heap.cuh")
                        .define("UNKNOWNS", perElement).define("THREADS", THREADS);
        return most == 0 ? plain : plain.define("MOST", most);
    }

    private void run(String function, int most, long items) {
        if (items > 0) {
            try (KernelLaunch launch = launch(function, most, items)) {
                launch.run();
            }
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private KernelLaunch launch(String function, int most, long items) {
        KernelLaunch launch = context.kernel(source(perElement, most), function)
                .launch(LaunchShape.covering(items, THREADS), ARGUMENTS);
        for (int k = 0; k < ARGUMENTS; k++) {
            launch.setAddress(k, arguments[k]);
        }
        return launch;
    }

    @Override
    public void close() {
        buffers.forEach(CudaBuffer::close);
    }
}
