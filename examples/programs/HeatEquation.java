import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/** Cools a plate by 40 implicit steps, each longer than the one before. Arguments: points in x, perhaps a solver. */
void main(String[] arguments) {
    var laplace = MatrixSpec.parse("poisson2d:nx=" + arguments[0]).generate(Precision.F64, ProgressListener.NONE);
    var settings = TunedSolver.Settings.defaults().solves(40);
    settings = arguments.length == 1 ? settings : settings.fixed(SolverChoice.parse(arguments[1]));
    double[] heat = DoubleStream.generate(() -> 1).limit(laplace.rows()).toArray();
    boolean solved = true;
    long start = System.nanoTime();
    try (var solver = TunedSolver.of(laplace, settings)) {
        for (int i = 0; i < 40; i++) {
            double step = 0.1 * Math.pow(1.2, i);
            var matrix = laplace.mapValues((row, column, value) -> step * value + (row == column ? 1 : 0));
            solved &= solver.update(matrix).solve(heat.clone(), heat).converged();
        }
        IO.println("solved: " + solved + ", warmest: " + Arrays.stream(heat).max().orElse(0));
        IO.println((System.nanoTime() - start) * 1e-9 + " s, " + solver.choice());
    }
}
