package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/**
 * Some loops with kernels that run on the host, since each has to be compiled; {@code -Dtrellis.test.emulation=all}
 * runs all of them.
 */
class EmulatedMeshTest extends DeviceMeshContract {
    private static final boolean ALL = "all".equals(System.getProperty("trellis.test.emulation"));
    /** Every so manieth loop: among them are direct ones, those that gather, add and reduce. */
    private static final int EACH = 5;

    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open(int rank) {
        return EmulatedGpu.in(folder).open(rank % 2);
    }

    @Override
    protected IntPredicate loops() {
        return loop -> ALL || loop % EACH == 0;
    }

    @Override
    protected int[][] sizes() {
        return new int[][]{{120, 41}};
    }
}
