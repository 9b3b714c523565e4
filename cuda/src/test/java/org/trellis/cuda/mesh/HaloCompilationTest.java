package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.cuda.TestNvcc;
import org.trellis.mesh.Mesh;

/** The kernels of messages between ranks compile where nvcc is found; and the lists of targets of runs of elements. */
class HaloCompilationTest {

    @TempDir
    private Path folder;

    @Test
    void compilesWithoutSpills() throws IOException, InterruptedException {
        TestNvcc.compileWithoutSpills(CudaHalo.source(), folder, "trellisPack", "trellisUnpack");
        TestNvcc.compileWithoutSpills(CudaReduction.source(), folder, "trellisSend", "trellisCombine");
    }

    /** Elements 1 and 2 of four lead to targets 2, 3 and 5 through two columns, the second of which subtracts. */
    @Test
    void runsOfElementsKnowTheirTargets() {
        int[] first = {0, 2, 3, 1};
        int[] second = {1, 5, 2, 0};
        RangeInverse.Column adds = new RangeInverse.Column(first, 1, 3, 0, 1);
        RangeInverse.Column subtracts = new RangeInverse.Column(second, 1, 3, 4, -1);
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            RangeInverse both = RangeInverse.of(mesh, 6, List.of(adds, subtracts), List.of(adds, subtracts));
            assertArrayEquals(new int[]{2, 3, 5}, both.targets());
            assertArrayEquals(new int[]{0, 2, 3, 4}, both.offsets());
            assertArrayEquals(new int[]{1, ~6, 2, ~5}, both.places());
            RangeInverse one = RangeInverse.of(mesh, 6, List.of(adds, subtracts), List.of(subtracts));
            assertArrayEquals(new int[]{2, 3, 5}, one.targets());
            assertArrayEquals(new int[]{0, 1, 1, 2}, one.offsets());
            assertArrayEquals(new int[]{~6, ~5}, one.places());
        }
    }
}
