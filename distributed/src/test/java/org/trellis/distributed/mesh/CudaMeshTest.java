package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.function.IntPredicate;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.mesh.RandomMesh;

/** All loops on the GPUs that there are, several ranks on one where there are too few. */
class CudaMeshTest extends DeviceMeshContract {
    @Override
    @MustBeClosed
    protected Backend open(int rank) {
        return TestGpu.open(rank % TestGpu.count());
    }

    @Override
    protected IntPredicate loops() {
        return loop -> true;
    }

    @Override
    protected int[][] sizes() {
        return RandomMesh.sizes();
    }
}
