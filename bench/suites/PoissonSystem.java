/*
 * A whole small program: builds the matrix of five points on a square grid row by row, solves A x = A 1 by conjugate
 * gradients with multigrid to 1e-8 and prints what the solution took. whole-programs.py compiles and times it.
 *
 *   java -cp LIBRARIES PoissonSystem N
 */
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solvers;

void main(String[] arguments) {
    int n = Integer.parseInt(arguments[0]);
    CsrBuilder builder = new CsrBuilder(n * n, Precision.F64, 5L * n * n);
    double[] b = new double[n * n];
    for (int row = 0; row < n * n; row++) {
        b[row] = add(builder, row, row >= n, -n) + add(builder, row, row % n > 0, -1) + add(builder, row, true, 0)
                + add(builder, row, row % n < n - 1, 1) + add(builder, row, row < n * (n - 1), n);
        builder.endRow();
    }
    CsrMatrix a = builder.build();
    IO.println(Solvers.cg(a).multigrid().tolerance(1e-8).solve(b));
}

double add(CsrBuilder builder, int row, boolean inside, int step) {
    if (!inside) {
        return 0;
    }
    double value = step == 0 ? 4 : -1;
    builder.add(row + step, value);
    return value;
}
