package org.trellis.mesh;

import org.trellis.memory.DenseVector;
import org.trellis.mesh.loop.Layout;

/** The values of a dat that is divided over ranks, in the user's numbering. All ranks make the same calls. */
public interface RankedDat extends AutoCloseable {
    /**
     * Brings one value to all ranks.
     *
     * @param element   the user's number of the element
     * @param component the component
     * @return the value on the rank that owns the element
     */
    double get(int element, int component);

    /**
     * Sets one value where it is held.
     *
     * @param element   the user's number of the element
     * @param component the component
     * @param value     the same on all ranks
     */
    void set(int element, int component, double value);

    /**
     * Sets all values.
     *
     * @param values element by element of the whole set, components side by side, the same on all ranks; not kept
     */
    void setAll(double[] values);

    /**
     * Sets every component of every element to one value.
     *
     * @param value the same on all ranks
     */
    void fill(double value);

    /**
     * Brings all values to all ranks.
     *
     * @return element by element of the whole set, components side by side; a new array
     */
    double[] toArray();

    /**
     * Changes the layout.
     *
     * @param wanted the new layout
     */
    void layout(Layout wanted);

    /**
     * Returns the values that this rank holds, in its own numbering and with those of other ranks' elements that it
     * needs. For what saves them.
     *
     * @return a dat of the rank's own mesh
     */
    Dat local();

    /**
     * Returns the elements of {@link #local}.
     *
     * @return the user's number of each, those that the rank owns first; a new array
     */
    int[] users();

    /**
     * Returns the values of the elements that this rank owns, as a vector in its own numbering. What is written into it
     * is not noticed before {@link #overwritten}, or always if {@link #watchOwned} has been called.
     *
     * @return a part of the memory of {@link #local}, whose elements keep their components side by side
     * @throws IllegalStateException if components of an element lie apart, or values are whole numbers
     */
    DenseVector ownedVector();

    /** Counts with the values of owned elements being changed by their vector whenever no loop runs, from now on. */
    void watchOwned();

    /** The values of owned elements are about to be overwritten by their vector. */
    void overwritten();

    /**
     * Returns how many elements this rank owns.
     *
     * @return the first so many of {@link #users}
     */
    int ownedElements();

    /**
     * Says how far values of other ranks' elements are up to date.
     *
     * @return a number for {@link #restored}
     */
    int validity();

    /**
     * The caller has overwritten {@link #local} with what was there when {@link #validity} was asked.
     *
     * @param validity what it was
     */
    void restored(int validity);

    /** Releases the memory. Idempotent. */
    @Override
    void close();
}
