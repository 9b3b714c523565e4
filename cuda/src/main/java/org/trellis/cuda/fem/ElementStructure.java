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
 * Finds the structure of the matrix of elements on the device: sorts the unknowns of each element, lists the elements
 * of each row, and merges their unknowns twice, to count and to store them. Takes 12 bytes for each unknown of each
 * element beside the result.
 */
final class ElementStructure implements AutoCloseable {
    private static final int THREADS = 128;
    private static final int ARGUMENTS = 11;
    private static final int LEAST = 4;

    private final CudaContext context;
    private final AlgebraLaunch launches;
    private final int perElement;
    private final int rows;
    private final long cells;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private final long[] arguments = new long[ARGUMENTS];

    @SuppressWarnings("MustBeClosed") // closed with this
    ElementStructure(CudaContext context, AlgebraLaunch launches, int[] unknowns, int perElement, int rows) {
        this.context = context;
        this.launches = launches;
        this.perElement = perElement;
        this.rows = rows;
        this.cells = unknowns.length / perElement;
        arguments[0] = keep(context.upload(MemorySegment.ofArray(unknowns))).address();
        arguments[1] = ints(unknowns.length).address();
        arguments[4] = ints(unknowns.length).address();
        arguments[9] = cells;
        arguments[10] = rows;
    }

    private CudaBuffer keep(CudaBuffer buffer) {
        buffers.add(buffer);
        return buffer;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer ints(long count) {
        return keep(context.buffer(count * Integer.BYTES));
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    RowStructure find() {
        CudaBuffer lengths = ints(rows);
        CudaBuffer most = keep(context.zeros(Integer.BYTES));
        lengths.clear();
        arguments[2] = lengths.address();
        arguments[8] = most.address();
        run("sortElements", 0, cells);
        run("countElements", 0, cells * perElement);
        RowScan starts = RowScan.of(launches, lengths, rows);
        arguments[5] = keep(starts.offsets()).address();
        CudaBuffer cursors = ints(rows + 1L);
        cursors.copyFrom(starts.offsets());
        arguments[3] = cursors.address();
        run("listElements", 0, cells * perElement);
        int[] found = new int[1];
        most.copyTo(MemorySegment.ofArray(found));
        int room = Math.max(LEAST, Integer.highestOneBit(Math.max(1, 2 * found[0] - 1)));
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
                KernelSource.resource(ElementStructure.class, "structure.cu").define("UNKNOWNS", perElement)
                        .define("THREADS", THREADS);
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
