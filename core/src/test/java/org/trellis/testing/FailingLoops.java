package org.trellis.testing;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.backend.PreparedStep;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.CountedStorage;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.PreparedSequence;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/** The loops of a {@link FailingBackend}. Joins steps by running each when its turn is. */
final class FailingLoops implements LoopKernels {
    private final FailingBackend backend;
    private final LoopKernels loops;

    FailingLoops(FailingBackend backend, LoopKernels loops) {
        this.backend = backend;
        this.loops = loops;
    }

    @Override
    @MustBeClosed
    public DatStorage allocate(ScalarType type, int length) {
        return new CountedStorage(type, length, backend.take("storage"));
    }

    @Override
    public LoopParameters rule(LoopDeclaration loop) {
        return loops.rule(loop);
    }

    @Override
    public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
        return loops.parameterSpace(loop);
    }

    @Override
    public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
        return loops.constraint(loop, parameters);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with what is returned
    public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
        Runnable whenClosed = backend.take("loop");
        return new CountedLoop(loops.prepare(loop, parameters), new Once(whenClosed));
    }

    @Override
    public Optional<PreparedSequence> join(List<PreparedStep> steps) {
        return Optional.of(new Joined(List.copyOf(steps), new Once(backend.take("sequence"))));
    }

    /** Runs something at the first call only. */
    static final class Once implements Runnable {
        private Runnable action;

        Once(Runnable action) {
            this.action = action;
        }

        @Override
        public void run() {
            if (action != null) {
                action.run();
                action = null;
            }
        }
    }

    private record CountedLoop(PreparedLoop loop, Runnable whenClosed) implements PreparedLoop {
        @Override
        public void run() {
            loop.run();
        }

        @Override
        public void run(SetExtent part) {
            loop.run(part);
        }

        @Override
        public boolean rebind(int argument) {
            return loop.rebind(argument);
        }

        @Override
        public LoopStatistics statistics() {
            return loop.statistics();
        }

        @Override
        public void close() {
            loop.close();
            whenClosed.run();
        }
    }

    private record Joined(List<PreparedStep> steps, Runnable whenClosed) implements PreparedSequence {
        @Override
        public void pass(int number) {
            steps.get(number).run();
        }

        @Override
        public void run() {}

        @Override
        public OptionalDouble deviceSeconds() {
            return OptionalDouble.empty();
        }

        @Override
        public void resetTimes() {}

        @Override
        public Map<String, String> deviceFigures() {
            return Map.of();
        }

        @Override
        public void close() {
            whenClosed.run();
        }
    }
}
