package org.trellis.examples.airfoil;

import java.io.IOException;
import org.trellis.bench.application.LoopProgram;
import org.trellis.bench.application.MeshApplication;
import org.trellis.bench.application.MeshInput;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.tuner.loop.MeshSearch;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** Airfoil for the commands of the harness that tune and measure loops. */
public final class AirfoilApplication implements MeshApplication {
    /** Edges of a block of a partition by default: what a block of threads takes. */
    static final int USUAL_BLOCK = 256;
    static final Precision USUAL_PRECISION = Precision.F64;

    /** Creates the application; the service loader does. */
    public AirfoilApplication() {}

    /** The mesh that the command line names. */
    private static final class Input implements MeshInput {
        @Parameters(paramLabel = "MESH", description = {"A mesh in OP2's new_grid.dat format, or with .gz;",
            "or c-mesh:i=400,j=600 to generate one of 3 I J cells."})
        private String mesh;

        @Override
        public String name() {
            return mesh;
        }

        @Override
        public Declaration read(CommandSpec spec, ProgressListener progress) throws IOException {
            AirfoilMesh file = AirfoilInput.read(mesh, progress);
            return (empty, precision) -> {
                AirfoilSolver solver = new AirfoilSolver(empty, file, precision);
                return new LoopProgram(MeshSearch.Part.of(solver.sequence()), solver.loops(), solver.edgeCells(),
                        solver::iterate);
            };
        }
    }

    @Override
    public String name() {
        return "airfoil";
    }

    @Override
    public String description() {
        return "Airfoil, the benchmark of OP2";
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
