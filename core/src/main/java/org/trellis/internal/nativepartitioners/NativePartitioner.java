package org.trellis.internal.nativepartitioners;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.LibraryFiles;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;

/** What the partitioners have in common that call a library: finding and loading it, arguments, odd cases. */
abstract class NativePartitioner implements Partitioner {
    private final String name;
    private final String pattern;
    private final String packageName;
    private NativeLibrary library;

    /**
     * Describes a partitioner.
     *
     * @param name        the name for users
     * @param pattern     a regular expression for the name of the library's file
     * @param packageName the package that has it in Debian, for the message when it is not there
     */
    NativePartitioner(String name, String pattern, String packageName) {
        this.name = name;
        this.pattern = pattern;
        this.packageName = packageName;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Availability probe() {
        Optional<Path> file = LibraryFiles.find(pattern);
        if (file.isEmpty()) {
            return Availability.no("no library is installed whose name matches " + pattern
                    + "; the package is called " + packageName + " in Debian");
        }
        return Availability.yes(file.get().toString());
    }

    @Override
    public final Partition partition(Graph graph, int parts, double tolerance) {
        if (parts < 1 || !(tolerance >= 1)) {
            throw new IllegalArgumentException("number of parts is " + parts + " and tolerance " + tolerance
                    + ", expected at least 1 for both");
        }
        NativeLibrary loaded = loaded();
        if (parts == 1 || graph.vertices() == 0) {
            return new Partition(new int[graph.vertices()], parts);
        }
        return new Partition(call(loaded, withoutLoops(graph), parts, tolerance), parts);
    }

    @Override
    public final Optional<int[]> eliminationOrder(Graph graph) {
        NativeLibrary loaded = loaded();
        Graph bare = withoutLoops(graph);
        if (bare.neighbours().length == 0) {
            int[] natural = new int[graph.vertices()];
            Arrays.setAll(natural, v -> v);
            return Optional.of(natural);
        }
        return Optional.of(order(loaded, bare));
    }

    private synchronized NativeLibrary loaded() {
        if (library == null) {
            library = NativeLibrary.load(LibraryFiles.find(pattern).orElseThrow(
                    () -> new BackendUnavailableException(name + ": " + probe().reason())));
        }
        return library;
    }

    /** Neither library bears loops. */
    private static Graph withoutLoops(Graph graph) {
        int[] offsets = new int[graph.offsets().length];
        int[] neighbours = new int[graph.neighbours().length];
        int count = 0;
        for (int v = 0; v < graph.vertices(); v++) {
            for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                neighbours[count] = graph.neighbours()[i];
                count += neighbours[count] == v ? 0 : 1;
            }
            offsets[v + 1] = count;
        }
        return count == neighbours.length ? graph : new Graph(offsets, Arrays.copyOf(neighbours, count));
    }

    /** Asks the library for the vertices in the order of elimination; the graph has edges and no loops. */
    abstract int[] order(NativeLibrary loaded, Graph graph);

    /** Calls the library; the graph has vertices and no loops, and there are at least two parts. */
    abstract int[] call(NativeLibrary loaded, Graph graph, int parts, double tolerance);
}
