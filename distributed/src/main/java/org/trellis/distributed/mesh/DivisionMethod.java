package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.mesh.Dat;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.GeometricBisection;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;

/** How a set is divided: one that is whole, or one that is spread over its homes. */
interface DivisionMethod {
    /** Divides a set that is whole, in its current numbering. Called on one rank. */
    Division.Divided divide(MeshSet set, int parts, double[] shares);

    /** Divides a set of which each rank has what is at home there, in the user's order. Called by all ranks. */
    DirectoryDivision divide(DirectorySet set, int parts, double[] shares);

    /** Says whether all ranks have to take part, whole as the mesh may be. */
    default boolean isCollective() {
        return false;
    }

    /** By a partitioner of the graph that maps make, on one rank. */
    record ByPartitioner(Partitioner partitioner, double tolerance) implements DivisionMethod {
        private Partition parts(Graph graph, int parts, double... shares) {
            return parts == 1
                    ? new Partition(new int[graph.vertices()], 1)
                    : shares == null
                            ? partitioner.partition(graph, parts, tolerance)
                            : partitioner.partition(graph, shares, tolerance);
        }

        @Override
        public Division.Divided divide(MeshSet set, int parts, double[] shares) {
            Graph graph = MeshOrder.graph(set);
            Partition partition = parts(graph, parts, shares);
            return new Division.Divided(partition, OptionalLong.of(partition.edgeCut(graph)));
        }

        @Override
        public DirectoryDivision divide(DirectorySet set, int parts, double[] shares) {
            DirectoryGraph graph = DirectoryGraph.of(set);
            int[] partOf = graph.onOneRank(whole -> parts(whole, parts, shares));
            return new DirectoryDivision(partOf, graph.edgeCut(partOf));
        }
    }

    /** By a partitioner that works on all ranks. */
    record ByParallel(ParallelPartitioner partitioner, double tolerance) implements DivisionMethod {
        @Override
        public boolean isCollective() {
            return true;
        }

        @Override
        public Division.Divided divide(MeshSet set, int parts, double[] shares) {
            throw new IllegalStateException(set + " was to be divided on one rank by what works on all");
        }

        @Override
        public DirectoryDivision divide(DirectorySet set, int parts, double[] shares) {
            Division.requireEqual(shares, partitioner.label());
            DirectoryGraph graph = DirectoryGraph.of(set);
            int[] partOf = partitioner.partition(set.homes().communicator(), graph.offsets(), graph.neighbours(),
                    parts, tolerance);
            return new DirectoryDivision(partOf, graph.edgeCut(partOf));
        }
    }

    /** Into consecutive elements. */
    record Blocks() implements DivisionMethod {
        @Override
        public Division.Divided divide(MeshSet set, int parts, double[] shares) {
            return new Division.Divided(new Partition(range(set.size(), 0, set.size(), parts, shares), parts),
                    OptionalLong.empty());
        }

        @Override
        public DirectoryDivision divide(DirectorySet set, int parts, double[] shares) {
            return new DirectoryDivision(range(set.set().size(), set.first(), set.count(), parts, shares),
                    OptionalLong.empty());
        }

        /** The parts of some consecutive elements of a set. */
        static int[] range(int size, int first, int count, int parts, double... shares) {
            int[] partOf = new int[count];
            if (shares == null) {
                Arrays.setAll(partOf, i -> (int) ((long) (first + i) * parts / size));
                return partOf;
            }
            double[] checked = Partitioner.checkedShares(shares);
            double end = 0;
            int element = first;
            for (int part = 0; part < checked.length; part++) {
                end = part == checked.length - 1 ? 1 : end + checked[part];
                for (; element < Math.min(first + count, Math.round(end * size)); element++) {
                    partOf[element - first] = part;
                }
            }
            return partOf;
        }
    }

    /** By bisection of coordinates. */
    record ByCoordinates(BiFunction<MeshSet, String, Dat> find, String name) implements DivisionMethod {
        @Override
        public Division.Divided divide(MeshSet set, int parts, double[] shares) {
            Division.requireEqual(shares, "coordinates");
            Dat dat = find.apply(set, name);
            Partition found = GeometricBisection.coordinate(dat.toArray(), dat.components(), parts);
            return new Division.Divided(Division.inCurrentNumbering(set, found.partOf(), parts), OptionalLong.empty());
        }

        @Override
        public DirectoryDivision divide(DirectorySet set, int parts, double[] shares) {
            Division.requireEqual(shares, "coordinates");
            Dat dat = find.apply(set.set(), name);
            double[] coordinates = DirectoryValues.of(dat, set.homes()).here();
            set.homes().require(firstInfinite(coordinates, dat, set.first()));
            return new DirectoryDivision(
                    DirectoryBisection.run(set.homes().communicator(), coordinates, dat.components(), parts),
                    OptionalLong.empty());
        }

        private static String firstInfinite(double[] coordinates, Dat dat, int first) {
            for (int i = 0; i < coordinates.length; i++) {
                if (!Double.isFinite(coordinates[i])) {
                    return "coordinate " + i % dat.components() + " of element " + (first + i / dat.components())
                            + " in " + dat + " is " + coordinates[i] + ", expected a finite number";
                }
            }
            return null;
        }
    }

    /** As the caller says. */
    record Given(String set, int[] rankOf) implements DivisionMethod {
        @Override
        public Division.Divided divide(MeshSet base, int parts, double[] shares) {
            Division.requireEqual(shares, "given ranks");
            if (!base.name().equals(set)) {
                return new Blocks().divide(base, parts, null);
            }
            Checks.length("number of given ranks for " + base, rankOf.length, base.size());
            return new Division.Divided(Division.inCurrentNumbering(base, rankOf, parts), OptionalLong.empty());
        }

        @Override
        public DirectoryDivision divide(DirectorySet base, int parts, double[] shares) {
            Division.requireEqual(shares, "given ranks");
            if (!base.set().name().equals(set)) {
                return new Blocks().divide(base, parts, null);
            }
            Checks.length("number of given ranks for " + base.set(), rankOf.length, base.set().size());
            int[] here = Arrays.copyOfRange(rankOf, base.first(), base.first() + base.count());
            new Partition(here, parts); // checks that they are ranks
            return new DirectoryDivision(here, OptionalLong.empty());
        }
    }
}
