package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trellis.backend.Availability;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Checks;
import org.trellis.common.TrellisException;

/**
 * The parallel partitioner PT-Scotch 6 or 7, where it is installed: divides a graph whose vertices are spread over the
 * ranks, so that no rank has it whole (C. Chevalier, F. Pellegrini, "PT-Scotch: a tool for efficient parallel graph
 * ordering", Parallel Comput. 34, 2008). It calls MPI itself, on the ranks' own communicator; so ranks have to be
 * processes under the MPI library that PT-Scotch was built for. While it works, no rank's patience counts. Parts may
 * differ from run to run, by the order in which messages come.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
public final class PtScotch {
    private static final String FILE = "libptscotch(-[0-9.]+)?\\.so[.0-9]*";
    private static final List<String> FOLDERS = List.of("/usr/local/lib", "/usr/local/lib64",
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib");
    private static final Pattern MPI = Pattern.compile("\\S*/(libmpi(ch)?\\.so[.0-9]*)$");
    private static final long AMPLE = 4096;

    private final MpiCommunicator communicator;
    private final Path file;
    private final SymbolLookup symbols;
    private final ValueLayout number;

    private PtScotch(MpiCommunicator communicator, Path file) {
        this.communicator = communicator;
        this.file = file;
        try {
            this.symbols = SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException(file + " cannot be loaded: " + e.getMessage());
        }
        requireOneMpi(file);
        this.number = (int) call("SCOTCH_numSizeof", FunctionDescriptor.of(JAVA_INT)) == Integer.BYTES
                ? JAVA_INT
                : JAVA_LONG;
    }

    /**
     * Finds out whether these ranks can use it, as far as that shows without loading it.
     *
     * @param ranks the ranks
     * @return the answer with a reason
     */
    public static Availability probe(Communicator ranks) {
        if (!(ranks.innermost() instanceof MpiCommunicator)) {
            return Availability.no("ranks communicate by " + ranks.transport() + ", and PT-Scotch calls MPI: expected "
                    + "processes of MpiRanks");
        }
        return installed();
    }

    /**
     * Finds out whether it is installed, as far as that shows without loading it: not whether it was built for the MPI
     * library that ranks will have.
     *
     * @return the answer with a reason, the file's path if there is one
     */
    public static Availability installed() {
        Optional<Path> found = find();
        return found.isEmpty()
                ? Availability.no("no library is installed whose name matches " + FILE
                        + "; the package is called libptscotch-7.0 in Debian")
                : Availability.yes(found.get().toString());
    }

    private static Optional<Path> find() {
        List<Path> folders = new ArrayList<>();
        String path = System.getenv("LD_LIBRARY_PATH");
        Stream.of((path == null ? "" : path).split(File.pathSeparator, -1)).filter(folder -> !folder.isBlank())
                .map(Path::of).forEach(folders::add);
        FOLDERS.stream().map(Path::of).forEach(folders::add);
        return folders.stream().flatMap(folder -> newestIn(folder).stream()).findFirst();
    }

    /** A folder that may not be read holds nothing that could be loaded. */
    private static Optional<Path> newestIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(found -> String.valueOf(found.getFileName()).matches(FILE))
                    .filter(Files::isRegularFile).max(Path::compareTo);
        } catch (IOException e) {
            return Optional.empty();
        }
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

    /**
     * Divides a graph. Collective.
     *
     * @param ranks      processes of MPI
     * @param offsets    where the neighbours of each vertex of this rank start, and the number of neighbours; vertices
     *                   of lower ranks have lower numbers
     * @param neighbours numbers of the neighbours in the whole graph; none twice, none a vertex's own, and each edge in
     *                   both directions
     * @param parts      number of parts, at least 1
     * @param tolerance  the size of the largest part may be this times that of parts of equal size, 1 or more; kept
     *                   unless the method fails to
     * @return a part for each vertex of this rank
     * @throws IllegalArgumentException    if {@code parts} or {@code tolerance} is less than 1
     * @throws BackendUnavailableException if these ranks cannot use it; says why
     * @throws TrellisException            if one of its functions fails; names it
     */
    public static int[] partition(Communicator ranks, int[] offsets, int[] neighbours, int parts, double tolerance) {
        Checks.positive("number of parts", parts);
        if (!(tolerance >= 1)) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ", expected at least 1");
        }
        Availability available = probe(ranks);
        if (!available.available()) {
            throw new BackendUnavailableException("partitioner ptscotch cannot be used here: " + available.reason());
        }
        if (parts == 1 || ranks.greatest(offsets.length - 1) == 0) {
            return new int[offsets.length - 1];
        }
        PtScotch scotch = new PtScotch((MpiCommunicator) ranks.innermost(), Path.of(available.reason()));
        try (Arena arena = Arena.ofConfined()) {
            return scotch.partition(arena, offsets, neighbours, parts, tolerance);
        }
    }

    private int[] partition(Arena arena, int[] offsets, int[] neighbours, int parts, double tolerance) {
        MemorySegment graph = arena.allocate(AMPLE, Long.BYTES);
        MemorySegment strategy = arena.allocate(AMPLE, Long.BYTES);
        boolean narrow = communicator.library().abi().handleBytes() == Integer.BYTES;
        call("SCOTCH_randomReset", FunctionDescriptor.ofVoid());
        check("SCOTCH_dgraphInit", FunctionDescriptor.of(JAVA_INT, ADDRESS, narrow ? JAVA_INT : JAVA_LONG), graph,
                narrow ? (Object) (int) communicator.handle() : (Object) communicator.handle());
        check("SCOTCH_stratInit", FunctionDescriptor.of(JAVA_INT, ADDRESS), strategy);
        try {
            int vertices = offsets.length - 1;
            MemorySegment starts = copy(arena, offsets);
            MemorySegment none = MemorySegment.NULL;
            check("SCOTCH_dgraphBuild",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, number, number, number, ADDRESS, ADDRESS, ADDRESS, ADDRESS,
                            number, number, ADDRESS, ADDRESS, ADDRESS),
                    graph, argument(0), argument(vertices), argument(vertices), starts,
                    starts.asSlice(number.byteSize()), none, none, argument(neighbours.length),
                    argument(neighbours.length), copy(arena, neighbours), none, none);
            check("SCOTCH_stratDgraphMapBuild",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, number, number, number, JAVA_DOUBLE), strategy,
                    argument(0), argument(communicator.size()), argument(parts), tolerance - 1);
            MemorySegment partOf = arena.allocate(number, Math.max(1, vertices));
            check("SCOTCH_dgraphPart", FunctionDescriptor.of(JAVA_INT, ADDRESS, number, ADDRESS, ADDRESS), graph,
                    argument(parts), strategy, partOf);
            return read(partOf, vertices);
        } finally {
            call("SCOTCH_stratExit", FunctionDescriptor.ofVoid(ADDRESS), strategy);
            call("SCOTCH_dgraphExit", FunctionDescriptor.ofVoid(ADDRESS), graph);
        }
    }

    private boolean isNarrow() {
        return number.byteSize() == Integer.BYTES;
    }

    private Object argument(int value) {
        return isNarrow() ? (Object) value : (Object) (long) value;
    }

    private MemorySegment copy(Arena arena, int... values) {
        // An array of no numbers still has a place.
        int[] padded = Arrays.copyOf(values, Math.max(1, values.length));
        return isNarrow()
                ? arena.allocateFrom(JAVA_INT, padded)
                : arena.allocateFrom(JAVA_LONG, Arrays.stream(padded).asLongStream().toArray());
    }

    private int[] read(MemorySegment segment, int count) {
        int[] all = isNarrow()
                ? segment.toArray(JAVA_INT)
                : Arrays.stream(segment.toArray(JAVA_LONG)).mapToInt(Math::toIntExact).toArray();
        return Arrays.copyOf(all, count);
    }

    private void check(String name, FunctionDescriptor descriptor, Object... arguments) {
        Object status = call(name, descriptor, arguments);
        if ((int) status != 0) {
            throw new TrellisException(name + " of " + file + " failed on rank " + communicator.rank() + " with status "
                    + status);
        }
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    private Object call(String name, FunctionDescriptor descriptor, Object... arguments) {
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
}
