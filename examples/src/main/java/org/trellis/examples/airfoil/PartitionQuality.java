package org.trellis.examples.airfoil;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.trellis.backend.Availability;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.MatrixGraph;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.GeometricBisection;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.mesh.partition.Partitioners;

/**
 * Compares partitioners on a matrix and a mesh: {@code trellis measure partitioners SIDE I J PARTS...}, with the
 * five-point stencil of SIDE times SIDE points and the cells of an Airfoil mesh with I times J. PT-Scotch, ParMETIS and
 * Zoltan take part if this is run by a launcher of MPI. Times are medians of five after two for warming up, of one
 * thread or, for these, of all processes.
 */
public final class PartitionQuality {
    private static final double TOLERANCE = 1.02;
    private static final int WARM = 2;
    private static final int ROUNDS = 5;

    private final Communicator communicator;

    private PartitionQuality(Communicator communicator) {
        this.communicator = communicator;
    }

    /** A graph with a place for each vertex. */
    private record Problem(String name, Graph graph, double[] coordinates) {}

    /**
     * Runs the program.
     *
     * @param arguments points on a side, cells of the mesh in each direction, numbers of parts
     */
    public static void start(String... arguments) {
        int[] numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
        ThreadRanks.RankTask<Void> task = communicator -> {
            new PartitionQuality(communicator).run(numbers);
            return null;
        };
        if (MpiRanks.launched().isPresent()) {
            MpiRanks.run(Configuration.load(), task);
        } else {
            ThreadRanks.run(1, task);
        }
    }

    private void run(int... numbers) {
        print("ranks for parallel partitioners: %d, %s; tolerance %.2f%n", communicator.size(),
                communicator.transport(), TOLERANCE);
        for (Problem problem : new Problem[]{stencil(numbers[0]), airfoil(numbers[1], numbers[2])}) {
            print("%s: %d vertices, %d edges%n", problem.name, problem.graph.vertices(),
                    problem.graph.neighbours().length / 2);
            print("%5s  %-11s %8s %9s %10s %8s %9s%n", "parts", "method", "cut", "imbalance", "neighbours", "halo %",
                    "ms");
            for (int parts : Arrays.copyOfRange(numbers, 3, numbers.length)) {
                compare(problem, parts);
            }
        }
    }

    private void compare(Problem problem, int parts) {
        Graph graph = problem.graph;
        if (communicator.rank() == 0) {
            measure(problem, parts, "blocks", () -> blocks(graph.vertices(), parts));
            measure(problem, parts, "coordinates",
                    () -> GeometricBisection.coordinate(problem.coordinates, 2, parts));
            measure(problem, parts, "inertial", () -> GeometricBisection.inertial(problem.coordinates, 2, parts));
            for (Partitioner partitioner : Partitioners.all()) {
                Availability available = partitioner.probe();
                if (available.available()) {
                    measure(problem, parts, partitioner.name(), () -> partitioner.partition(graph, parts, TOLERANCE));
                } else {
                    print("%5d  %-11s not available: %s%n", parts, partitioner.name(), available.reason());
                }
            }
        }
        communicator.barrier();
        for (ParallelPartitioner partitioner : ParallelPartitioner.values()) {
            Availability available = partitioner.probe(communicator);
            if (available.available()) {
                measure(problem, parts, partitioner.label(), () -> together(partitioner, graph, parts));
            } else {
                print("%5d  %-11s not available: %s%n", parts, partitioner.label(), available.reason());
            }
        }
    }

    /** Divided by all ranks, each of which brings consecutive vertices; the whole on rank 0. */
    private Partition together(ParallelPartitioner partitioner, Graph graph, int parts) {
        int first = (int) ((long) graph.vertices() * communicator.rank() / communicator.size());
        int end = (int) ((long) graph.vertices() * (communicator.rank() + 1) / communicator.size());
        int from = graph.offsets()[first];
        int[] offsets = Arrays.stream(graph.offsets(), first, end + 1).map(offset -> offset - from).toArray();
        int[] own = partitioner.partition(communicator, offsets,
                Arrays.copyOfRange(graph.neighbours(), from, graph.offsets()[end]), parts, TOLERANCE);
        Packet packet = new Packet();
        Arrays.stream(own).forEach(packet::put);
        byte[][] all = communicator.gather(0, packet.toBytes());
        int[] partOf = new int[graph.vertices()];
        int vertex = 0;
        for (byte[] message : communicator.rank() == 0 ? all : new byte[0][]) {
            for (Packet read = Packet.of(message); read.hasMore();) {
                partOf[vertex++] = read.getInt();
            }
        }
        return new Partition(partOf, parts);
    }

    private void measure(Problem problem, int parts, String name, Supplier<Partition> method) {
        double[] seconds = new double[ROUNDS];
        Partition partition = null;
        for (int round = -WARM; round < ROUNDS; round++) {
            long began = System.nanoTime();
            partition = method.get();
            seconds[Math.max(0, round)] = (System.nanoTime() - began) * 1e-9;
        }
        Arrays.sort(seconds);
        int[] neighbours = new int[parts];
        double halo = halo(problem.graph, partition, neighbours);
        print("%5d  %-11s %8d %9.3f %10d %8.2f %9.2f%n", parts, name, partition.edgeCut(problem.graph),
                partition.imbalance(), Arrays.stream(neighbours).max().orElseThrow(), 100 * halo,
                1e3 * seconds[ROUNDS / 2]);
    }

    /** The greatest ratio of vertices next to a part to those in it; counts the parts beside each part, too. */
    private static double halo(Graph graph, Partition partition, int... neighbours) {
        int[] partOf = partition.partOf();
        int[] sizes = partition.sizes();
        double greatest = 0;
        for (int part = 0; part < neighbours.length; part++) {
            BitSet outside = new BitSet();
            Set<Integer> beside = new HashSet<>();
            for (int v = 0; v < partOf.length; v++) {
                for (int k = graph.offsets()[v]; partOf[v] == part && k < graph.offsets()[v + 1]; k++) {
                    int other = graph.neighbours()[k];
                    if (partOf[other] != part) {
                        outside.set(other);
                        beside.add(partOf[other]);
                    }
                }
            }
            neighbours[part] = beside.size();
            greatest = Math.max(greatest, (double) outside.cardinality() / Math.max(1, sizes[part]));
        }
        return greatest;
    }

    private static Partition blocks(int vertices, int parts) {
        int[] partOf = new int[vertices];
        Arrays.setAll(partOf, v -> (int) ((long) v * parts / vertices));
        return new Partition(partOf, parts);
    }

    private static Problem stencil(int side) {
        double[] coordinates = new double[2 * side * side];
        Arrays.setAll(coordinates, k -> k % 2 == 0 ? Math.floorDiv(k, 2) % side : Math.floorDiv(k, 2 * side));
        String name = "poisson2d:nx=" + side;
        return new Problem(name,
                MatrixGraph.of(MatrixSpec.parse(name).generate(Precision.F64, ProgressListener.NONE)), coordinates);
    }

    /** Cells that share an edge are joined. */
    private static Problem airfoil(int i, int j) {
        AirfoilMesh mesh = AirfoilGenerator.generate(i, j);
        double[] coordinates = new double[2 * mesh.cells()];
        int corners = mesh.cellNodes().length / mesh.cells();
        for (int k = 0; k < mesh.cellNodes().length; k++) {
            int node = mesh.cellNodes()[k];
            coordinates[2 * (k / corners)] += mesh.coordinates()[2 * node] / corners;
            coordinates[2 * (k / corners) + 1] += mesh.coordinates()[2 * node + 1] / corners;
        }
        return new Problem("cells of airfoil " + i + "x" + j,
                Graph.ofTargets(mesh.cells(), mesh.edgeCells(), 2), coordinates);
    }

    private void print(String format, Object... values) {
        if (communicator.rank() == 0) {
            System.out.printf(Locale.ROOT, format, values);
        }
    }
}
