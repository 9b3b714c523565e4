package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.solve.VectorLoopsContract;

/**
 * The vector updates of solvers with generated code that runs on the host, asked for as {@link
 * EmulatedLoopKernelsTest}.
 */
class EmulatedVectorLoopsTest extends VectorLoopsContract {
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        Assumptions.assumeFalse(System.getProperty("trellis.test.emulation", "").isEmpty(),
                "takes minutes: asked for with -Dtrellis.test.emulation=some or =all");
        return EmulatedGpu.in(folder).open();
    }

    @Override
    protected int[] lengths() {
        return new int[]{0, 1, 33, 700};
    }
}
