package org.trellis.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.DeviceException;
import org.trellis.cuda.emulation.StubNccl;

/** The binding against a stand-in for NCCL: arguments, the name by value, groups, errors. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ForeignNcclTest {
    private static final int RANKS = 2;
    private static final long STREAM = 1;

    // The library stays loaded until the process ends.
    @TempDir(cleanup = CleanupMode.NEVER)
    private static Path folder;
    private static StubNccl stub;
    private static Nccl nccl;

    @BeforeAll
    static void buildStub() {
        stub = StubNccl.in(folder);
        nccl = NativeLibraries.nccl(LibraryFinder.ofSystem(), List.of(stub.library()));
    }

    /** What a rank does, on a thread of its own. */
    @FunctionalInterface
    private interface Work {
        void run(int rank, long communicator, Arena memory);
    }

    private static void onRanks(Work work) {
        byte[] name = nccl.uniqueId();
        CompletableFuture<?>[] all = new CompletableFuture<?>[RANKS];
        for (int r = 0; r < RANKS; r++) {
            int rank = r;
            all[r] = CompletableFuture.runAsync(() -> {
                long communicator = nccl.initRank(RANKS, name, rank);
                try (Arena memory = Arena.ofConfined()) {
                    work.run(rank, communicator, memory);
                } finally {
                    nccl.destroy(communicator);
                }
            }, task -> Thread.ofPlatform().start(task));
        }
        CompletableFuture.allOf(all).join();
    }

    @Test
    void versionAndNames() {
        assertEquals("2.28.3", nccl.version());
        assertEquals(Nccl.ID_BYTES, nccl.uniqueId().length);
        assertEquals(4, nccl.uniqueId()[1]);
    }

    @Test
    void messagesOfAGroupCross() {
        long before = stub.sent();
        onRanks((rank, communicator, memory) -> {
            nccl.check(communicator, memory.allocate(ValueLayout.JAVA_INT));
            MemorySegment own = memory.allocate(3);
            own.fill((byte) (rank + 5));
            MemorySegment other = memory.allocate(3);
            nccl.groupStart();
            nccl.receive(other.address(), 3, 1 - rank, communicator, STREAM);
            nccl.send(own.address(), 3, 1 - rank, communicator, STREAM);
            nccl.groupEnd();
            byte peer = (byte) (1 - rank + 5);
            assertArrayEquals(new byte[]{peer, peer, peer}, other.toArray(ValueLayout.JAVA_BYTE));
        });
        assertEquals(before + RANKS, stub.sent());
        assertEquals(0, stub.open());
    }

    @Test
    void numbersAreSummedAndGathered() {
        onRanks((rank, communicator, memory) -> {
            MemorySegment values = memory.allocateFrom(ValueLayout.JAVA_DOUBLE, 0.5 + rank, 2);
            nccl.allSum(values.address(), 2, communicator, STREAM);
            assertArrayEquals(new double[]{2, 4}, values.toArray(ValueLayout.JAVA_DOUBLE));
            MemorySegment all = memory.allocate(ValueLayout.JAVA_DOUBLE, 2 * RANKS);
            values.setAtIndex(ValueLayout.JAVA_DOUBLE, 0, rank);
            nccl.allGather(values.address(), all.address(), 2, communicator, STREAM);
            assertArrayEquals(new double[]{0, 4, 1, 4}, all.toArray(ValueLayout.JAVA_DOUBLE));
        });
    }

    @Test
    void failuresNameCallCodeAndReason() {
        DeviceException e = assertThrows(DeviceException.class, () -> nccl.initRank(2, nccl.uniqueId(), 2));
        assertEquals("ncclCommInitRank", e.call());
        assertEquals(4, e.code());
        assertEquals("invalid argument: stub: no such rank", e.text());
        assertEquals("ncclGroupEnd", assertThrows(DeviceException.class, nccl::groupEnd).call());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> nccl.initRank(1, new byte[3], 0)).getMessage()
                .contains("3 bytes, expected 128"));
    }

    @Test
    void aMissingOrWrongLibraryIsSaid(@TempDir Path empty) throws IOException {
        LibraryFinder nothing = new LibraryFinder(empty, Map.of());
        String message = assertThrows(BackendUnavailableException.class,
                () -> NativeLibraries.nccl(nothing, List.of(empty.resolve("lib")))).getMessage();
        assertEquals("NCCL (libnccl.so.2) is not installed in a usual place, nor is one at " + empty.resolve("lib"),
                message);
        Path text = Files.writeString(empty.resolve("libnccl.so.2"), "no library");
        assertTrue(assertThrows(BackendUnavailableException.class,
                () -> NativeLibraries.nccl(nothing, List.of(text))).getMessage()
                .startsWith("no usable NCCL: NCCL at " + text + " cannot be loaded"));
    }
}
