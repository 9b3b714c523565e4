package org.trellis.cuda.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelList;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.cuda.solve.Stencils;
import org.trellis.memory.DenseVector;
import org.trellis.solve.multigrid.BackendSetupContract;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.sparse.CsrMatrix;

/** The set-up of multigrid with kernels that run on the host. */
class EmulatedSetupTest extends BackendSetupContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;
    private EmulatedGpu gpu;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        gpu = EmulatedGpu.in(folder);
        return gpu.open();
    }

    @Override
    protected OptionalLong waits() {
        return OptionalLong
                .of(gpu.calls().getOrDefault("copyToHost", 0L) + gpu.kernels().getOrDefault("sendIntegers", 0L)
                        + gpu.kernels().getOrDefault("scan", 0L));
    }

    @Override
    protected boolean isSlow() {
        return true;
    }

    /** What a set-up and a cycle load is compiled ahead of them, and in the artifact of compiled kernels. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void listsHaveTheKernels(Precision precision, @TempDir Path own) throws IOException {
        Path list = own.resolve("list");
        CsrMatrix matrix = Stencils.poisson(new int[]{9, 8, 7}, false, precision);
        try (Backend backend = EmulatedGpu.in(folder).withKernelList(list).open();
                Multigrid multigrid =
                        Multigrid.of(matrix, null, Map.of("setup", "backend", "coarse-rows", "10"), backend);
                DenseVector r = backend.vector(precision, matrix.rows());
                DenseVector z = backend.vector(precision, matrix.rows())) {
            multigrid.apply(r, z);
            multigrid.refresh(matrix.scaled(2));
        }
        List<KernelSource> loaded = new ArrayList<>(KernelList.read(list));
        assertTrue(loaded.size() > 10, loaded.size() + " kernels");
        loaded.removeAll(KernelList.named(precision == Precision.F64 ? "multigrid-f64" : "multigrid-f32"));
        assertEquals(List.of(), loaded, "kernels that are in no list");
    }
}
