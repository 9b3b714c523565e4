package org.trellis.mesh;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.mesh.loop.SetExtent;

/**
 * What is to change in a mesh: sizes of sets, targets of maps, values of dats. Filled in by the function that
 * {@link Mesh#change} calls; nothing happens before that returns, and then everything or nothing.
 *
 * <p>All numbers are the user's: old ones for what was there before, new ones for targets and values. Arrays are not
 * copied before the change is made; they are not kept afterwards.
 */
public final class MeshChange {
    private final Mesh mesh;
    private final Map<MeshSet, Elements> elements = new LinkedHashMap<>();
    private final Map<MeshMap, Rows> targets = new LinkedHashMap<>();
    private final Map<Dat, DatTransfer> values = new LinkedHashMap<>();
    private boolean over;

    /** New elements of a set: where its parts end, and where each element comes from. */
    record Elements(int[] extents, int[] origins) {}

    /** New targets of a map; without offsets, as many for each element. */
    record Rows(int[] offsets, int[] targets) {}

    MeshChange(Mesh mesh) {
        this.mesh = mesh;
    }

    private void requireFirst(boolean mine, boolean first, Object what) {
        if (over) {
            throw new IllegalStateException("the change of the mesh is over, expected its parts to be given before the "
                    + "function of Mesh.change returns");
        }
        if (!mine) {
            throw new IllegalArgumentException("change of " + what + ", which is not of this mesh or closed, expected "
                    + "one of its own");
        }
        if (!first) {
            throw new IllegalArgumentException("change of " + what + " is given twice, expected once");
        }
    }

    /**
     * Changes the size of a set. Elements with numbers below both sizes stay what they are, further ones are new.
     *
     * @param set  the set
     * @param size its new number of elements
     * @return this
     * @throws IllegalArgumentException if the size is negative, the set is another mesh's, pinned, in parts, or has
     *                                  been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange resize(MeshSet set, int size) {
        Checks.notNegative("new size of " + set, size);
        int[] same = new int[size];
        Arrays.setAll(same, element -> element < set.size() ? element : -1);
        return resize(set, size, same);
    }

    /**
     * Changes the elements of a set. An old element may live on as several (one that is split), as one, or not at all.
     *
     * @param set  the set
     * @param size its new number of elements
     * @param from for each new element the old number of the one that it comes from, or -1 if it is new
     * @return this
     * @throws IllegalArgumentException if there are not as many origins as elements, an origin is no element, or the
     *                                  set is another mesh's, pinned, in parts, or has been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange resize(MeshSet set, int size, int[] from) {
        if (set.inParts()) {
            throw new IllegalArgumentException("new size of " + set + ", which is in parts, expected new sizes of all "
                    + "its parts");
        }
        return resize(set, new int[]{size, size, size, size}, from);
    }

    /**
     * Changes the elements of a set of which this rank has a part, with elements of others around it; see
     * {@link Mesh#set(String, int, int, int, int)}.
     *
     * @param set     the set
     * @param extents where its parts end: the new numbers of interior, owned, executed and all elements
     * @param from    for each new element the old number of the one that it comes from, or -1 if it is new
     * @return this
     * @throws IllegalArgumentException if the parts do not contain each other, there are not as many origins as
     *                                  elements, an origin is no element, or the set is another mesh's, pinned, or has
     *                                  been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange resize(MeshSet set, int[] extents, int[] from) {
        set.requireFree("new size");
        requireFirst(set.mesh() == mesh, !elements.containsKey(set), set);
        MeshDeclarations.requireNested("set '" + set.name() + "' after the change", extents);
        int size = extents[MeshSet.index(SetExtent.TOTAL)];
        Checks.length("number of origins for the new elements of " + set, from.length, size);
        for (int element = 0; element < size; element++) {
            if (from[element] < -1 || from[element] >= set.size()) {
                throw new IllegalArgumentException("origin of new element " + element + " of " + set + " is "
                        + from[element] + ", expected -1 (new) to " + (set.size() - 1));
            }
        }
        elements.put(set, new Elements(extents.clone(), from));
        return this;
    }

    /**
     * Gives a map new targets. A map that none are given for keeps those of each element's origin, as far as it is from
     * or to a set that changes: no element may then be new, and each of its targets has to live on as one element.
     *
     * @param map     a map of fixed arity
     * @param wanted  element after element of the new set, as many as before for each
     * @return this
     * @throws IllegalArgumentException if the map has variable arity, is another mesh's, or has been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange targets(MeshMap map, int[] wanted) {
        if (map.arity() == MeshMap.VARIABLE) {
            throw new IllegalArgumentException("new targets of " + map + " without row offsets, expected those too");
        }
        return targets(map, new Rows(null, Objects.requireNonNull(wanted)));
    }

    /**
     * Gives a map of variable arity new targets.
     *
     * @param map     the map
     * @param offsets new element e has the targets {@code offsets[e]} to {@code offsets[e + 1] - 1}
     * @param wanted  row after row
     * @return this
     * @throws IllegalArgumentException if the map has fixed arity, is another mesh's, or has been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange targets(MeshMap map, int[] offsets, int[] wanted) {
        if (map.arity() != MeshMap.VARIABLE) {
            throw new IllegalArgumentException("new targets of " + map + " with row offsets, expected targets alone");
        }
        return targets(map, new Rows(Objects.requireNonNull(offsets), Objects.requireNonNull(wanted)));
    }

    private MeshChange targets(MeshMap map, Rows rows) {
        map.to().requireFree("new targets of " + map + " in terms");
        requireFirst(map.from().mesh() == mesh, !targets.containsKey(map), map);
        targets.put(map, rows);
        return this;
    }

    /**
     * Gives the new elements of a dat a value other than 0.
     *
     * @param dat   the dat; elements with an origin have the values of that
     * @param value every component of every element without one
     * @return this
     * @throws IllegalArgumentException if the dat holds whole numbers and the value is none, the dat is another mesh's
     *                                  or closed, or values have been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange fill(Dat dat, double value) {
        dat.checkWhole(value);
        return put(dat, new TransferCopies(dat.components(), value));
    }

    /**
     * Gives a dat new values, whether or not its set changes.
     *
     * @param dat    the dat
     * @param wanted element by element of the new set, components side by side
     * @return this
     * @throws IllegalArgumentException if the dat is another mesh's or closed, or values have been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange values(Dat dat, double[] wanted) {
        Objects.requireNonNull(wanted);
        return put(dat, (old, from) -> wanted);
    }

    /**
     * Gives a dat new values, whether or not its set changes.
     *
     * @param dat    the dat
     * @param wanted element by element of the new set, components side by side
     * @return this
     * @throws IllegalArgumentException if the dat is another mesh's or closed, or values have been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange values(Dat dat, int[] wanted) {
        Objects.requireNonNull(wanted);
        return put(dat, (old, from) -> Arrays.stream(wanted).asDoubleStream().toArray());
    }

    /**
     * Has the new values of a dat computed, for example interpolated, whether or not its set changes. A dat that
     * nothing is said about has the values of each element's origin, and 0 where there is none.
     *
     * @param dat  the dat
     * @param rule gives them; called after the function of {@link Mesh#change} has returned, before anything changes
     * @return this
     * @throws IllegalArgumentException if the dat is another mesh's or closed, or values have been given before
     * @throws IllegalStateException    if the change is over
     */
    public MeshChange values(Dat dat, DatTransfer rule) {
        return put(dat, Objects.requireNonNull(rule));
    }

    private MeshChange put(Dat dat, DatTransfer rule) {
        requireFirst(mesh.declarations().has(dat), !values.containsKey(dat), dat);
        values.put(dat, rule);
        return this;
    }

    /** The function of the change has returned. */
    void end() {
        over = true;
    }

    Map<MeshSet, Elements> elements() {
        return elements;
    }

    Map<MeshMap, Rows> targets() {
        return targets;
    }

    Map<Dat, DatTransfer> values() {
        return values;
    }
}
