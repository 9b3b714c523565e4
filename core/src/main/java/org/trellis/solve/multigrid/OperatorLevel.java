package org.trellis.solve.multigrid;

import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.LinearOperator;

/**
 * A level of a hierarchy of operators, without a matrix: that of a mesh between finer and coarser ones, for instance.
 * All of them stay the caller's.
 *
 * @param operator     its operator, square
 * @param prolongation P, from the next level to this one
 * @param restriction  R, from this level to the next one
 * @param smoother     improves iterates on this level
 * @param symmetric    whether the operator is symmetric and R a multiple of Pᵀ, so that a cycle can be symmetric
 */
public record OperatorLevel(LinearOperator operator, LinearOperator prolongation, LinearOperator restriction,
        Smoother smoother, boolean symmetric) {
    /**
     * Checks that sizes and precisions fit.
     *
     * @throws IllegalArgumentException if they do not; names operator, transfers and smoother
     */
    public OperatorLevel {
        int rows = operator.rows();
        if (operator.columns() != rows || prolongation.rows() != rows || restriction.columns() != rows
                || prolongation.columns() != restriction.rows() || smoother.rows() != rows
                || operator.precision() != prolongation.precision() || operator.precision() != restriction.precision()
                || operator.precision() != smoother.precision()) {
            throw new IllegalArgumentException("level with " + sizes(operator) + ", prolongation "
                    + sizes(prolongation) + ", restriction " + sizes(restriction) + ", smoother " + sizes(smoother)
                    + ", expected a square operator, sizes that fit and equal precisions");
        }
    }

    private static String sizes(LinearOperator operator) {
        return operator.rows() + " x " + operator.columns() + " " + operator.precision().label();
    }
}
