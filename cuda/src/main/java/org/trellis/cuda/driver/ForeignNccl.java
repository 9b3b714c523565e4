package org.trellis.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.DeviceException;

/**
 * NCCL through the foreign-function API. The library stays loaded as long as the process runs. Handles are static, as
 * those of {@link FastCalls}, so that calls within an exchange cost nanoseconds and no garbage.
 */
@SuppressWarnings({"restricted", "checkstyle:IllegalCatch"}) // native calls; their handles declare Throwable
final class ForeignNccl implements Nccl {
    /** {@code ncclUniqueId}, which is passed by value. */
    private static final MemoryLayout ID = MemoryLayout
            .structLayout(MemoryLayout.sequenceLayout(ID_BYTES, JAVA_BYTE));
    private static final MethodHandle NOTHING = FastCalls.unbound();
    private static final MethodHandle ADDRESS_ONLY = FastCalls.unbound(ADDRESS);
    private static final MethodHandle COMMUNICATOR = FastCalls.unbound(JAVA_LONG);
    private static final MethodHandle ASYNC_ERROR = FastCalls.unbound(JAVA_LONG, ADDRESS);
    private static final MethodHandle INIT_RANK = FastCalls.unbound(ADDRESS, JAVA_INT, ID, JAVA_INT);
    private static final MethodHandle MESSAGE =
            FastCalls.unbound(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ALL_REDUCE =
            FastCalls.unbound(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ALL_GATHER =
            FastCalls.unbound(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ERROR_STRING =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final MethodHandle LAST_ERROR =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ADDRESS, JAVA_LONG));
    /** Numbers of a version are apart by this since 2.9, and by 1000 before. */
    private static final int MAJOR = 10_000;
    private static final int MINOR = 100;
    private static final int OLD_MAJOR = 1000;

    private final Path file;
    private final SymbolLookup library;
    private final MemorySegment errorString;
    private final MemorySegment destroy;
    private final MemorySegment abort;
    private final MemorySegment asyncError;
    private final MemorySegment groupStart;
    private final MemorySegment groupEnd;
    private final MemorySegment send;
    private final MemorySegment receive;
    private final MemorySegment allReduce;
    private final MemorySegment allGather;

    private ForeignNccl(Path file, SymbolLookup library) {
        this.file = file;
        this.library = library;
        this.errorString = address("ncclGetErrorString");
        this.destroy = address("ncclCommDestroy");
        this.abort = address("ncclCommAbort");
        this.asyncError = address("ncclCommGetAsyncError");
        this.groupStart = address("ncclGroupStart");
        this.groupEnd = address("ncclGroupEnd");
        this.send = address("ncclSend");
        this.receive = address("ncclRecv");
        this.allReduce = address("ncclAllReduce");
        this.allGather = address("ncclAllGather");
    }

    /**
     * Loads the library.
     *
     * @param file the library
     * @return its functions
     * @throws BackendUnavailableException if it cannot be loaded or lacks a function
     */
    static ForeignNccl load(Path file) {
        try {
            return new ForeignNccl(file, SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException("NCCL at " + file + " cannot be loaded: " + e.getMessage());
        }
    }

    private MemorySegment address(String name) {
        return library.find(name).orElseThrow(
                () -> new BackendUnavailableException("NCCL at " + file + " has no function " + name
                        + ", expected version 2.7 or later"));
    }

    @Override
    public String version() {
        MemorySegment function = address("ncclGetVersion");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            check("ncclGetVersion", (int) ForeignCalls.rethrow(() -> (int) ADDRESS_ONLY.invokeExact(function, number)),
                    0);
            int code = number.get(JAVA_INT, 0);
            int major = code >= MAJOR ? MAJOR : OLD_MAJOR;
            return code / major + "." + code % major / MINOR + "." + code % MINOR;
        }
    }

    @Override
    public byte[] uniqueId() {
        MemorySegment function = address("ncclGetUniqueId");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ID);
            check("ncclGetUniqueId", (int) ForeignCalls.rethrow(() -> (int) ADDRESS_ONLY.invokeExact(function, id)),
                    0);
            return id.toArray(JAVA_BYTE);
        }
    }

    @Override
    public long initRank(int ranks, byte[] id, int rank) {
        if (id.length != ID_BYTES) {
            throw new IllegalArgumentException("the name of a communicator of NCCL has " + id.length
                    + " bytes, expected " + ID_BYTES);
        }
        MemorySegment function = address("ncclCommInitRank");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            MemorySegment name = arena.allocate(ID).copyFrom(MemorySegment.ofArray(id));
            check("ncclCommInitRank",
                    (int) ForeignCalls.rethrow(() -> (int) INIT_RANK.invokeExact(function, made, ranks, name, rank)),
                    0);
            return made.get(JAVA_LONG, 0);
        }
    }

    @Override
    public void destroy(long communicator) {
        check("ncclCommDestroy",
                (int) ForeignCalls.rethrow(() -> (int) COMMUNICATOR.invokeExact(destroy, communicator)), 0);
    }

    @Override
    public void abort(long communicator) {
        check("ncclCommAbort",
                (int) ForeignCalls.rethrow(() -> (int) COMMUNICATOR.invokeExact(abort, communicator)), 0);
    }

    @Override
    public void check(long communicator, MemorySegment status) {
        int code;
        try {
            code = (int) ASYNC_ERROR.invokeExact(asyncError, communicator, status);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        check("ncclCommGetAsyncError", code, communicator);
        check("messages by NCCL", status.get(JAVA_INT, 0), communicator);
    }

    @Override
    public void groupStart() {
        int code;
        try {
            code = (int) NOTHING.invokeExact(groupStart);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        check("ncclGroupStart", code, 0);
    }

    @Override
    public void groupEnd() {
        int code;
        try {
            code = (int) NOTHING.invokeExact(groupEnd);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        check("ncclGroupEnd", code, 0);
    }

    @Override
    public void send(long address, long bytes, int peer, long communicator, long stream) {
        check("ncclSend", message(send, address, bytes, peer, communicator, stream), communicator);
    }

    @Override
    public void receive(long address, long bytes, int peer, long communicator, long stream) {
        check("ncclRecv", message(receive, address, bytes, peer, communicator, stream), communicator);
    }

    private static int message(MemorySegment function, long address, long bytes, int peer, long communicator,
            long stream) {
        try {
            return (int) MESSAGE.invokeExact(function, address, bytes, BYTES, peer, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
    }

    @Override
    public void allSum(long address, long count, long communicator, long stream) {
        int code;
        try {
            code = (int) ALL_REDUCE.invokeExact(allReduce, address, address, count, DOUBLES, SUM, communicator,
                    stream);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        check("ncclAllReduce", code, communicator);
    }

    @Override
    public void allGather(long source, long target, long count, long communicator, long stream) {
        int code;
        try {
            code = (int) ALL_GATHER.invokeExact(allGather, source, target, count, DOUBLES, communicator, stream);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        check("ncclAllGather", code, communicator);
    }

    private void check(String call, int code, long communicator) {
        if (code != SUCCESS) {
            throw new DeviceException(call, code, errorString(code) + lastError(communicator));
        }
    }

    private String errorString(int code) {
        return text((MemorySegment) ForeignCalls
                .rethrow(() -> (MemorySegment) ERROR_STRING.invokeExact(errorString, code)));
    }

    /** Later versions say more of the last failure of a process, or of a communicator. */
    private String lastError(long communicator) {
        MemorySegment function = library.find("ncclGetLastError").orElse(null);
        String more = function == null
                ? ""
                : text((MemorySegment) ForeignCalls
                        .rethrow(() -> (MemorySegment) LAST_ERROR.invokeExact(function, communicator)));
        return more.isBlank() ? "" : ": " + more.strip();
    }

    private static String text(MemorySegment found) {
        return found.equals(MemorySegment.NULL) ? "" : found.reinterpret(Long.MAX_VALUE).getString(0);
    }
}
