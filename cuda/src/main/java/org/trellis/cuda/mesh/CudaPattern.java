package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternTables;

/**
 * Makes one pattern on the device: counts what each row gets, repetitions included; scans; gathers the columns of each
 * row, in an order that atomic operations leave open; sorts each row, which closes it again, and drops repetitions;
 * scans, moves rows together, and finds the position of each pair. Takes 4 bytes for each pair beside the result.
 */
final class CudaPattern implements AutoCloseable {
    static final int THREADS = 256;
    static final String FUNCTION = "patternStep";
    private static final int POINTERS = 8;
    private static final long BYTES = POINTERS * Long.BYTES + 2 * Integer.BYTES;

    private final CudaContext context;
    private final DeviceArrays arrays;
    private final PatternTables tables;
    private final Map<Step, StructLaunch> launches = new EnumMap<>(Step.class);
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private final List<Object> retained = new ArrayList<>();

    /** The functions of the source. */
    enum Step {
        COUNT_COLUMNS, SCAN, GATHER_COLUMNS, SORT_ROWS, COPY_ROWS, FIND_POSITIONS;

        /** The name in the source. */
        String function() {
            StringBuilder name = new StringBuilder();
            for (String word : name().split("_")) {
                name.append(name.isEmpty()
                        ? word.toLowerCase(Locale.ROOT)
                        : word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT));
            }
            return name.toString();
        }

        KernelSource source() {
            return KernelSource.resource(CudaPattern.class, "pattern.cu")
                    .including(KernelSource.class, "heap.cuh").define("STEP", function())
                    .define("THREADS", THREADS);
        }
    }

    /** The pointers of the struct, in order. */
    private enum Pointer {
        ROWS(0), COLUMNS(1), STARTS(2), OFFSETS(3), LENGTHS(4), CURSORS(5), GATHERED(6), RESULT(7);

        private final int number;

        Pointer(int number) {
            this.number = number;
        }

        long offset() {
            return (long) number * Long.BYTES;
        }
    }

    CudaPattern(CudaContext context, DeviceArrays arrays, PatternTables tables) {
        this.context = context;
        this.arrays = arrays;
        this.tables = tables;
    }

    PatternArrays build() {
        int rows = tables.rows();
        CudaBuffer lengths = ints(rows);
        lengths.clear();
        for (PatternTables.Block block : tables.blocks()) {
            for (int i = 0; i < block.rowArity(); i++) {
                set(Step.COUNT_COLUMNS, Pointer.ROWS, address(block.rowTargets(i)));
                set(Step.COUNT_COLUMNS, Pointer.LENGTHS, lengths.address());
                run(Step.COUNT_COLUMNS, block.elements(), block.columnArity());
            }
        }
        CudaBuffer starts = scan(lengths);
        CudaBuffer cursors = ints(rows + 1);
        cursors.copyFrom(starts);
        CudaBuffer gathered = ints(tables.pairs());
        set(Step.GATHER_COLUMNS, Pointer.CURSORS, cursors.address());
        eachPair(Step.GATHER_COLUMNS, gathered, (b, pair) -> {});
        set(Step.SORT_ROWS, Pointer.STARTS, starts.address());
        set(Step.SORT_ROWS, Pointer.GATHERED, gathered.address());
        set(Step.SORT_ROWS, Pointer.LENGTHS, lengths.address());
        run(Step.SORT_ROWS, rows, 0);
        CudaBuffer offsets = scan(lengths);
        int[] rowOffsets = download(offsets, rows + 1);
        CudaBuffer indices = ints(rowOffsets[rows]);
        set(Step.COPY_ROWS, Pointer.STARTS, starts.address());
        set(Step.COPY_ROWS, Pointer.OFFSETS, offsets.address());
        set(Step.COPY_ROWS, Pointer.GATHERED, gathered.address());
        set(Step.COPY_ROWS, Pointer.RESULT, indices.address());
        run(Step.COPY_ROWS, rows, 0);
        return new PatternArrays(rowOffsets, download(indices, rowOffsets[rows]), positions(offsets, indices));
    }

    private CudaBuffer scan(CudaBuffer lengths) {
        CudaBuffer result = ints(tables.rows() + 1);
        set(Step.SCAN, Pointer.LENGTHS, lengths.address());
        set(Step.SCAN, Pointer.RESULT, result.address());
        StructLaunch launch = launch(Step.SCAN);
        launch.block().set(ValueLayout.JAVA_INT, POINTERS * Long.BYTES, tables.rows());
        launch.run(LaunchShape.of(1, THREADS));
        return result;
    }

    private List<int[][]> positions(CudaBuffer offsets, CudaBuffer indices) {
        List<int[][]> positions = new ArrayList<>();
        int most = 0;
        for (PatternTables.Block block : tables.blocks()) {
            positions.add(new int[block.rowArity() * block.columnArity()][]);
            most = Math.max(most, block.elements());
        }
        CudaBuffer result = ints(most);
        set(Step.FIND_POSITIONS, Pointer.OFFSETS, offsets.address());
        set(Step.FIND_POSITIONS, Pointer.RESULT, result.address());
        eachPair(Step.FIND_POSITIONS, indices,
                (b, pair) -> positions.get(b)[pair] = download(result, tables.blocks().get(b).elements()));
        return positions;
    }

    /** What happens after a step has been queued for one pair of all elements of a block. */
    private interface AfterPair {
        void done(int block, int pair);
    }

    private void eachPair(Step step, CudaBuffer columns, AfterPair after) {
        set(step, Pointer.GATHERED, columns.address());
        for (int b = 0; b < tables.blocks().size(); b++) {
            PatternTables.Block block = tables.blocks().get(b);
            for (int i = 0; i < block.rowArity(); i++) {
                set(step, Pointer.ROWS, address(block.rowTargets(i)));
                for (int j = 0; j < block.columnArity(); j++) {
                    set(step, Pointer.COLUMNS, address(block.columnTargets(j)));
                    run(step, block.elements(), 0);
                    after.done(b, i * block.columnArity() + j);
                }
            }
        }
    }

    // Memory and launches.

    private CudaBuffer ints(int count) {
        @SuppressWarnings("MustBeClosed") // closed with this
        CudaBuffer buffer = context.buffer((long) count * Integer.BYTES);
        buffers.add(buffer);
        return buffer;
    }

    /** The address of a copy of a column, shared with the loops that use it. */
    private long address(int[] column) {
        long address = arrays.retain(column);
        retained.add(column);
        return address;
    }

    private static int[] download(CudaBuffer buffer, int count) {
        int[] values = new int[count];
        buffer.copyTo(MemorySegment.ofArray(values));
        return values;
    }

    private StructLaunch launch(Step step) {
        return launches.computeIfAbsent(step, s -> context.kernel(s.source(), FUNCTION).structLaunch(BYTES));
    }

    private void set(Step step, Pointer pointer, long address) {
        launch(step).block().set(ValueLayout.JAVA_LONG, pointer.offset(), address);
    }

    private void run(Step step, int count, int amount) {
        if (count > 0) {
            MemorySegment block = launch(step).block();
            block.set(ValueLayout.JAVA_INT, POINTERS * Long.BYTES, count);
            block.set(ValueLayout.JAVA_INT, POINTERS * Long.BYTES + Integer.BYTES, amount);
            launch(step).run(LaunchShape.covering(count, THREADS));
        }
    }

    @Override
    public void close() {
        retained.forEach(arrays::giveBack);
        launches.values().forEach(StructLaunch::close);
        buffers.forEach(CudaBuffer::close);
    }
}
