package org.trellis.bench.adapters.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trellis.backend.Availability;

/**
 * Functions of a shared library of C, linked when they are first called. Results and arguments are described by
 * letters: {@code p} a pointer, {@code i} an int, {@code l} a long, {@code d} a double; as a result {@code v} nothing.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class Functions {
    private final SymbolLookup symbols;
    private final Map<String, MethodHandle> handles = new HashMap<>();

    private Functions(SymbolLookup symbols) {
        this.symbols = symbols;
    }

    static Functions load(String file) {
        return new Functions(SymbolLookup.libraryLookup(file, Arena.global()));
    }

    static Availability probe(String file, String name, String aPackage) {
        try {
            load(file);
            return Availability.yes(name + ", " + file);
        } catch (IllegalArgumentException e) {
            return Availability.no(name + " is not installed (" + file + "); Debian has it in " + aPackage);
        }
    }

    private MethodHandle handle(String name, String letters) {
        return handles.computeIfAbsent(name, unlinked -> {
            MemorySegment address = symbols.find(name)
                    .orElseThrow(() -> new IllegalStateException("the library has no function " + name));
            MemoryLayout[] arguments = new MemoryLayout[letters.length() - 1];
            Arrays.setAll(arguments, k -> layout(letters.charAt(k + 1)));
            FunctionDescriptor descriptor = letters.charAt(0) == 'v'
                    ? FunctionDescriptor.ofVoid(arguments)
                    : FunctionDescriptor.of(layout(letters.charAt(0)), arguments);
            return Linker.nativeLinker().downcallHandle(address, descriptor);
        });
    }

    private static MemoryLayout layout(char letter) {
        return switch (letter) {
            case 'p' -> ADDRESS;
            case 'i' -> JAVA_INT;
            case 'l' -> JAVA_LONG;
            case 'd' -> JAVA_DOUBLE;
            default -> throw new IllegalArgumentException("letter " + letter + ", expected p, i, l or d");
        };
    }

    /** Calls a function; returns null where it has no result. */
    @SuppressWarnings("checkstyle:IllegalCatch") // a method handle throws anything
    Object call(String name, String letters, Object... arguments) {
        try {
            return handle(name, letters).invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("call of " + name + " failed", e);
        }
    }

    MemorySegment pointer(String name, String letters, Object... arguments) {
        return (MemorySegment) call(name, letters, arguments);
    }

    int number(String name, String letters, Object... arguments) {
        return (int) call(name, letters, arguments);
    }
}
