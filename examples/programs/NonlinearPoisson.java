import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/** Solves A u + h² s u³ = h² by Newton's method for growing s. Arguments: points in x, perhaps a solver. */
void main(String[] arguments) {
    int points = Integer.parseInt(arguments[0]);
    double area = 1.0 / (points + 1) / (points + 1);
    var a = MatrixSpec.parse("poisson2d:nx=" + points).generate(Precision.F64, ProgressListener.NONE);
    var settings = TunedSolver.Settings.defaults().solves(40);
    settings = arguments.length == 1 ? settings : settings.fixed(SolverChoice.parse(arguments[1]));
    double[] u = new double[a.rows()];
    boolean solved = true;
    long start = System.nanoTime();
    try (var solver = TunedSolver.of(a, settings)) {
        for (int i = 0; i < 40; i++) {
            double strength = 1e3 * Math.pow(1.5, i / 4);
            double[] rest = new double[u.length];
            a.forEachEntry((row, column, value) -> rest[row] -= value * u[column]);
            Arrays.setAll(rest, row -> rest[row] + area * (1 - strength * u[row] * u[row] * u[row]));
            var matrix = a.mapValues((row, column, value) -> value
                    + (row == column ? 3 * area * strength * u[row] * u[row] : 0));
            double[] change = new double[u.length];
            solved &= solver.update(matrix).solve(rest, change).converged();
            Arrays.setAll(u, row -> u[row] + change[row]);
        }
        IO.println("solved: " + solved + ", largest: " + Arrays.stream(u).max().orElse(0));
        IO.println((System.nanoTime() - start) * 1e-9 + " s, " + solver.choice());
    }
}
