package org.trellis.examples.tsunami;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.trellis.bench.application.LoopProgram;
import org.trellis.bench.application.MeshApplication;
import org.trellis.bench.application.MeshInput;
import org.trellis.bench.console.Usage;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.examples.tsunami.TsunamiSolver.Loop;
import org.trellis.mesh.ParallelLoop;
import org.trellis.tuner.loop.MeshSearch;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** The tsunami for the commands of the harness that tune and measure loops. */
public final class TsunamiApplication implements MeshApplication {
    /** Edges of a block of a partition by default. */
    static final int USUAL_BLOCK = 1024;
    static final Precision USUAL_PRECISION = Precision.F32;

    /** Creates the application; the service loader does. */
    public TsunamiApplication() {}

    /** The sea that the command line names and changes. */
    private static final class Input implements MeshInput {
        @Parameters(paramLabel = "MESH", description = "As for trellis example tsunami.")
        private String mesh;

        @Mixin
        private SeaOptions sea;

        @Override
        public String name() {
            return mesh;
        }

        @Override
        public Declaration read(CommandSpec spec, ProgressListener progress) throws IOException {
            progress.progress("mesh", 0, 1);
            Settings settings = Usage.get(spec, sea::settings);
            TsunamiCase prepared = SeaInput.read(mesh, sea, settings, spec);
            MeshTopology topology = MeshTopology.of(prepared.mesh());
            double[] initial = Usage.get(spec, () -> sea.initialState(prepared, topology));
            return (empty, precision) -> program(new TsunamiSolver(empty, topology, initial, settings, precision));
        }
    }

    private static LoopProgram program(TsunamiSolver solver) {
        List<ParallelLoop> loops = new ArrayList<>(solver.loops());
        loops.remove(solver.loop(Loop.FLUX_2)); // the same kernel as the first
        return new LoopProgram(MeshSearch.Part.of(solver.sequence()), loops, solver.edgeCells(),
                () -> solver.step(ShallowWater.NOWHERE));
    }

    @Override
    public String name() {
        return "tsunami";
    }

    @Override
    public String description() {
        return "the shallow-water equations on triangles";
    }

    @Override
    public Precision usualPrecision() {
        return USUAL_PRECISION;
    }

    @Override
    public int usualBlockSize() {
        return USUAL_BLOCK;
    }

    @Override
    public MeshInput input() {
        return new Input();
    }
}
