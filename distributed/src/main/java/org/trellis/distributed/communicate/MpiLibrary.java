package org.trellis.distributed.communicate;

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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.trellis.common.BackendUnavailableException;

/**
 * An MPI library, called by foreign functions. Functions are linked when they are first called. All calls come from one
 * platform thread.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class MpiLibrary {
    /** Letters describe arguments: a handle, an int, a pointer. */
    private static final Map<String, String> SIGNATURES = Map.ofEntries(
            Map.entry("MPI_Abi_get_version", "pp"),
            Map.entry("MPI_Get_library_version", "pp"),
            Map.entry("MPI_Initialized", "p"),
            Map.entry("MPI_Init_thread", "ppip"),
            Map.entry("MPI_Finalize", ""),
            Map.entry("MPI_Abort", "hi"),
            Map.entry("MPI_Comm_size", "hp"),
            Map.entry("MPI_Comm_rank", "hp"),
            Map.entry("MPI_Comm_set_errhandler", "hh"),
            Map.entry("MPI_Comm_split", "hiip"),
            Map.entry("MPI_Comm_free", "p"),
            Map.entry("MPI_Send_init", "pihiihp"),
            Map.entry("MPI_Recv_init", "pihiihp"),
            Map.entry("MPI_Start", "p"),
            Map.entry("MPI_Test", "ppp"),
            Map.entry("MPI_Cancel", "p"),
            Map.entry("MPI_Request_free", "p"),
            Map.entry("MPI_Get_count", "php"),
            Map.entry("MPI_Iallreduce", "ppihhhp"),
            Map.entry("MPI_Ibcast", "pihihp"),
            Map.entry("MPI_Ialltoall", "pihpihhp"),
            Map.entry("MPI_Ialltoallv", "ppphppphhp"),
            Map.entry("MPI_Error_string", "ipp"));

    private static final int LONGEST_TEXT = 8192;
    /** {@code MPIX_GPU_SUPPORT_CUDA} of MPICH. */
    private static final int CUDA_GPUS = 0;

    private final String file;
    private final SymbolLookup symbols;
    private final String version;
    private final MpiAbi abi;
    private final Map<String, MethodHandle> functions = new HashMap<>();
    private final EnumMap<MpiAbi.Constant, Long> constants = new EnumMap<>(MpiAbi.Constant.class);

    private MpiLibrary(String file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
        // Before the family is known: these two take no handles.
        this.version = textOf("MPI_Get_library_version");
        this.abi = family();
        for (MpiAbi.Constant constant : MpiAbi.Constant.values()) {
            constants.put(constant, abi.value(constant, symbols));
        }
    }

    /**
     * Loads a library.
     *
     * @param names its path or name, several to be tried
     * @throws BackendUnavailableException if none can be loaded or it is of no known family; has the reasons
     */
    static MpiLibrary load(List<String> names) {
        silenceUcx();
        List<String> reasons = new ArrayList<>();
        for (String name : names) {
            try {
                return new MpiLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                reasons.add(e.getMessage());
            }
        }
        throw new BackendUnavailableException("no MPI library can be loaded: " + String.join("; ", reasons)
                + ". Install one, or name it in trellis.mpi.library");
    }

    /** UCX would take over the signal by which the JVM checks for null, and end the process at the first one. */
    private static void silenceUcx() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> setenv = linker.defaultLookup().find("setenv");
        if (setenv.isEmpty()) {
            return;
        }
        MethodHandle function = linker.downcallHandle(setenv.get(),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            invoke(function, arena.allocateFrom("UCX_ERROR_SIGNALS"), arena.allocateFrom(""), 0);
        }
    }

    private MpiAbi family() {
        if (symbols.find("MPI_Abi_get_version").isPresent()) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment numbers = arena.allocate(JAVA_INT, 2);
                int code = (int) invoke(function("MPI_Abi_get_version"), numbers, numbers.asSlice(Integer.BYTES));
                if (code == 0 && numbers.get(JAVA_INT, 0) >= 1) {
                    return MpiAbi.STANDARD;
                }
            }
        }
        if (symbols.find("ompi_mpi_comm_world").isPresent()) {
            return MpiAbi.OPEN_MPI;
        }
        String text = version.toLowerCase(Locale.ROOT);
        if (text.contains("mpich") || text.contains("intel") || text.contains("mvapich")) {
            return MpiAbi.MPICH;
        }
        throw new BackendUnavailableException(file + " calls itself '" + version
                + "', expected Open MPI, MPICH, Intel MPI, MVAPICH or the standard ABI of MPI 5.0");
    }

    private String textOf(String functionName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_TEXT);
            call(functionName, text, arena.allocate(JAVA_INT));
            // "Open MPI v4.1.4, package: ..." and "MPICH Version:      4.0.2"
            return text.getString(0).lines().findFirst().orElse("").replaceFirst(",.*", "").strip()
                    .replaceAll("\\s+", " ");
        }
    }

    /** Links a function; handles become longs. */
    MethodHandle function(String name) {
        return functions.computeIfAbsent(name, this::link);
    }

    private MethodHandle link(String name) {
        String letters = SIGNATURES.get(name);
        MemorySegment address = symbols.find(name)
                .orElseThrow(() -> new BackendUnavailableException(file + " has no function " + name));
        List<MemoryLayout> arguments = new ArrayList<>();
        MethodType type = MethodType.methodType(int.class);
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            arguments.add(switch (letter) {
                case 'p' -> ADDRESS;
                case 'i' -> JAVA_INT;
                default -> abi.handleBytes() == Integer.BYTES ? JAVA_INT : JAVA_LONG;
            });
            type = type.appendParameterTypes(letter == 'p'
                    ? MemorySegment.class
                    : letter == 'i'
                            ? int.class
                            : long.class);
        }
        MethodHandle handle = Linker.nativeLinker().downcallHandle(address,
                FunctionDescriptor.of(JAVA_INT, arguments.toArray(MemoryLayout[]::new)));
        return MethodHandles.explicitCastArguments(handle, type);
    }

    /** Asks the library whether it takes the memory of GPUs, as Open MPI, MPICH and their relatives can be asked. */
    boolean isCudaAware() {
        Optional<MemorySegment> query = symbols.find("MPIX_Query_cuda_support");
        if (query.isPresent()) {
            return (int) invoke(Linker.nativeLinker().downcallHandle(query.get(),
                    FunctionDescriptor.of(JAVA_INT))) != 0;
        }
        query = symbols.find("MPIX_GPU_query_support");
        if (query.isEmpty()) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(JAVA_INT);
            int code = (int) invoke(Linker.nativeLinker().downcallHandle(query.get(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS)), CUDA_GPUS, answer);
            return code == 0 && answer.get(JAVA_INT, 0) != 0;
        }
    }

    /** Calls a function that is not called often, and returns its code. */
    int call(String name, Object... arguments) {
        return (int) invoke(function(name), arguments);
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    private static Object invoke(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }

    /** Returns a constant. */
    long constant(MpiAbi.Constant constant) {
        return constants.get(constant);
    }

    MpiAbi abi() {
        return abi;
    }

    /** What the library calls itself, up to the first comma. */
    String version() {
        return version;
    }

    String file() {
        return file;
    }

    /** Returns the library's text for an error code. */
    String errorText(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_TEXT);
            MemorySegment length = arena.allocate(JAVA_INT);
            if (call("MPI_Error_string", code, text, length) != 0) {
                return "code " + code;
            }
            byte[] bytes = text.asSlice(0, length.get(JAVA_INT, 0)).toArray(JAVA_BYTE);
            return new String(bytes, StandardCharsets.UTF_8) + " (code " + code + ")";
        }
    }

    /** Reads a handle that the library has written. */
    long handle(MemorySegment at) {
        return abi.handleBytes() == Integer.BYTES ? at.get(JAVA_INT, 0) : at.get(JAVA_LONG, 0);
    }

    /** Writes a handle for the library to read. */
    void putHandle(MemorySegment at, long value) {
        if (abi.handleBytes() == Integer.BYTES) {
            at.set(JAVA_INT, 0, (int) value);
        } else {
            at.set(JAVA_LONG, 0, value);
        }
    }
}
