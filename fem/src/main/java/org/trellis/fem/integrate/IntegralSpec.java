package org.trellis.fem.integrate;

import java.util.Objects;

/**
 * What is integrated. Either a scalar form, diffusion and reaction of which one may be missing, or a form of several
 * fields by a matrix that takes values and derivatives of the trial function to those of the test function.
 *
 * @param tables    the element
 * @param fields    components of the unknown function
 * @param diffusion κ: 1 component or those of a symmetric tensor, the upper triangle row by row; null without
 * @param reaction  c, or null
 * @param matrix    the matrix at a point, row by row, or null for a scalar form; rows and columns are for each field
 *                  its value and its derivatives
 * @param rows      what inner loops are done with
 */
record IntegralSpec(ElementTables tables, int fields, CoefficientPort diffusion, CoefficientPort reaction,
        CoefficientPort matrix, RowKernels rows) {
    /** Checks that there is something to integrate. */
    IntegralSpec {
        Objects.requireNonNull(tables);
        Objects.requireNonNull(rows);
        if ((diffusion == null && reaction == null) == (matrix == null)) {
            throw new IllegalArgumentException("an integral of diffusion " + diffusion + ", reaction " + reaction
                    + " and matrix " + matrix + ", expected either of the first two or the last");
        }
    }

    boolean scalar() {
        return matrix == null;
    }

    /** Unknowns of an element. */
    int unknowns() {
        return tables.functions() * fields;
    }

    /** Rows of the matrix at a point. */
    int slots() {
        return fields * (tables.dimension() + 1);
    }

    /** Numbers of the diffusion at a point. */
    int tensor() {
        return tables.dimension() * (tables.dimension() + 1) / 2;
    }

    /** Numbers at a point once the map has been taken into account. */
    int pointSize() {
        return scalar() ? (diffusion == null ? 0 : tensor()) + (reaction == null ? 0 : 1) : slots() * slots();
    }
}
