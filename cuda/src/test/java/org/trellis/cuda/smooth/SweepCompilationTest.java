package org.trellis.cuda.smooth;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.TestNvcc;
import org.trellis.cuda.compile.KernelSource;

/** Compiles the kernels of sweeps where nvcc is found; none of them may spill registers. */
class SweepCompilationTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void compilesWithoutSpills(Precision precision) throws IOException, InterruptedException {
        for (int threads : new int[]{CudaSmootherKernels.BLOCK, CudaSmootherKernels.WIDE_BLOCK}) {
            KernelSource source = CudaSmootherKernels.source(precision, threads);
            TestNvcc.compileWithoutSpills(source, folder, "trellisStage", "trellisStages", "trellisCorrect");
        }
    }
}
