package org.trellis.mesh;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

/** How loops of a mesh are run unless they say otherwise. */
record LoopDefaults(LoopKernels kernels, MeshOptions options) {
    private static final int MODERATE_BLOCK = 4096;

    /** Returns what the options say or, where they are silent, what the rule proposes. */
    LoopParameters of(LoopDeclaration loop) {
        LoopParameters proposed = kernels.rule(loop);
        LoopScheme scheme = options.scheme().orElse(proposed.scheme());
        if (loop.incrementsIndirectly() && scheme != proposed.scheme()) {
            // The rest of what the rule says is for the rule's scheme; others lose locality in large blocks.
            proposed = proposed.withScheme(scheme).withBlockSize(Math.min(proposed.blockSize(), MODERATE_BLOCK))
                    .withFission(false).withDevice(LoopDeviceParameters.NONE);
        }
        if (options.blockSize().isPresent() && (options.blockSize().get() > 0 || loop.set().hasBlocks())) {
            proposed = proposed.withBlockSize(options.blockSize().get());
        }
        boolean splits = false;
        for (int a = 0; a < loop.arity(); a++) {
            ArgumentSignature argument = loop.signature(a);
            splits |= argument.repeats() >= 0 && loop.incrementsIndirectly(a);
        }
        return proposed.withFission(splits && (options.fission() || proposed.fission()));
    }
}
