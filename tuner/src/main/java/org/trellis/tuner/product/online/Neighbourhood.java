package org.trellis.tuner.product.online;

import java.util.List;
import java.util.Optional;
import org.trellis.sparse.SpmvParameters;

/** The steps that can be taken from a set of parameters; only to sets that fit the matrix. */
public interface Neighbourhood {
    /**
     * Returns whether a set fits the matrix.
     *
     * @param parameters how to run the product
     * @return true if it can be prepared
     */
    boolean fits(SpmvParameters parameters);

    /**
     * Changes the rows that a group handles.
     *
     * @param from   where to step from
     * @param twice  whether to double them rather than to halve them
     * @return the neighbour, if there is one
     */
    Optional<SpmvParameters> rows(SpmvParameters from, boolean twice);

    /**
     * Changes the threads that share a row.
     *
     * @param from  where to step from
     * @param twice whether to double them rather than to halve them
     * @return the neighbour, if there is one
     */
    Optional<SpmvParameters> threads(SpmvParameters from, boolean twice);

    /**
     * Changes the threads of a block by 32.
     *
     * @param from where to step from
     * @param more whether to add them rather than to take them away
     * @return the neighbour, if there is one
     */
    Optional<SpmvParameters> block(SpmvParameters from, boolean more);

    /**
     * Lists the other sets of the same family in the backend's space. Other families are for rankings to propose: rows
     * of one family can be hundreds of times slower than those of another.
     *
     * @param from where to step from
     * @return all of the family but {@code from}; those that differ from it in the fewest parameters first
     */
    List<SpmvParameters> others(SpmvParameters from);
}
