package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.partition.MultilevelPartitioner;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;

/**
 * How a mesh is divided: which set first, and how. All other sets follow that one through maps. Without a set of its
 * own, that is the set that loops add the most to through maps, since what such loops run redundantly depends on it;
 * without such loops, the set that maps lead to most.
 */
public final class Division {
    /** How uneven parts may be unless the caller says otherwise. */
    public static final double USUAL_TOLERANCE = 1.02;
    /** What the division by PT-Scotch is called. */

    private final String label;
    private final Function<Mesh, Optional<MeshSet>> first;
    private final DivisionMethod method;
    /** What each rank is to have, relative to their sum; null for equal parts. */
    private final double[] shares;

    /** The first set with a part for each element, in the current numbering. */
    record Divided(Partition partition, OptionalLong edgeCut) {}

    private Division(String label, Function<Mesh, Optional<MeshSet>> first, DivisionMethod method) {
        this(label, first, method, null);
    }

    private Division(String label, Function<Mesh, Optional<MeshSet>> first, DivisionMethod method, double... shares) {
        this.label = label;
        this.first = first;
        this.method = method;
        this.shares = shares;
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
        return new Division(partitioner.name(), mesh -> Optional.empty(),
                new DivisionMethod.ByPartitioner(partitioner, tolerance));
    }

    /**
     * Divides by a parallel partitioner, of the graph that maps make of the set: on all ranks, none of which has the
     * graph whole. Ranks are processes under the MPI library that it was built for; sets stay in the user's order.
     *
     * @param partitioner one that is installed
     * @param tolerance   the largest part may be so many times the size of parts of equal size, at least 1
     * @return the division
     * @throws IllegalArgumentException if the tolerance is less than 1
     */
    public static Division by(ParallelPartitioner partitioner, double tolerance) {
        if (!(tolerance >= 1)) {
            throw new IllegalArgumentException("tolerance of the division is " + tolerance + ", expected at least 1");
        }
        return new Division(partitioner.label(), mesh -> Optional.empty(),
                new DivisionMethod.ByParallel(partitioner, tolerance));
    }

    /**
     * Divides into blocks of consecutive elements of about the same size, in the current numbering.
     *
     * @return the division
     */
    public static Division blocks() {
        return new Division("blocks", mesh -> Optional.empty(), new DivisionMethod.Blocks());
    }

    static Partition blocksOf(int size, int ranks) {
        return new Partition(DivisionMethod.Blocks.range(size, 0, size, ranks, null), ranks);
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
                new DivisionMethod.ByCoordinates((set, name) -> coordinates(set.mesh(), name), dat));
    }

    private static Dat coordinates(Mesh mesh, String name) {
        return mesh.dats().stream().filter(dat -> dat.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a mesh was to be divided by coordinates '" + name
                        + "', expected one of its dats: " + mesh.dats().stream().map(Dat::name).toList()));
    }

    static Partition inCurrentNumbering(MeshSet set, int[] partOf, int ranks) {
        int[] current = new int[set.size()];
        for (int element = 0; element < current.length; element++) {
            current[set.current(element)] = partOf[element];
        }
        return new Partition(current, ranks);
    }

    /**
     * Takes a division that was made elsewhere.
     *
     * @param set    the name of a set
     * @param rankOf the rank of each of its elements, in the user's numbering; the same on all ranks, not copied
     * @return the division
     */
    public static Division given(String set, int[] rankOf) {
        Objects.requireNonNull(set);
        return new Division("given", mesh -> Optional.of(named(mesh, set)), new DivisionMethod.Given(set, rankOf));
    }

    /**
     * Divides another set first.
     *
     * @param set the name of a set
     * @return the same division of that set
     */
    public Division of(String set) {
        Objects.requireNonNull(set);
        return new Division(label, mesh -> Optional.of(named(mesh, set)), method, shares);
    }

    /**
     * Gives ranks parts of different sizes, as for devices of different speed. A rank without a share gets nothing, as
     * if the others were alone.
     *
     * @param values for each rank what it is to have of the first set, relative to their sum; 0 or more, and one more
     * @return the same division with these shares
     * @throws IllegalArgumentException if a share is negative, all are 0, or their sum is not a number
     */
    public Division withShares(double... values) {
        if (!Arrays.stream(values).allMatch(share -> share >= 0 && share < Double.POSITIVE_INFINITY)
                || Arrays.stream(values).sum() == 0) {
            throw new IllegalArgumentException("shares of ranks are " + Arrays.toString(values)
                    + ", expected numbers from 0, and one above");
        }
        if (Double.isInfinite(Arrays.stream(values).sum())) {
            throw new IllegalArgumentException("shares of ranks are " + Arrays.toString(values)
                    + ", whose sum is too large for a number, expected it to be finite");
        }
        return new Division(label, first, method, values.clone());
    }

    static void requireEqual(double[] shares, String method) {
        if (shares != null) {
            throw new IllegalArgumentException("ranks were to have shares " + Arrays.toString(shares)
                    + " in a division by " + method + ", expected one by a partitioner or by blocks");
        }
    }

    private static MeshSet named(Mesh mesh, String name) {
        return mesh.sets().stream().filter(set -> set.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("set '" + name + "' was to be divided first, expected "
                        + "one of the mesh: " + mesh.sets().stream().map(MeshSet::name).toList()));
    }

    /**
     * Says whether ranks were given shares, so that they may be given others later.
     *
     * @return true after {@link #withShares}
     */
    public boolean hasShares() {
        return shares != null;
    }

    /** Says whether all ranks have to divide together, whole as the mesh may be. */
    boolean isCollective() {
        return method.isCollective();
    }

    /** Returns the set to begin with, if there is one. */
    Optional<MeshSet> first(Mesh mesh) {
        return first.apply(mesh);
    }

    Divided divide(MeshSet set, int ranks) {
        if (shares == null) {
            return method.divide(set, ranks, null);
        }
        int[] with = withShares(ranks);
        Divided divided = method.divide(set, with.length, sharesOf(with));
        int[] rankOf = Arrays.stream(divided.partition().partOf()).map(part -> with[part]).toArray();
        return new Divided(new Partition(rankOf, ranks), divided.edgeCut());
    }

    /** Divides a set that no rank has whole. Called by all ranks. */
    DirectoryDivision divide(DirectorySet set, int ranks) {
        if (shares == null) {
            return method.divide(set, ranks, null);
        }
        int[] with = withShares(ranks);
        DirectoryDivision divided = method.divide(set, with.length, sharesOf(with));
        return new DirectoryDivision(Arrays.stream(divided.partOf()).map(part -> with[part]).toArray(),
                divided.edgeCut());
    }

    /** Lists the ranks that have something: all, unless shares of 0 say otherwise. */
    int[] ranksWithSomething(int ranks) {
        return shares == null ? IntStream.range(0, ranks).toArray() : withShares(ranks);
    }

    /** The ranks that have a share. */
    private int[] withShares(int ranks) {
        Checks.length("number of shares for " + ranks + " ranks", shares.length, ranks);
        return IntStream.range(0, ranks).filter(rank -> shares[rank] > 0).toArray();
    }

    private double[] sharesOf(int... with) {
        return Arrays.stream(with).mapToDouble(rank -> shares[rank]).toArray();
    }

    @Override
    public String toString() {
        return shares == null ? label : label + " with shares " + Arrays.toString(shares);
    }
}
