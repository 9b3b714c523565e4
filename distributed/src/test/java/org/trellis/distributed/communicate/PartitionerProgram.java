package org.trellis.distributed.communicate;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.DivisionReport;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.RankRows;

/** Divides a square of squares, of which each rank brings a strip, by a parallel partitioner and the built-in one. */
final class PartitionerProgram {
    private static final int SIDE = 60;

    private PartitionerProgram() {}

    static String run(Communicator communicator, ParallelPartitioner partitioner) {
        Availability available = partitioner.probe(communicator);
        if (!available.available()) {
            return communicator.rank() == 0 ? "not available: " + available.reason() : null;
        }
        StringBuilder text = new StringBuilder();
        for (boolean whole : new boolean[]{false, true}) {
            text.append(divided(communicator, Division.by(partitioner, 1.05), whole)).append('\n');
        }
        text.append(divided(communicator, Division.usual(), false)).append('\n');
        text.append(matrix(communicator, partitioner)).append('\n');
        return communicator.rank() == 0 ? text.toString() : null;
    }

    /** Counts the entries that lie in other ranks' columns, of the five-point stencil on the same square. */
    private static String matrix(Communicator communicator, ParallelPartitioner partitioner) {
        PartitionedMatrix matrix = PartitionedMatrix.generate(communicator, (long) SIDE * SIDE, Precision.F64,
                (row, out) -> {
                    int at = (int) row;
                    put(out, at - SIDE, at >= SIDE);
                    put(out, at - 1, at % SIDE > 0);
                    put(out, at, true);
                    put(out, at + 1, at % SIDE < SIDE - 1);
                    put(out, at + SIDE, at < SIDE * (SIDE - 1));
                }).repartition(partitioner, 1.05);
        RowBlock rows = matrix.rows();
        int[] owners = matrix.directory().find(Arrays.copyOf(rows.columns(), rows.nonZeros())).owners();
        long cut = communicator.sum(Arrays.stream(owners).filter(owner -> owner != communicator.rank()).count());
        return String.format(Locale.ROOT, "matrix entries %d cut %d imbalance %.3f", communicator.sum(rows.nonZeros()),
                cut / 2, communicator.greatest(rows.rows()) * (double) communicator.size() / matrix.globalRows());
    }

    private static void put(RowBlockBuilder out, int column, boolean exists) {
        if (exists) {
            out.add(column, 1);
        }
    }

    private static String divided(Communicator communicator, Division division, boolean whole) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual().withDivision(division))) {
            MeshSet nodes = mesh.set("nodes", SIDE * SIDE);
            MeshSet edges = mesh.set("edges", 2 * SIDE * (SIDE - 1));
            int[] all = IntStream.range(0, edges.size()).flatMap(PartitionerProgram::ends).toArray();
            RankRows rows = RankRows.of(mesh);
            int[] own = rows.block(edges);
            if (whole) {
                mesh.map("ends", edges, nodes, 2, all);
            } else {
                rows.map("ends", edges, nodes, 2, own, Arrays.stream(own).flatMap(PartitionerProgram::ends).toArray());
            }
            int[] ownNodes = rows.block(nodes);
            Dat x = rows.dat("x", nodes, 1, Precision.F64, ownNodes,
                    Arrays.stream(ownNodes).asDoubleStream().toArray());
            DivisionReport report = DistributedMesh.division(mesh);
            int[] owners = DistributedMesh.owners(nodes);
            long cut = 0;
            for (int e = 0; e < edges.size(); e++) {
                cut += owners[all[2 * e]] == owners[all[2 * e + 1]] ? 0 : 1;
            }
            int[] sizes = new int[communicator.size()];
            Arrays.stream(owners).forEach(owner -> sizes[owner]++);
            double sum = Arrays.stream(x.toArray()).sum();
            return String.format(Locale.ROOT, "%s cut %d counted %d imbalance %.3f sum %.1f", division,
                    report.edgeCut().orElse(-1), cut, Arrays.stream(sizes).max().orElseThrow()
                            * (double) communicator.size() / owners.length,
                    sum);
        }
    }

    private static IntStream ends(int edge) {
        boolean right = edge < SIDE * (SIDE - 1);
        int number = right ? edge : edge - SIDE * (SIDE - 1);
        int node = right ? number / (SIDE - 1) * SIDE + number % (SIDE - 1) : number;
        return IntStream.of(node, right ? node + 1 : node + SIDE);
    }
}
