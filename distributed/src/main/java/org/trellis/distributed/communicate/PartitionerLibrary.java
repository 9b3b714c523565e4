package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.backend.Availability;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.LibraryFiles;
import org.trellis.common.TrellisException;

/** A library that divides graphs on all ranks and calls MPI itself, on the ranks' own communicator. */
@SuppressWarnings("restricted") // native calls are what this class is for
final class PartitionerLibrary {
    private static final Pattern MPI = Pattern.compile("\\S*/(libmpi(ch)?\\.so[.0-9]*)$");

    private final MpiCommunicator communicator;
    private final Path file;
    private final SymbolLookup symbols;

    private PartitionerLibrary(MpiCommunicator communicator, Path file) {
        this.communicator = communicator;
        this.file = file;
        try {
            this.symbols = SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException(file + " cannot be loaded: " + e.getMessage());
        }
        requireOneMpi(file);
    }

    /**
     * Loads a library.
     *
     * @param ranks     the ranks, processes of MPI
     * @param installed where it is, as {@link #installed} says
     * @return the library
     * @throws BackendUnavailableException if it cannot be loaded, or was built for another MPI library
     */
    static PartitionerLibrary load(Communicator ranks, Availability installed) {
        return new PartitionerLibrary((MpiCommunicator) ranks.innermost(), Path.of(installed.reason()));
    }

    /** Finds a library whose file's name matches; the answer has its path, or the reason. */
    static Availability installed(String name, String remark) {
        Optional<Path> found = LibraryFiles.find(name);
        return found.isEmpty()
                ? Availability.no("no library is installed whose name matches " + name + "; " + remark)
                : Availability.yes(found.get().toString());
    }

    /** Handles of one MPI library mean nothing to another, which would end the process. */
    private static void requireOneMpi(Path file) {
        Set<String> names = new TreeSet<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
                Matcher matcher = MPI.matcher(line);
                if (matcher.find()) {
                    names.add(matcher.group(1));
                }
            }
        } catch (IOException e) {
            throw new BackendUnavailableException("what is loaded beside " + file + " cannot be found out: "
                    + e.getMessage());
        }
        if (names.size() != 1) {
            throw new BackendUnavailableException(file + " was built for another MPI library than that of these ranks: "
                    + names + " are loaded, expected one");
        }
    }

    Path file() {
        return file;
    }

    MpiCommunicator communicator() {
        return communicator;
    }

    /** The type of a communicator among arguments. */
    ValueLayout handleLayout() {
        return isNarrowHandle() ? JAVA_INT : JAVA_LONG;
    }

    /** The ranks' communicator as an argument. */
    Object handle() {
        return isNarrowHandle() ? (Object) (int) communicator.handle() : (Object) communicator.handle();
    }

    /** The ranks' communicator in memory, for functions that want its address. */
    MemorySegment handleIn(Arena arena) {
        return isNarrowHandle()
                ? arena.allocateFrom(JAVA_INT, (int) communicator.handle())
                : arena.allocateFrom(JAVA_LONG, communicator.handle());
    }

    private boolean isNarrowHandle() {
        return communicator.library().abi().handleBytes() == Integer.BYTES;
    }

    boolean has(String name) {
        return symbols.find(name).isPresent();
    }

    /** Calls a function that returns a status. */
    void check(int success, String name, FunctionDescriptor descriptor, Object... arguments) {
        Object status = call(name, descriptor, arguments);
        if ((int) status != success) {
            throw new TrellisException(name + " of " + file + " failed on rank " + communicator.rank() + " with status "
                    + status);
        }
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    Object call(String name, FunctionDescriptor descriptor, Object... arguments) {
        MemorySegment address = symbols.find(name)
                .orElseThrow(() -> new BackendUnavailableException(file + " has no function " + name));
        MethodHandle function = Linker.nativeLinker().downcallHandle(address, descriptor);
        try {
            return function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }

    /** Copies numbers as a library has them that was built with integers of 32 or 64 bits. */
    static MemorySegment copy(Arena arena, ValueLayout number, int... values) {
        // An array of no numbers still has a place.
        int[] padded = Arrays.copyOf(values, Math.max(1, values.length));
        return number.byteSize() == Integer.BYTES
                ? arena.allocateFrom(JAVA_INT, padded)
                : arena.allocateFrom(JAVA_LONG, Arrays.stream(padded).asLongStream().toArray());
    }

    /** Reads numbers as a library has them. */
    static int[] read(MemorySegment segment, ValueLayout number, int count) {
        int[] all = number.byteSize() == Integer.BYTES
                ? segment.toArray(JAVA_INT)
                : Arrays.stream(segment.toArray(JAVA_LONG)).mapToInt(Math::toIntExact).toArray();
        return Arrays.copyOf(all, count);
    }
}
