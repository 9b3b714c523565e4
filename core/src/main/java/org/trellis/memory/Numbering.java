package org.trellis.memory;

/**
 * What the elements of a vector stand for, and in which order they are. A plain vector is {@link #NONE bound to
 * nothing}: its element i is what the program calls i. The vector of a mesh's data has the numbering of its set at that
 * moment, and a matrix that is bound to sets has theirs; a product of things in different numberings is refused.
 *
 * <p>Numberings are compared by {@code equals}. One that has been replaced, since its set was renumbered, is not
 * current any more, and whatever has it cannot be used.
 */
@SuppressWarnings("ClassInitializationDeadlock") // the enum needs nothing of this
public interface Numbering {
    /** The numbering of what is bound to nothing. Always current, and the program's own order. */
    Numbering NONE = UnboundNumbering.INSTANCE;

    /**
     * Says whether elements are still in this numbering.
     *
     * @return false once it was replaced; it is never true again
     */
    boolean isCurrent();

    /**
     * Says whether this is the program's own order, so that what is bound to nothing fits.
     *
     * @return true if element i is what the program calls i
     */
    boolean isUserOrder();

    /**
     * Says why this numbering is not current, and what to do.
     *
     * @return one sentence
     */
    String whyStale();

    /**
     * Refuses a numbering that is not current.
     *
     * @throws IllegalStateException if it was replaced; says what to do
     */
    default void requireCurrent() {
        if (!isCurrent()) {
            throw new IllegalStateException(whyStale());
        }
    }

    /**
     * Returns the numbering of a range of the elements.
     *
     * @param from   the first element
     * @param length how many
     * @return a numbering that is current as long as this is
     */
    default Numbering part(int from, int length) {
        return new PartNumbering(this, from, length);
    }

    /**
     * Says whether what has this numbering can be used together with what has another. They fit if they are equal, or
     * if one is bound to nothing and the other is in the program's own order.
     *
     * @param other another numbering
     * @return whether elements of the same index are the same thing, as far as can be known
     */
    default boolean fits(Numbering other) {
        return equals(other) || ((equals(NONE) || other.equals(NONE)) && isUserOrder() && other.isUserOrder());
    }
}
