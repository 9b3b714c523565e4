package org.trellis.mesh.device;

/**
 * Finds the entries of a matrix that is assembled from element matrices. Implemented by each backend under a name with
 * this stem, and tested by one contract test against {@code reference}. What they return does not depend on the
 * backend.
 */
public interface PatternKernels {
    /**
     * Finds entries and positions. Costs a sort of each row.
     *
     * @param tables what elements lead to; not changed
     * @return the entries row by row, and where those of each element are among them
     */
    PatternArrays build(PatternTables tables);
}
