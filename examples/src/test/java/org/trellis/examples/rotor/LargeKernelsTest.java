package org.trellis.examples.rotor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.examples.rotor.kernels.FluxesLoops;
import org.trellis.examples.rotor.kernels.GradientsLoops;
import org.trellis.examples.rotor.kernels.ViscousLoops;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopStyle;

/** Kernels whose vector code would be larger than a method may be have it in pieces. */
class LargeKernelsTest {
    @Test
    void loopsOverEdgesHaveVectorCode() {
        for (LoopKernel kernel : List.of(FluxesLoops.UPWIND, FluxesLoops.CONVECTION, GradientsLoops.SLOPES,
                ViscousLoops.FRICTION)) {
            assertEquals(Optional.empty(), kernel.objection(LoopStyle.SIMD), kernel::toString);
        }
    }
}
