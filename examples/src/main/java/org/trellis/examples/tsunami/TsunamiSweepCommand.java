package org.trellis.examples.tsunami;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.trellis.bench.cli.Console;
import org.trellis.bench.cli.ConsoleProgress;
import org.trellis.bench.cli.Usage;
import org.trellis.common.Precision;
import org.trellis.examples.sweep.SweepCommand;
import org.trellis.examples.tsunami.TsunamiSolver.Loop;
import org.trellis.mesh.ParallelLoop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Measures all parameters of all loops of the tsunami on a device: {@code trellis example tsunami-sweep}. */
@Command(name = "tsunami-sweep", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Measures each loop of the tsunami with each set of parameters on a device's clock, in each layout and order,",
    "and prints the best of each scheme and what the backend chooses."})
public final class TsunamiSweepCommand extends SweepCommand {
    @Parameters(paramLabel = "MESH", description = "As for tsunami.")
    private String input;

    @Mixin
    private SeaOptions sea;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public TsunamiSweepCommand(Console console) {
        super(console);
    }

    @Override
    protected String input() {
        return input;
    }

    @Override
    protected Precision usualPrecision() {
        return Precision.F32;
    }

    @Override
    protected Declaration read(ConsoleProgress progress) throws IOException {
        progress.progress("mesh", 0, 1);
        Settings settings = Usage.get(spec(), sea::settings);
        TsunamiCase prepared = SeaInput.read(input, sea, settings, spec());
        MeshTopology topology = MeshTopology.of(prepared.mesh());
        double[] initial = Usage.get(spec(), () -> sea.initialState(prepared, topology));
        return (mesh, precision) -> {
            TsunamiSolver solver = new TsunamiSolver(mesh, topology, initial, settings, precision);
            List<ParallelLoop> loops = new ArrayList<>(solver.loops());
            loops.remove(solver.loop(Loop.FLUX_2)); // the same kernel as the first
            return new Application(loops, solver.edgeCells(), () -> solver.step(ShallowWater.NOWHERE));
        };
    }
}
