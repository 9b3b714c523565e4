package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;

/**
 * The sparse products of a backend. Implemented by each backend under a name with this stem, and tested by one contract
 * test against {@code reference}.
 */
public interface SparseKernels {
    /**
     * Proposes parameters for a matrix. Cheap next to one product: sees sizes, row lengths and a sample of the
     * structure.
     *
     * @param matrix the matrix
     * @return parameters that {@link #constraint} accepts
     */
    SpmvParameters rule(SparseMatrix matrix);

    /**
     * Proposes parameters for a matrix that is multiplied tens of times and not hundreds before it is prepared anew, as
     * transfers between the levels of a multigrid method are: those of {@link #rule}, unless to convert the matrix
     * takes longer than so few products gain by it.
     *
     * @param matrix the matrix
     * @return parameters that {@link #constraint} accepts
     */
    default SpmvParameters ruleForFew(SparseMatrix matrix) {
        return rule(matrix);
    }

    /**
     * Lists the parameters worth trying for a matrix.
     *
     * @param matrix the matrix
     * @return all combinations that {@link #constraint} accepts, {@link #rule}'s among them, without repetition
     */
    List<SpmvParameters> parameterSpace(SparseMatrix matrix);

    /**
     * Says why a matrix cannot be multiplied with given parameters.
     *
     * @param matrix     the matrix
     * @param parameters the parameters
     * @return the reason and what would work, or empty if it can
     */
    Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters);

    /**
     * Prepares a product: converts and distributes the matrix as the parameters ask.
     *
     * @param matrix     the matrix; may be kept, must not change
     * @param parameters how to run the product
     * @return an operator that the caller closes
     * @throws org.trellis.common.UnsupportedKernelException if {@link #constraint} has an objection
     */
    @MustBeClosed
    SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters);

    /**
     * Says which parameters will probably be prepared soon, so that code for them can be made ready meanwhile. Returns
     * at once; does nothing unless a backend compiles kernels.
     *
     * @param matrix the matrix
     * @param likely parameters that {@link #constraint} accepts, the most likely first
     */
    default void expect(SparseMatrix matrix, List<SpmvParameters> likely) {}

    /**
     * Prepares a product with the parameters that {@link #rule} proposes.
     *
     * @param matrix the matrix; may be kept, must not change
     * @return an operator that the caller closes
     */
    @MustBeClosed
    default SpmvOperator prepare(SparseMatrix matrix) {
        return prepare(matrix, rule(matrix));
    }
}
