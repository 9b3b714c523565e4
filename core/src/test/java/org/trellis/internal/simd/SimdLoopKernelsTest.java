package org.trellis.internal.simd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopStyle;
import org.trellis.mesh.LoopKernelsContract;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.testing.InterpretedKernel;

/** The parallel loops of the simd backend, with more threads than a small machine has. */
final class SimdLoopKernelsTest extends LoopKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new SimdBackend(3);
    }

    @Test
    void saysWhenAKernelHasNoSimdLoop() {
        InterpretedKernel kernel = InterpretedKernel.named("two").dat(Access.WRITE, 2)
                .does(v -> Arrays.fill((double[]) v[0], 1));
        InterpretedKernel single = InterpretedKernel.named("one").dat(Access.WRITE, 1)
                .does(v -> ((double[]) v[0])[0] = 1);
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 5000);
            ParallelLoop simd = mesh.loop(kernel, set, mesh.dat("a", set, 2, Precision.F64));
            assertEquals(LoopStyle.SIMD, simd.parameters().style());
            assertEquals(LoopStyle.SCALAR,
                    mesh.loop(single, set, mesh.dat("c", set, 1, Precision.F64)).parameters().style(),
                    "the JIT compiler vectorises it");
            ParallelLoop scalar = mesh.loop(kernel.withoutSimd(), set, mesh.dat("b", set, 2, Precision.F64));
            LoopParameters parameters = scalar.parameters();
            assertEquals(LoopStyle.SCALAR, parameters.style());
            String message = assertThrows(UnsupportedKernelException.class,
                    () -> scalar.parameters(parameters.withStyle(LoopStyle.SIMD))).getMessage();
            assertTrue(message.contains("it was made without SIMD"), message);
        }
    }
}
