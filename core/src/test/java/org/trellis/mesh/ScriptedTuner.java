package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Function;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopTuning;

/**
 * Tries one way of running after the other, each in two runs with one of the best so far in between, and holds every
 * second way for better than what was before.
 */
final class ScriptedTuner implements LoopTuner {
    private final Function<LoopDeclaration, List<LoopParameters>> space;
    private LoopParameters last;
    private int open;

    ScriptedTuner(Function<LoopDeclaration, List<LoopParameters>> space) {
        this.space = space;
    }

    /** What the loop that was tuned last is run with. */
    LoopParameters last() {
        return last;
    }

    void requireClosed() {
        assertEquals(0, open, "tunings that were not closed");
    }

    @Override
    public LoopTuning begin(LoopDeclaration loop, LoopParameters proposed) {
        open++;
        last = proposed;
        return new Script(space.apply(loop));
    }

    private final class Script implements LoopTuning {
        private final List<LoopParameters> ways;
        private int run;
        private boolean running;
        private boolean closed;

        Script(List<LoopParameters> ways) {
            this.ways = ways;
        }

        @Override
        public LoopParameters next() {
            return isFinished() || run % 3 == 1 ? last : ways.get(run / 3);
        }

        @Override
        public LoopParameters best() {
            return last;
        }

        @Override
        public boolean isFinished() {
            return run >= 3 * ways.size();
        }

        @Override
        public void prepared(LoopParameters parameters, double seconds) {
            assertTrue(seconds > 0);
        }

        @Override
        public boolean refused(LoopParameters parameters, Throwable failure, double seconds) {
            return false;
        }

        @Override
        public void beforeRun() {
            assertTrue(!running && !closed);
            running = true;
        }

        @Override
        public void afterRun() {
            assertTrue(running);
            running = false;
            if (run % 6 == 2) {
                last = ways.get(run / 3);
            }
            run++;
        }

        @Override
        public void close() {
            open -= closed ? 0 : 1;
            closed = true;
        }
    }
}
