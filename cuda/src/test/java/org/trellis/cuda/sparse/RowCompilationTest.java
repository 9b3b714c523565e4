package org.trellis.cuda.sparse;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.TestNvcc;

/** Compiles the kernels of rows and of bases where nvcc is found; none of them may spill registers. */
@Tag("nightly")
class RowCompilationTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void compilesWithoutSpills(Precision precision) throws IOException, InterruptedException {
        TestNvcc.compileWithoutSpills(CudaBasis.source(precision), folder, "trellisBasisProducts",
                "trellisBasisCombine");
        for (int width : new int[]{1, 32}) {
            TestNvcc.compileWithoutSpills(CudaRows.source(precision, width), folder, "trellisCombineRows",
                    "trellisSweepRows", "trellisSplitRows");
        }
    }
}
