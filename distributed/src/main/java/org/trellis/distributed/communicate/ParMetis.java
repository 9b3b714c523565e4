package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.stream.IntStream;
import org.trellis.common.BackendUnavailableException;

/**
 * The parallel partitioner ParMETIS 4 (G. Karypis, V. Kumar, "Parallel multilevel k-way partitioning scheme for
 * irregular graphs", SIAM Rev. 41, 1999), built with real numbers of 32 bits, which is usual, or a library with the
 * same function, such as PT-Scotch's.
 */
final class ParMetis {
    static final String FILE = "libparmetis(-[0-9.]+)?\\.so[.0-9]*";
    private static final String PARTITION = "ParMETIS_V3_PartKway";
    private static final int OK = 1;
    private static final int OPTIONS = 40;
    private static final FunctionDescriptor SIGNATURE = FunctionDescriptor.of(JAVA_INT,
            Collections.nCopies(15, ADDRESS).toArray(new ValueLayout[0]));

    private final PartitionerLibrary library;
    private final ValueLayout number;

    ParMetis(PartitionerLibrary library) {
        this.library = library;
        this.number = number(library);
    }

    /** The default options of METIS are all -1, and how far they reach shows how wide an integer is. */
    private static ValueLayout number(PartitionerLibrary library) {
        if (library.has("SCOTCH_numSizeof")) {
            return (int) library.call("SCOTCH_numSizeof", FunctionDescriptor.of(JAVA_INT)) == Integer.BYTES
                    ? JAVA_INT
                    : JAVA_LONG;
        }
        if (!library.has("METIS_SetDefaultOptions")) {
            throw new BackendUnavailableException(library.file() + " has no function METIS_SetDefaultOptions, which "
                    + "says how wide its integers are: expected ParMETIS 4");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = arena.allocate(JAVA_LONG, OPTIONS);
            library.call("METIS_SetDefaultOptions", FunctionDescriptor.of(JAVA_INT, ADDRESS), options);
            return options.get(JAVA_INT, (long) OPTIONS * Integer.BYTES) == -1 ? JAVA_LONG : JAVA_INT;
        }
    }

    int[] partition(int[] offsets, int[] neighbours, int parts, double tolerance) {
        long[] counts = library.communicator().gatherNumbers(offsets.length - 1);
        int[] firsts = new int[counts.length + 1];
        for (int rank = 0; rank < counts.length; rank++) {
            firsts[rank + 1] = Math.toIntExact(firsts[rank] + counts[rank]);
        }
        try (Arena arena = Arena.ofConfined()) {
            // With room for real numbers of 64 bits, whose sum would be refused.
            MemorySegment shares = arena.allocate(JAVA_LONG, parts);
            IntStream.range(0, parts).forEach(part -> shares.setAtIndex(JAVA_FLOAT, part, 1F / parts));
            MemorySegment most = arena.allocate(JAVA_LONG);
            most.set(JAVA_FLOAT, 0, (float) tolerance);
            MemorySegment partOf = arena.allocate(number, Math.max(1, offsets.length - 1));
            MemorySegment none = MemorySegment.NULL;
            library.check(OK, PARTITION, SIGNATURE, copy(arena, firsts), copy(arena, offsets), copy(arena, neighbours),
                    none, none, copy(arena, 0), copy(arena, 0), copy(arena, 1), copy(arena, parts), shares, most,
                    copy(arena, 0, 0, 0), copy(arena, 0), partOf, library.handleIn(arena));
            return PartitionerLibrary.read(partOf, number, offsets.length - 1);
        }
    }

    private MemorySegment copy(Arena arena, int... values) {
        return PartitionerLibrary.copy(arena, number, values);
    }
}
