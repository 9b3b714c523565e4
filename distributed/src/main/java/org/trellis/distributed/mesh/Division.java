package org.trellis.distributed.mesh;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.trellis.common.Checks;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.GeometricBisection;
import org.trellis.mesh.partition.MultilevelPartitioner;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;

/**
 * How a mesh is divided: which set first, and how. All other sets follow that one through maps. Without a set of its
 * own, that is the set that loops add the most to through maps, since what such loops run redundantly depends on it;
 * without such loops, the set that maps lead to most.
 */
public final class Division {
    /** How uneven parts may be unless somebody says otherwise. */
    public static final double USUAL_TOLERANCE = 1.02;

    private final String label;
    private final Function<Mesh, Optional<MeshSet>> first;
    private final Method method;

    /** The first set with a part for each element, in the current numbering. */
    record Divided(Partition partition, OptionalLong edgeCut) {}

    /** How a set is divided. */
    @FunctionalInterface
    private interface Method {
        Divided divide(MeshSet set, int ranks);
    }

    private Division(String label, Function<Mesh, Optional<MeshSet>> first, Method method) {
        this.label = label;
        this.first = first;
        this.method = method;
    }

    /**
     * Divides by the built-in multilevel partitioner, with parts uneven by at most {@link #USUAL_TOLERANCE}.
     *
     * @return the usual division
     */
    public static Division usual() {
        return by(new MultilevelPartitioner(), USUAL_TOLERANCE);
    }

    /**
     * Divides by a partitioner of the graph that maps make of the set ({@link MeshOrder#graph}). It runs on rank 0.
     *
     * @param partitioner the partitioner
     * @param tolerance   the largest part may be so many times the size of parts of equal size, at least 1
     * @return the division
     * @throws IllegalArgumentException if the tolerance is less than 1
     */
    public static Division by(Partitioner partitioner, double tolerance) {
        if (!(tolerance >= 1)) {
            throw new IllegalArgumentException("tolerance of the division is " + tolerance + ", expected at least 1");
        }
        return new Division(partitioner.name(), mesh -> Optional.empty(), (set, ranks) -> {
            Graph graph = MeshOrder.graph(set);
            Partition partition = ranks == 1
                    ? new Partition(new int[set.size()], 1)
                    : partitioner.partition(graph, ranks, tolerance);
            return new Divided(partition, OptionalLong.of(partition.edgeCut(graph)));
        });
    }

    /**
     * Divides into blocks of consecutive elements of about the same size, in the current numbering.
     *
     * @return the division
     */
    public static Division blocks() {
        return new Division("blocks", mesh -> Optional.empty(),
                (set, ranks) -> new Divided(blocksOf(set.size(), ranks), OptionalLong.empty()));
    }

    static Partition blocksOf(int size, int ranks) {
        int[] partOf = new int[size];
        for (int element = 0; element < size; element++) {
            partOf[element] = (int) ((long) element * ranks / size);
        }
        return new Partition(partOf, ranks);
    }

    /**
     * Divides by recursive bisection of coordinates. The set is that of the dat.
     *
     * @param dat the name of a dat with one to three components
     * @return the division
     */
    public static Division byCoordinates(String dat) {
        Objects.requireNonNull(dat);
        return new Division("coordinates '" + dat + "'", mesh -> Optional.of(coordinates(mesh, dat).set()),
                (set, ranks) -> {
                    Dat coordinates = coordinates(set.mesh(), dat);
                    int dimensions = coordinates.components();
                    Partition parts = GeometricBisection.coordinate(coordinates.toArray(), dimensions, ranks);
                    return new Divided(inCurrentNumbering(set, parts.partOf(), ranks), OptionalLong.empty());
                });
    }

    private static Dat coordinates(Mesh mesh, String name) {
        return mesh.dats().stream().filter(dat -> dat.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a mesh was to be divided by coordinates '" + name
                        + "', expected one of its dats: " + mesh.dats().stream().map(Dat::name).toList()));
    }

    private static Partition inCurrentNumbering(MeshSet set, int[] partOf, int ranks) {
        int[] current = new int[set.size()];
        for (int element = 0; element < current.length; element++) {
            current[set.current(element)] = partOf[element];
        }
        return new Partition(current, ranks);
    }

    /**
     * Takes a division that somebody else has made.
     *
     * @param set    the name of a set
     * @param rankOf the rank of each of its elements, in the user's numbering; the same on all ranks, not copied
     * @return the division
     */
    public static Division given(String set, int[] rankOf) {
        Objects.requireNonNull(set);
        return new Division("given", mesh -> Optional.of(named(mesh, set)), (base, ranks) -> {
            if (!base.name().equals(set)) {
                return new Divided(blocksOf(base.size(), ranks), OptionalLong.empty());
            }
            Checks.length("number of given ranks for " + base, rankOf.length, base.size());
            return new Divided(inCurrentNumbering(base, rankOf, ranks), OptionalLong.empty());
        });
    }

    /**
     * Divides another set first.
     *
     * @param set the name of a set
     * @return the same division of that set
     */
    public Division of(String set) {
        Objects.requireNonNull(set);
        return new Division(label, mesh -> Optional.of(named(mesh, set)), method);
    }

    private static MeshSet named(Mesh mesh, String name) {
        return mesh.sets().stream().filter(set -> set.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("set '" + name + "' was to be divided first, expected "
                        + "one of the mesh: " + mesh.sets().stream().map(MeshSet::name).toList()));
    }

    /** Returns the set to begin with, if this says so. */
    Optional<MeshSet> first(Mesh mesh) {
        return first.apply(mesh);
    }

    Divided divide(MeshSet set, int ranks) {
        return method.divide(set, ranks);
    }

    @Override
    public String toString() {
        return label;
    }
}
