package org.trellis.bench.adapters.ranks;

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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A shared library of C and those that it needs, called by foreign functions that are linked when they are first
 * called. All functions return an int, 0 if all went well. Arguments are described by letters: {@code p} a pointer,
 * {@code i} an int, {@code d} a double, {@code c} a communicator of MPI, {@code n} the library's own integer,
 * {@code l} a long.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
public final class NativeLibrary {
    private final String file;
    private final SymbolLookup symbols;
    private final Map<String, MethodHandle> functions = new HashMap<>();
    private MemoryLayout communicator = JAVA_LONG;
    private NativeIntegers integers = NativeIntegers.INTS;

    private NativeLibrary(String file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
    }

    /**
     * Loads a library.
     *
     * @param names names under which the system's loader may have it, the likeliest first
     * @return the library
     * @throws IllegalStateException if none can be loaded; has the reasons
     */
    public static NativeLibrary load(List<String> names) {
        List<String> reasons = new ArrayList<>();
        for (String name : names) {
            try {
                return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                reasons.add(e.getMessage());
            }
        }
        throw new IllegalStateException(String.join("; ", reasons));
    }

    /**
     * Returns the name under which it was found.
     *
     * @return a file or its name
     */
    public String file() {
        return file;
    }

    /**
     * Says how wide the handles of communicators are.
     *
     * @param bytes 4 or 8
     */
    void setCommunicatorBytes(int bytes) {
        communicator = bytes == Integer.BYTES ? JAVA_INT : JAVA_LONG;
    }

    /**
     * Says how wide the library's own integers are.
     *
     * @param wanted their width
     */
    public void setIntegers(NativeIntegers wanted) {
        integers = wanted;
    }

    /**
     * Returns the library's own integers.
     *
     * @return ints until something else was said
     */
    public NativeIntegers integers() {
        return integers;
    }

    /**
     * Looks for a symbol in the library and in those that it needs.
     *
     * @param name its name
     * @return its address, or empty
     */
    public Optional<MemorySegment> find(String name) {
        return symbols.find(name);
    }

    /**
     * Returns a symbol, to be passed on.
     *
     * @param name its name
     * @return its address
     * @throws IllegalStateException if the library does not have it
     */
    public MemorySegment symbol(String name) {
        return find(name).orElseThrow(() -> new IllegalStateException(file + " has no symbol " + name
                + ", expected a version that has"));
    }

    /**
     * Calls a function.
     *
     * @param name      its name
     * @param letters   its arguments' types
     * @param arguments pointers as {@link MemorySegment}, communicators as longs, integers as longs, ints as ints
     * @return what it returns
     * @throws IllegalStateException if the library does not have it
     */
    public int call(String name, String letters, Object... arguments) {
        return (int) invoke(functions.computeIfAbsent(name, key -> link(symbol(key), letters)), arguments);
    }

    /**
     * Calls a function that must go well.
     *
     * @param name      its name
     * @param letters   its arguments' types
     * @param arguments its arguments
     * @throws IllegalStateException if it does not return 0; says what it returns
     */
    public void require(String name, String letters, Object... arguments) {
        int code = call(name, letters, arguments);
        if (code != 0) {
            throw new IllegalStateException(name + " returned " + code + ", expected 0");
        }
    }

    private MethodHandle link(MemorySegment address, String letters) {
        List<MemoryLayout> layouts = new ArrayList<>();
        MethodType type = MethodType.methodType(int.class);
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            layouts.add(switch (letter) {
                case 'p' -> ADDRESS;
                case 'd' -> JAVA_DOUBLE;
                case 'c' -> communicator;
                case 'n' -> integers.layout();
                case 'l' -> JAVA_LONG;
                default -> JAVA_INT;
            });
            type = type.appendParameterTypes(switch (letter) {
                case 'p' -> MemorySegment.class;
                case 'd' -> double.class;
                case 'i' -> int.class;
                default -> long.class;
            });
        }
        MethodHandle handle = Linker.nativeLinker().downcallHandle(address,
                FunctionDescriptor.of(JAVA_INT, layouts.toArray(MemoryLayout[]::new)));
        return MethodHandles.explicitCastArguments(handle, type);
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
}
