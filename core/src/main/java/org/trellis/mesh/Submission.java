package org.trellis.mesh;

import java.util.List;
import java.util.Map;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.SetExtent;

/** When steps that the program asks for run: each {@link AtOnce at once}, or {@link StepQueue together with others}. */
sealed interface Submission permits Submission.AtOnce, StepQueue {

    /** What the options of a mesh say. */
    static Submission of(Mesh mesh, ChainOptions options) {
        return options.isActive() ? new StepQueue(mesh) : new AtOnce();
    }

    /** Notes a loop, unless it is to run at once; says whether it did. */
    boolean note(ParallelLoop loop, SetExtent part);

    /** Says whether a step that waits uses a global. */
    boolean awaits(Global global);

    /** Notes a value that a global gets, if a step that waits uses the global; says whether it did. */
    boolean note(Global global, double... values);

    /** Runs the steps of a sequence as a chain, or notes them; says whether it did. */
    boolean take(LoopSequence sequence);

    /** Runs all that waits. */
    void settle();

    /** Runs all that waits if some of it writes a global. */
    void settle(Global global);

    /** Forgets chains with a loop that is not what it was. */
    void forget(ParallelLoop loop);

    /** Forgets all chains. */
    void forgetChains();

    /** Returns the loops of chains that are going to run in tiles: of sequences, and of what is being run. */
    List<List<LoopDeclaration>> tiledChains(List<LoopSequence> sequences);

    /** Returns the parts of chains that may have a choice. */
    Map<String, TunedChainSegment> trials();

    List<ChainReport> reports();

    void release();

    /** Nothing waits. */
    record AtOnce() implements Submission {
        @Override
        public boolean note(ParallelLoop loop, SetExtent part) {
            return false;
        }

        @Override
        public boolean awaits(Global global) {
            return false;
        }

        @Override
        public boolean note(Global global, double... values) {
            return false;
        }

        @Override
        public boolean take(LoopSequence sequence) {
            return false;
        }

        @Override
        public void settle() {}

        @Override
        public void settle(Global global) {}

        @Override
        public void forget(ParallelLoop loop) {}

        @Override
        public void forgetChains() {}

        @Override
        public List<List<LoopDeclaration>> tiledChains(List<LoopSequence> sequences) {
            return List.of();
        }

        @Override
        public Map<String, TunedChainSegment> trials() {
            return Map.of();
        }

        @Override
        public List<ChainReport> reports() {
            return List.of();
        }

        @Override
        public void release() {}
    }
}
