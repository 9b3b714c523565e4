package org.trellis.examples.rotor;

import java.util.ArrayList;
import org.trellis.bench.application.LoopProgram;
import org.trellis.bench.application.MeshApplication;
import org.trellis.bench.application.MeshInput;
import org.trellis.bench.console.Usage;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.tuner.loop.MeshSearch;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** The flow solver for the commands of the harness that tune and measure loops. */
public final class RotorApplication implements MeshApplication {
    private static final int USUAL_BLOCK = 1024;

    /** Creates the application; the service loader does. */
    public RotorApplication() {}

    /** The flow that the command line names. */
    private static final class Input implements MeshInput {
        @Parameters(paramLabel = "MESH", description = "As for trellis example rotor.")
        private String mesh;

        @Mixin
        private FlowOptions flows;

        @Override
        public String name() {
            return mesh;
        }

        @Override
        public Declaration read(CommandSpec spec, ProgressListener progress) {
            progress.progress("mesh", 0, 1);
            FlowCase flowCase = Usage.get(spec, () -> flows.chosen(mesh));
            FlowSettings settings = Usage.get(spec, () -> flows.settings(flowCase));
            FlowMesh geometry = Usage.get(spec, () -> flows.mesh(flowCase, mesh));
            return (empty, precision) -> program(
                    new FlowSolver(empty, geometry, settings, flows.problem(flowCase, settings), precision));
        }
    }

    private static LoopProgram program(FlowSolver solver) {
        boolean[] started = new boolean[1];
        return new LoopProgram(MeshSearch.Part.of(solver.sequence()),
                new ArrayList<>(solver.sequence().loops().keySet()), solver.edgeNodes(), () -> {
                    if (!started[0]) {
                        solver.start();
                        started[0] = true;
                    }
                    solver.iterate();
                });
    }

    @Override
    public String name() {
        return "rotor";
    }

    @Override
    public String description() {
        return "compressible flow by multigrid in space";
    }

    @Override
    public Precision usualPrecision() {
        return Precision.F64;
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
