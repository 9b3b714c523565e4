package org.trellis.mesh;

import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;

/**
 * A map that leads from each element of one set to elements of another: to a fixed number of them, or to as many as the
 * element's row has. Kept as one column for each entry (fixed) or as row offsets and entries (variable), in the
 * current numbering of both sets.
 */
public final class MeshMap {
    /** The {@link #arity} of a map whose elements have different numbers of entries. */
    public static final int VARIABLE = -1;

    private final String name;
    private final MeshSet from;
    private final MeshSet to;
    private final int arity;
    private MapTargets targets;
    private ContributedRows brought;

    private MeshMap(String name, MeshSet from, MeshSet to, int arity, MapTargets targets) {
        this.name = name;
        this.from = from;
        this.to = to;
        this.arity = arity;
        this.targets = targets;
    }

    static MeshMap fixed(String name, MeshSet from, MeshSet to, int arity, int[] targets) {
        Objects.requireNonNull(name);
        return new MeshMap(name, from, to, arity,
                MapTargets.fixed(name, SetShape.of(from), SetShape.of(to), arity, targets));
    }

    static MeshMap variable(String name, MeshSet from, MeshSet to, int[] offsets, int[] targets) {
        Objects.requireNonNull(name);
        return new MeshMap(name, from, to, VARIABLE,
                MapTargets.variable(name, SetShape.of(from), SetShape.of(to), offsets, targets));
    }

    /** A map of which this rank has some rows only, until the mesh is divided. */
    static MeshMap brought(String name, MeshSet from, MeshSet to, int arity, ContributedRows rows) {
        MeshMap map = new MeshMap(Objects.requireNonNull(name), from, to, arity, null);
        map.brought = rows;
        return map;
    }

    /** A map that has been divided over ranks from the beginning. */
    static MeshMap onRanks(String name, MeshSet from, MeshSet to, int arity) {
        return new MeshMap(name, from, to, arity, null);
    }

    static MeshMap current(String name, MeshSet from, MeshSet to, MapTargets targets) {
        return new MeshMap(name, from, to, targets.columns().length, targets);
    }

    MapTargets targets() {
        if (brought != null) {
            throw new IllegalStateException(this + " has rows that each rank brings, so that its targets are nowhere "
                    + "together; expected a map that is declared whole");
        }
        if (targets == null) {
            throw new IllegalStateException(this + " has been divided over ranks, which have a share of its targets "
                    + "each, expected it to be asked for them before the first loop runs");
        }
        return targets;
    }

    /** Lets the targets go, which ranks have their shares of. */
    void divided() {
        targets = null;
        brought = null;
    }

    /** Says whether all targets are here; where they are not, what follows from them is checked on shares. */
    boolean isWhole() {
        return targets != null;
    }

    /**
     * Returns the rows that this rank brings, of a map that no rank has whole. For what divides the mesh.
     *
     * @return empty for a map that has been declared whole, and once the mesh has been divided
     */
    public Optional<ContributedRows> brought() {
        return Optional.ofNullable(brought);
    }

    void targets(MapTargets next) {
        targets = next;
    }

    /**
     * Returns the name.
     *
     * @return as declared
     */
    public String name() {
        return name;
    }

    /**
     * Returns the set whose elements have entries.
     *
     * @return the set that loops through this map run over
     */
    public MeshSet from() {
        return from;
    }

    /**
     * Returns the set that entries lead to.
     *
     * @return the set whose dats are reached through this map
     */
    public MeshSet to() {
        return to;
    }

    /**
     * Returns the number of entries of an element.
     *
     * @return at least 1, or {@link #VARIABLE}
     */
    public int arity() {
        return arity;
    }

    /**
     * Returns one entry of all elements, in the current numbering. For backends and plans.
     *
     * @param entry which entry
     * @return the target of each element; the array itself, not to be changed
     * @throws IndexOutOfBoundsException if the map has no such entry; a map of variable arity has none
     * @throws IllegalStateException if the mesh has been divided over ranks
     */
    public int[] column(int entry) {
        Checks.index("entry of map '" + name + "'", entry, arity == VARIABLE ? 0 : arity);
        return targets().column(entry);
    }

    /**
     * Returns where the rows of a map of variable arity start, in the current numbering. For backends and plans.
     *
     * @return element e has entries {@code offsets[e]} to {@code offsets[e + 1] - 1}; the array itself, null for fixed
     *         arity
     * @throws IllegalStateException if the mesh has been divided over ranks
     */
    public int[] offsets() {
        return targets().offsets();
    }

    /**
     * Returns the targets of a map of variable arity, in the current numbering. For backends and plans.
     *
     * @return row after row; the array itself, null for fixed arity
     * @throws IllegalStateException if the mesh has been divided over ranks
     */
    public int[] entries() {
        return targets().entries();
    }

    /**
     * Returns the targets in the user's numbering and order.
     *
     * @return element after element, as declared
     * @throws IllegalStateException if the mesh has been divided over ranks
     */
    public int[] toArray() {
        return targets().toArray(from, to);
    }

    /**
     * Returns where the rows of {@link #toArray} start, for a map of variable arity.
     *
     * @return in the user's order, one more than there are elements; null for fixed arity
     * @throws IllegalStateException if the mesh has been divided over ranks
     */
    public int[] rowOffsets() {
        return targets().offsets(from);
    }

    /**
     * Looks for a target that is reached twice.
     *
     * @param entry an entry, or -1 for all entries
     * @return such a target in the current numbering, or -1 if every target is reached at most once
     */
    int repeatedTarget(int entry) {
        return targets().repeatedTarget(entry, to.size());
    }

    void renumberTargets(Permutation permutation) {
        targets = targets().withTargets(permutation);
    }

    void renumberElements(Permutation permutation) {
        targets = targets().withElements(permutation);
    }

    /**
     * Returns the greatest number of entries of an element.
     *
     * @return the arity if it is fixed
     * @throws IllegalStateException if the mesh has been divided over ranks
     */
    public int maximumArity() {
        return targets().longestRow();
    }

    @Override
    public String toString() {
        return "map '" + name + "' from '" + from.name() + "' to '" + to.name() + "' with "
                + (arity == VARIABLE ? "variable arity" : "arity " + arity);
    }
}
