package org.trellis.fem;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;

/**
 * How far a discrete function is from a known one, by quadrature of a degree that is well above the element's.
 *
 * @param l2 the norm of the difference
 * @param h1 the norm of the difference of the gradients
 */
public record FunctionErrors(double l2, double h1) {
    private static final int MORE_DEGREES = 10;
    private static final int MORE_OF_MANY = 3;
    private static final int MANY_CELLS = 50_000;
    private static final int CELLS_PER_TASK = 64;

    /**
     * Measures a function. Evaluates the known one at p + 6 points in each direction of each cell, on more than 50,000
     * cells at p + 2, where the leading term of the error, which is exact then, is nearly all of it.
     *
     * @param space    its space
     * @param nodes    values at the nodes, fields side by side
     * @param fields   components of the function
     * @param exact    the known function, as many numbers
     * @param gradient its derivatives, those of the first field first
     * @return the errors
     * @throws IllegalArgumentException if there is not a value for each field of each node
     */
    public static FunctionErrors of(FunctionSpace space, double[] nodes, int fields, PointFunction exact,
            PointFunction gradient) {
        return of(space, nodes, fields, exact, gradient, moreDegrees(space));
    }

    /**
     * Measures a solution. Over ranks collective: each goes through the cells that it was given.
     *
     * @param system   the system
     * @param nodes    values at the nodes of all ranks, fields side by side
     * @param exact    the known function, as many numbers as there are fields
     * @param gradient its derivatives, those of the first field first
     * @return the errors, the same on all ranks
     * @throws IllegalArgumentException if there is not a value for each field of each node
     */
    public static FunctionErrors of(FormSystem system, double[] nodes, PointFunction exact, PointFunction gradient) {
        LocalFormSpace share = system.share();
        if (share == null) {
            return of(system.constraints().space(), nodes, system.constraints().fields(), exact, gradient);
        }
        double[] squares = squares(share.all().space(), nodes, share.all().fields(), exact, gradient,
                moreDegrees(share.all().space()), share.given());
        share.ranks().sum(squares);
        return new FunctionErrors(Math.sqrt(squares[0]), Math.sqrt(squares[1]));
    }

    /**
     * Measures a function with a rule of one's own.
     *
     * @param space    its space
     * @param nodes    values at the nodes, fields side by side
     * @param fields   components of the function
     * @param exact    the known function, as many numbers
     * @param gradient its derivatives, those of the first field first
     * @param more     degrees of polynomials beyond 2 p that quadrature is exact for; from 2 on the leading term of the
     *                 error is, and 3 are enough for its rate
     * @return the errors
     * @throws IllegalArgumentException if there is not a value for each field of each node, or the number is negative
     */
    public static FunctionErrors of(FunctionSpace space, double[] nodes, int fields, PointFunction exact,
            PointFunction gradient, int more) {
        double[] squares = squares(space, nodes, fields, exact, gradient, more,
                IntStream.range(0, space.mesh().cells()).toArray());
        return new FunctionErrors(Math.sqrt(squares[0]), Math.sqrt(squares[1]));
    }

    private static int moreDegrees(FunctionSpace space) {
        return space.mesh().cells() > MANY_CELLS ? MORE_OF_MANY : MORE_DEGREES;
    }

    /** Adds up the squares of both norms over some cells. */
    @SuppressWarnings("TooManyParameters")
    private static double[] squares(FunctionSpace space, double[] nodes, int fields, PointFunction exact,
            PointFunction gradient, int more, int... cells) {
        Checks.notNegative("degrees beyond 2 p", more);
        Checks.length("number of values", nodes.length, (long) space.nodes() * fields);
        Objects.requireNonNull(exact);
        CellMesh mesh = space.mesh();
        Quadrature quadrature = Quadrature.ofDegree(mesh.shape(), 2 * space.element().degree() + more);
        int pieces = Math.ceilDiv(cells.length, CELLS_PER_TASK);
        double[] squares = new double[2 * pieces];
        ParallelRanges.run(pieces, 1, () -> new CellErrors(space, nodes, fields, quadrature), (from, to, errors) -> {
            double[] sums = new double[2];
            for (int piece = from; piece < to; piece++) {
                Arrays.fill(sums, 0);
                int end = Math.min(cells.length, (piece + 1) * CELLS_PER_TASK);
                for (int k = piece * CELLS_PER_TASK; k < end; k++) {
                    errors.add(cells[k], exact, gradient, sums);
                }
                System.arraycopy(sums, 0, squares, 2 * piece, 2);
            }
        });
        double[] all = new double[2];
        for (int k = 0; k < squares.length; k++) {
            all[k % 2] += squares[k];
        }
        return all;
    }
}
