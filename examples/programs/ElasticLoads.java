import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/** Bends a clamped body under 30 loads, one after the other. Arguments: elements in x, perhaps a solver. */
void main(String[] arguments) {
    var a = MatrixSpec.parse("elasticity3d:nx=" + arguments[0]).generate(Precision.F64, ProgressListener.NONE);
    var settings = TunedSolver.Settings.defaults().solves(30);
    settings = arguments.length == 1 ? settings : settings.fixed(SolverChoice.parse(arguments[1]));
    double deepest = 0;
    boolean solved = true;
    long start = System.nanoTime();
    try (var solver = TunedSolver.of(a, settings)) {
        for (int i = 0; i < 30; i++) {
            double angle = i * Math.PI / 15;
            double[] load = new double[a.rows()];
            Arrays.setAll(load, row -> row % 3 == 1 ? Math.cos(angle) : row % 3 == 2 ? Math.sin(angle) : 0);
            double[] bent = new double[a.rows()];
            solved &= solver.solve(load, bent).converged();
            deepest = Math.min(deepest, Arrays.stream(bent).min().orElse(0));
        }
        IO.println("solved: " + solved + ", deepest: " + deepest);
        IO.println((System.nanoTime() - start) * 1e-9 + " s, " + solver.choice());
    }
}
