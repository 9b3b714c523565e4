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

/** NVRTC through the foreign-function API. The library stays loaded as long as the process runs. */
@SuppressWarnings("restricted") // native calls are what this class is for
final class ForeignNvrtc implements Nvrtc {
    private final SymbolLookup library;
    private final MethodHandle version;
    private final MethodHandle errorString;
    private final MethodHandle createProgram;
    private final MethodHandle compileProgram;
    private final MethodHandle cubinSize;
    private final MethodHandle cubin;
    private final MethodHandle ptxSize;
    private final MethodHandle ptx;
    private final MethodHandle logSize;
    private final MethodHandle log;
    private final MethodHandle destroyProgram;

    private ForeignNvrtc(SymbolLookup library) {
        this.library = library;
        this.version = status("nvrtcVersion", ADDRESS, ADDRESS);
        this.errorString = function("nvrtcGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        this.createProgram = status("nvrtcCreateProgram", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
        this.compileProgram = status("nvrtcCompileProgram", JAVA_LONG, JAVA_INT, ADDRESS);
        this.cubinSize = status("nvrtcGetCUBINSize", JAVA_LONG, ADDRESS);
        this.cubin = status("nvrtcGetCUBIN", JAVA_LONG, ADDRESS);
        this.ptxSize = status("nvrtcGetPTXSize", JAVA_LONG, ADDRESS);
        this.ptx = status("nvrtcGetPTX", JAVA_LONG, ADDRESS);
        this.logSize = status("nvrtcGetProgramLogSize", JAVA_LONG, ADDRESS);
        this.log = status("nvrtcGetProgramLog", JAVA_LONG, ADDRESS);
        this.destroyProgram = status("nvrtcDestroyProgram", ADDRESS);
    }

    /**
     * Loads the library.
     *
     * @param file the library
     * @return its functions
     * @throws BackendUnavailableException if it cannot be loaded or lacks a function
     */
    static ForeignNvrtc load(Path file) {
        try {
            return new ForeignNvrtc(SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException("NVRTC at " + file + " cannot be loaded: " + e.getMessage());
        }
    }

    private MethodHandle status(String name, MemoryLayout... parameters) {
        return function(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private MethodHandle function(String name, FunctionDescriptor descriptor) {
        MemorySegment address = library.find(name)
                .orElseThrow(() -> new BackendUnavailableException("NVRTC has no function " + name));
        return Linker.nativeLinker().downcallHandle(address, descriptor);
    }

    @Override
    public int version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            check("nvrtcVersion", (int) invoke(version, major, minor));
            return 1000 * major.get(JAVA_INT, 0) + 10 * minor.get(JAVA_INT, 0);
        }
    }

    @Override
    public String errorString(int code) {
        MemorySegment text = (MemorySegment) invoke(errorString, code);
        return text.reinterpret(Long.MAX_VALUE).getString(0);
    }

    @Override
    public long createProgram(String source, String name, String[] headers, String[] includeNames) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(JAVA_LONG);
            check("nvrtcCreateProgram", (int) invoke(createProgram, program, arena.allocateFrom(source),
                    arena.allocateFrom(name), headers.length, strings(arena, headers), strings(arena, includeNames)));
            return program.get(JAVA_LONG, 0);
        }
    }

    @Override
    public int compileProgram(long program, String[] options) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) invoke(compileProgram, program, options.length, strings(arena, options));
        }
    }

    @Override
    public byte[] cubin(long program) {
        return bytes(program, "nvrtcGetCUBINSize", cubinSize, "nvrtcGetCUBIN", cubin);
    }

    @Override
    public byte[] ptx(long program) {
        return bytes(program, "nvrtcGetPTXSize", ptxSize, "nvrtcGetPTX", ptx);
    }

    @Override
    public String log(long program) {
        byte[] bytes = bytes(program, "nvrtcGetProgramLogSize", logSize, "nvrtcGetProgramLog", log);
        try (Arena arena = Arena.ofConfined()) {
            return bytes.length == 0 ? "" : arena.allocateFrom(JAVA_BYTE, bytes).getString(0);
        }
    }

    private byte[] bytes(long program, String sizeName, MethodHandle size, String getName, MethodHandle get) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocate(JAVA_LONG);
            check(sizeName, (int) invoke(size, program, length));
            MemorySegment content = arena.allocate(Math.max(1, length.get(JAVA_LONG, 0)));
            check(getName, (int) invoke(get, program, content));
            return content.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
        }
    }

    @Override
    public void destroyProgram(long program) {
        try (Arena arena = Arena.ofConfined()) {
            check("nvrtcDestroyProgram", (int) invoke(destroyProgram, arena.allocateFrom(JAVA_LONG, program)));
        }
    }

    private static MemorySegment strings(Arena arena, String[] texts) {
        MemorySegment array = arena.allocate(ADDRESS, Math.max(1, texts.length));
        for (int i = 0; i < texts.length; i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts[i]));
        }
        return array;
    }

    private void check(String call, int code) {
        if (code != SUCCESS) {
            throw new DeviceException(call, code, errorString(code));
        }
    }

    private static Object invoke(MethodHandle handle, Object... arguments) {
        return ForeignCalls.rethrow(() -> handle.invokeWithArguments(arguments));
    }
}
