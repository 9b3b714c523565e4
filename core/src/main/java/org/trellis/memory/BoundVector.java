package org.trellis.memory;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * What the vectors of all memory spaces have in common: the numbering, and which elements of which memory they are. For
 * backends.
 *
 * <p>A vector is a whole, which owns its memory; a part of another vector, which follows that vector's numbering; or a
 * view of another vector with a numbering of its own, which stays as it is, so that the view can become stale.
 */
public abstract class BoundVector implements DenseVector {
    private final BoundVector parent;
    private final boolean fixed;
    private final int offset;
    private final int length;
    private Numbering numbering = Numbering.NONE;
    private Numbering parentNumbering = Numbering.NONE;

    /**
     * Creates a whole.
     *
     * @param length the number of elements
     */
    protected BoundVector(int length) {
        this.parent = null;
        this.fixed = false;
        this.offset = 0;
        this.length = Checks.notNegative("vector length", length);
    }

    /**
     * Creates a part or a view.
     *
     * @param parent the vector that has the elements
     * @param from   the first of them
     * @param length how many
     * @param bound  the numbering of a view, or null for a part, which follows its parent
     * @throws IndexOutOfBoundsException if there are fewer elements
     */
    protected BoundVector(BoundVector parent, int from, int length, Numbering bound) {
        long end = (long) from + Checks.notNegative("length of a part", length);
        if (from < 0 || end > parent.length) {
            throw new IndexOutOfBoundsException("elements " + from + " to " + (end - 1) + " of " + parent
                    + ", expected a range within 0 to " + (parent.length - 1));
        }
        this.parent = parent;
        this.fixed = bound != null;
        this.offset = parent.offset + from;
        this.length = length;
        this.numbering = bound != null ? bound : Numbering.NONE;
    }

    @Override
    public final int length() {
        return length;
    }

    /**
     * Returns where the elements begin.
     *
     * @return the number of elements before the first one in the memory of the whole vector
     */
    public final int offset() {
        return offset;
    }

    /**
     * Says whether this owns its memory.
     *
     * @return false for parts and views, whose {@link #close()} does nothing
     */
    public final boolean isWhole() {
        return parent == null;
    }

    @Override
    public final Numbering numbering() {
        if (parent == null || fixed) {
            return numbering;
        }
        Numbering whole = parent.numbering();
        if (whole != parentNumbering) {
            parentNumbering = whole;
            numbering = whole.part(offset - parent.offset, length);
        }
        return numbering;
    }

    @Override
    public final void bind(Numbering wanted) {
        Objects.requireNonNull(wanted);
        if (parent != null) {
            throw new IllegalStateException(this + " is " + (fixed ? "a view" : "a part")
                    + " of another vector, expected one that owns its memory to be bound to " + wanted);
        }
        numbering = wanted;
    }

    /**
     * Refuses any use of a vector whose numbering is not current any more. Every access to elements calls it.
     *
     * @throws IllegalStateException if the set was renumbered or the like; says what to do
     */
    protected final void requireCurrent() {
        if (parent != null || numbering != Numbering.NONE) {
            numbering().requireCurrent();
        }
    }

    /**
     * Says whether the elements of two vectors in the same memory meet.
     *
     * @param other a vector in the same memory
     * @return true if writing one may write the other
     */
    protected final boolean rangeMeets(BoundVector other) {
        return offset < other.offset + other.length && other.offset < offset + length;
    }

    @Override
    public abstract BoundVector part(int from, int count);

    @Override
    public abstract BoundVector view(Numbering bound);
}
