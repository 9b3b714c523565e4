package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.mesh.LoopKernelsContract;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

/** The contract of mesh loops on the GPU, and with atomics, which do not repeat their bits. */
class CudaLoopKernelsTest extends LoopKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }

    @Override
    protected int warmUpRuns() {
        return 5000;
    }

    @Override
    protected int parametersTried() {
        return Integer.MAX_VALUE;
    }

    @Override
    protected List<LoopParameters> unrepeatable() {
        List<LoopParameters> atomics = new ArrayList<>();
        for (Staging staging : Staging.values()) {
            LoopDeviceParameters device = LoopDeviceParameters.NONE.withStaging(staging);
            atomics.add(LoopParameters.of(LoopScheme.ATOMICS).withBlockSize(256).withDevice(device));
            atomics.add(LoopParameters.of(LoopScheme.ATOMICS).withBlockSize(256).withDevice(device.withSorted(true)));
        }
        return atomics;
    }
}
