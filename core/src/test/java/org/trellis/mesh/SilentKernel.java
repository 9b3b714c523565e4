package org.trellis.mesh;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.kernel.KernelSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;

/** A kernel that does nothing and allocates nothing. */
record SilentKernel(KernelSignature signature, String cudaSource) implements LoopKernel {
    @Override
    public void call(Object[] arguments) {
        // Nothing to do.
    }

    @Override
    public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
        return (arguments, range) -> {};
    }

    @Override
    public Optional<String> objection(LoopStyle style) {
        return Optional.empty();
    }
}
