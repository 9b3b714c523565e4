package org.trellis.mesh;

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

    /** Releases the memory. Idempotent. */
    @Override
    void close();
}
