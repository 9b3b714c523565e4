package org.trellis.mesh;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.memory.Numbering;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.mesh.loop.SetParts;

/**
 * A set of mesh elements of one kind: nodes, edges, cells. Elements are numbered from 0 by the user; the mesh may keep
 * them in another order ({@link Mesh#renumber}), which only code that asks for the current numbering sees. Elements
 * come and go in a {@link Mesh#change}.
 */
public final class MeshSet {
    private final Mesh mesh;
    private final String name;
    private int size;
    private final int[] extents;
    private final SetParts parts;
    private Permutation order;
    private int numberingVersion;
    private int[] blocks;
    private AssemblyPattern pinnedBy;
    private boolean replicated;

    MeshSet(Mesh mesh, String name, int... extents) {
        this(mesh, name, null, extents.clone());
    }

    private MeshSet(Mesh mesh, String name, SetParts parts, int[] extents) {
        this.mesh = mesh;
        this.name = Objects.requireNonNull(name);
        this.parts = parts;
        this.extents = extents;
        this.size = extents[index(SetExtent.TOTAL)];
    }

    /** A set of one of several ranks, with rings around what it owns. */
    static MeshSet inRings(Mesh mesh, String name, SetParts parts) {
        return new MeshSet(mesh, name, parts,
                new int[]{parts.interior(), parts.owned(), parts.executed(1), parts.total()});
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
     * Returns the number of elements; those of the whole set, if the mesh is divided over ranks.
     *
     * @return at least 0
     */
    public int size() {
        return size;
    }

    /**
     * Returns where a part of the set ends.
     *
     * @param part the part
     * @return the number of its elements, which are the first ones in the current numbering
     */
    public int extent(SetExtent part) {
        return extents[index(part)];
    }

    /**
     * Says whether the set has parts that are not the whole: elements of other ranks, or a border.
     *
     * @return false on one rank
     */
    public boolean inParts() {
        return extents[index(SetExtent.INTERIOR)] != size;
    }

    /**
     * Returns the rings around what this rank owns.
     *
     * @return the ends of parts and rings; empty for a set that was declared without rings
     */
    public Optional<SetParts> rings() {
        return Optional.ofNullable(parts);
    }

    /**
     * Returns where parts of the set end, so that a loop can be run from one end to another.
     *
     * @return rising numbers of elements, perhaps with repetitions; a new array
     */
    public int[] ends() {
        return parts == null
                ? extents.clone()
                : IntStream.concat(IntStream.of(parts.interior()), parts.ends().stream().mapToInt(Integer::intValue))
                        .toArray();
    }

    /**
     * Returns how many elements, which are the first ones, have rows in maps: all but those of the last ring that are
     * only read. Loops run over no others.
     *
     * @return the size of a set without rings
     */
    public int withRows() {
        return parts == null ? size : parts.executed(parts.rings());
    }

    /**
     * Says that every rank of a distributed job has this whole set with the same values on it, as a set of one element
     * that holds the state of a recurrence. A reduction over it is then not combined with those of other ranks. Without
     * meaning on one rank.
     *
     * @return this set
     */
    public MeshSet replicate() {
        replicated = true;
        return this;
    }

    /**
     * Says whether every rank has the whole set.
     *
     * @return true after {@link #replicate}
     */
    public boolean isReplicated() {
        return replicated;
    }

    /**
     * Returns the mesh.
     *
     * @return where the set was declared
     */
    public Mesh mesh() {
        return mesh;
    }

    /**
     * Returns the current order.
     *
     * @return from the user's numbers to the current ones
     */
    public Permutation order() {
        return order == null ? Permutation.identity(size) : order;
    }

    /**
     * Says whether elements are kept in the user's order.
     *
     * @return false after a renumbering
     */
    public boolean inUserOrder() {
        return order == null;
    }

    /**
     * Returns the current numbering, to which vectors and operators can be bound.
     *
     * @param components values of an element, which lie side by side
     * @return the numbering of vectors of {@code size × components} elements; not current any more once the set is
     *         renumbered or changed
     * @throws IllegalArgumentException if the number of components is not positive
     */
    public Numbering numbering(int components) {
        Checks.positive("number of components", components);
        return new SetNumbering(this, components);
    }

    int numberingVersion() {
        return numberingVersion;
    }

    /**
     * Returns the current number of an element.
     *
     * @param element the user's number
     * @return where it is kept
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public int current(int element) {
        Checks.index("element of set '" + name + "'", element, size);
        return order == null ? element : order.newIndex(element);
    }

    /**
     * Cuts the set into blocks of consecutive elements, in the current numbering: those that a partitioner found and a
     * renumbering made consecutive. Loops over the set use them if their {@link LoopParameters#blockSize} is 0. A
     * later renumbering or change of the set forgets them.
     *
     * @param offsets where each block starts, and the size of the set; copied
     * @throws IllegalArgumentException if the offsets do not rise from 0 to the size
     */
    public void blocks(int... offsets) {
        if (offsets.length == 0 || offsets[0] != 0 || offsets[offsets.length - 1] != size) {
            throw new IllegalArgumentException("block offsets of set '" + name + "' run from "
                    + (offsets.length == 0 ? "nothing" : offsets[0] + " to " + offsets[offsets.length - 1])
                    + ", expected 0 to " + size);
        }
        for (int block = 1; block < offsets.length; block++) {
            if (offsets[block] < offsets[block - 1]) {
                throw new IllegalArgumentException("block offset " + block + " of set '" + name + "' is "
                        + offsets[block] + ", expected at least " + offsets[block - 1]);
            }
        }
        blocks = offsets.clone();
        mesh.structureChanged();
    }

    /**
     * Returns the blocks of {@link #blocks}.
     *
     * @return where each starts, and the size of the set; null if the set has not been cut
     */
    public int[] blockOffsets() {
        return blocks == null ? null : blocks.clone();
    }

    /**
     * Says whether the set has been cut into blocks.
     *
     * @return true after {@link #blocks}
     */
    public boolean hasBlocks() {
        return blocks != null;
    }

    /** Where the end of a part is among extents. */
    static int index(SetExtent part) {
        return switch (part) {
            case INTERIOR -> 0;
            case OWNED -> 1;
            case EXECUTED -> 2;
            case TOTAL -> 3;
        };
    }

    int[] extents() {
        return extents.clone();
    }

    /** Refuses an order that would move elements from one part to another. */
    void requireParts(Permutation permutation) {
        int[] ends = ends();
        for (int element = 0; element < size && inParts(); element++) {
            for (int bound : ends) {
                if (element < bound != permutation.newIndex(element) < bound) {
                    throw new IllegalArgumentException("renumbering of " + this + " moves element " + element + " to "
                            + permutation.newIndex(element) + " across the end of a part at " + bound
                            + ", expected parts to keep their elements");
                }
            }
        }
    }

    void renumber(Permutation permutation) {
        Permutation next = order == null ? permutation : order.then(permutation);
        order = next.equals(Permutation.identity(size)) ? null : next;
        numberingVersion++;
        blocks = null;
    }

    /** Takes other elements, which are in the user's order. */
    void change(int... newExtents) {
        System.arraycopy(newExtents, 0, extents, 0, extents.length);
        size = extents[index(SetExtent.TOTAL)];
        order = null;
        numberingVersion++;
        blocks = null;
    }

    /**
     * Says whether the numbering of the set follows that of others, so that no other code may renumber it.
     *
     * @return true for the entries of an {@link AssemblyPattern}
     */
    public boolean pinned() {
        return pinnedBy != null;
    }

    void pin(AssemblyPattern pattern) {
        pinnedBy = pattern;
    }

    /** Refuses what would change the set itself, if it follows others. */
    void requireFree(String what) {
        if (pinnedBy != null) {
            throw new IllegalArgumentException(what + " of " + this + ", which are the entries of " + pinnedBy
                    + " and follow its maps and the numbering of its rows and columns, expected another set");
        }
    }

    /** Refuses what would move elements of a set with rings. */
    void requireUnringed() {
        if (parts != null) {
            throw new IllegalArgumentException("renumbering of " + this + ", which has rings of other ranks' elements, "
                    + "expected a set without");
        }
    }

    @Override
    public String toString() {
        return "set '" + name + "' of " + size + " elements";
    }
}
