package org.trellis.mesh;

import java.util.Optional;
import org.trellis.mesh.loop.LoopParameters;

/** Who decides how a loop is run: nothing but the backend's rule, the options or the program, or a tuner. */
sealed interface LoopChoice {

    /** Makes what runs a loop, for the structure that its mesh has now. */
    LoopHandle prepare(ParallelLoop loop);

    /** The choice for a loop that has been declared with parameters. */
    static LoopChoice of(LoopParameters parameters, LoopParameters rule, Optional<LoopTuner> tuner) {
        return tuner.<LoopChoice>map(Tuned::new)
                .orElseGet(() -> parameters.equals(rule) ? new Proposed() : new Given(false));
    }

    /** The backend's rule, which knows more once the code is there. */
    record Proposed() implements LoopChoice {
        @Override
        public LoopHandle prepare(ParallelLoop loop) {
            long start = System.nanoTime();
            LoopKernels kernels = loop.mesh().kernels();
            LoopDeclaration declaration = loop.declaration();
            return WholeLoop.prepare(loop, kernels.refine(declaration, kernels.rule(declaration)), start);
        }
    }

    /**
     * Parameters that stay.
     *
     * @param own whether the program has set them, and not the options of the mesh
     */
    record Given(boolean own) implements LoopChoice {
        @Override
        public LoopHandle prepare(ParallelLoop loop) {
            return WholeLoop.prepare(loop, loop.parameters(), System.nanoTime());
        }
    }

    /** The best of what a tuner tries. */
    record Tuned(LoopTuner tuner) implements LoopChoice {
        @Override
        public LoopHandle prepare(ParallelLoop loop) {
            return TunedLoop.begin(loop, tuner);
        }
    }
}
