package org.trellis.examples.airfoil;

import java.io.IOException;
import org.trellis.bench.cli.Console;
import org.trellis.bench.cli.ConsoleProgress;
import org.trellis.common.Precision;
import org.trellis.examples.sweep.SweepCommand;
import org.trellis.matrices.mesh.AirfoilMesh;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Measures all parameters of all loops of Airfoil on a device: {@code trellis example airfoil-sweep}. */
@Command(name = "airfoil-sweep", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Measures each loop of Airfoil with each set of parameters on a device's clock, in each layout and order,",
    "and prints the best of each scheme and what the backend chooses."})
public final class AirfoilSweepCommand extends SweepCommand {
    @Parameters(paramLabel = "MESH", description = "As for airfoil; for example c-mesh:i=800,j=1200.")
    private String input;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public AirfoilSweepCommand(Console console) {
        super(console);
    }

    @Override
    protected String input() {
        return input;
    }

    @Override
    protected Precision usualPrecision() {
        return Precision.F64;
    }

    @Override
    protected Declaration read(ConsoleProgress progress) throws IOException {
        AirfoilMesh file = AirfoilInput.read(input, progress);
        return (mesh, precision) -> {
            AirfoilSolver solver = new AirfoilSolver(mesh, file, precision);
            return new Application(solver.loops(), solver.edgeCells(), solver::iterate);
        };
    }
}
