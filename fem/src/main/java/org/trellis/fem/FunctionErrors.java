package org.trellis.fem;

import java.util.Objects;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.ReferenceMap;

/**
 * How far a discrete function is from a known one, by quadrature of a degree that is well above the element's.
 *
 * @param l2 the norm of the difference
 * @param h1 the norm of the difference of the gradients
 */
public record FunctionErrors(double l2, double h1) {
    private static final int MORE_DEGREES = 10;
    private static final int CELLS_PER_TASK = 64;

    /**
     * Measures a function. Evaluates the known one at p + 6 points in each direction of each cell.
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
        return of(space, nodes, fields, exact, gradient, MORE_DEGREES);
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
        double[] squares = squares(share.all().space(), nodes, share.all().fields(), exact, gradient, MORE_DEGREES,
                share.given());
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

    /** Adds up the squares of both norms over some cells. */
    @SuppressWarnings("TooManyParameters")
    private static double[] squares(FunctionSpace space, double[] nodes, int fields, PointFunction exact,
            PointFunction gradient, int more, int... cells) {
        Checks.notNegative("degrees beyond 2 p", more);
        Checks.length("number of values", nodes.length, (long) space.nodes() * fields);
        Objects.requireNonNull(exact);
        CellMesh mesh = space.mesh();
        Quadrature quadrature = Quadrature.ofDegree(mesh.shape(), 2 * space.element().degree() + more);
        LagrangeElement.Tabulation basis = space.element().tabulate(quadrature.points());
        LagrangeElement.Tabulation map = mesh.geometry().tabulate(quadrature.points());
        Sums sums = new Sums(cells, space, nodes, fields, quadrature, basis, map);
        return new double[]{
            ParallelRanges.sum(cells.length, CELLS_PER_TASK, (from, to) -> sums.over(from, to, exact, false)),
            ParallelRanges.sum(cells.length, CELLS_PER_TASK, (from, to) -> sums.over(from, to, gradient, true))};
    }

    /** Sums of squares over cells. */
    private record Sums(int[] cells, FunctionSpace space, double[] nodes, int fields, Quadrature quadrature,
            LagrangeElement.Tabulation basis, LagrangeElement.Tabulation map) {
        double over(int from, int to, PointFunction known, boolean slopes) {
            int dimension = map.dimension();
            double[] corners = new double[map.functions() * dimension];
            double[] jacobian = new double[dimension * dimension];
            double[] inverse = new double[dimension * dimension];
            double[] x = new double[dimension];
            double[] expected = new double[fields * (slopes ? dimension : 1)];
            double sum = 0;
            for (int k = from; k < to; k++) {
                int cell = cells[k];
                space.mesh().gather(cell, corners);
                for (int q = 0; q < map.points(); q++) {
                    ReferenceMap.jacobian(map, q, corners, jacobian);
                    double weight = quadrature.weights()[q] * ReferenceMap.invert(jacobian, inverse);
                    ReferenceMap.point(map, q, corners, x);
                    known.at(x, expected);
                    sum += weight * (slopes ? slopes(cell, q, inverse, expected) : values(cell, q, expected));
                }
            }
            return sum;
        }

        private double values(int cell, int q, double[] expected) {
            double square = 0;
            for (int field = 0; field < fields; field++) {
                double off = sum(cell, field, basis.values(), q) - expected[field];
                square += off * off;
            }
            return square;
        }

        private double slopes(int cell, int q, double[] inverse, double[] expected) {
            int dimension = map.dimension();
            double square = 0;
            for (int field = 0; field < fields; field++) {
                double[] reference = new double[dimension];
                for (int d = 0; d < dimension; d++) {
                    reference[d] = sum(cell, field, basis.gradients(), q * dimension + d);
                }
                for (int a = 0; a < dimension; a++) {
                    double off = -expected[field * dimension + a];
                    for (int d = 0; d < dimension; d++) {
                        off += reference[d] * inverse[d * dimension + a];
                    }
                    square += off * off;
                }
            }
            return square;
        }

        private double sum(int cell, int field, double[] table, int row) {
            int n = basis.functions();
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += table[row * n + i] * nodes[space.cellNodes()[cell * n + i] * fields + field];
            }
            return sum;
        }
    }
}
