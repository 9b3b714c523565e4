package org.trellis.internal.nativepartitioners;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.trellis.common.BackendUnavailableException;

/** A shared library that stays loaded as long as the process runs. */
@SuppressWarnings("restricted") // native calls are what this class is for
final class NativeLibrary {
    private final Path file;
    private final SymbolLookup symbols;

    private NativeLibrary(Path file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
    }

    /**
     * Loads a library.
     *
     * @throws BackendUnavailableException if it cannot be loaded
     */
    static NativeLibrary load(Path file) {
        try {
            return new NativeLibrary(file, SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException(file + " cannot be loaded: " + e.getMessage());
        }
    }

    Path file() {
        return file;
    }

    /**
     * Returns a function.
     *
     * @throws BackendUnavailableException if the library has none of that name
     */
    MethodHandle function(String name, FunctionDescriptor descriptor) {
        MemorySegment address = symbols.find(name)
                .orElseThrow(() -> new BackendUnavailableException(file + " has no function " + name));
        return Linker.nativeLinker().downcallHandle(address, descriptor);
    }

    /** Calls a function; what it throws is an error of this program. */
    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }
}
