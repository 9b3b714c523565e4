package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/**
 * A loop over a set in parts: a loop of its own for each run of elements that is asked for, made when it is asked for
 * first. All have the same code.
 */
final class CudaSplitLoop implements PreparedLoop {
    private final LoopDeclaration loop;
    private final Function<LoopRange, CudaLoop> builder;
    private final List<Part> parts = new ArrayList<>();
    private final Part first;
    private boolean timed;
    private boolean closed;

    private record Part(int from, int to, CudaLoop run) {}

    /**
     * Makes the loop over the elements that are usually executed.
     *
     * @param loop    the loop
     * @param builder makes a loop over some elements
     */
    @MustBeClosed
    CudaSplitLoop(LoopDeclaration loop, Function<LoopRange, CudaLoop> builder) {
        this.loop = loop;
        this.builder = builder;
        this.first = part(0, loop.set().extent(SetExtent.EXECUTED));
    }

    private Part part(int from, int to) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).from() == from && parts.get(i).to() == to) {
                return parts.get(i);
            }
        }
        Part made = new Part(from, to, builder.apply(new LoopRange(from, to, loop.set().extent(SetExtent.OWNED))));
        made.run().timed(timed);
        parts.add(made);
        return made;
    }

    @Override
    public void run() {
        run(SetExtent.EXECUTED);
    }

    @Override
    public void run(SetExtent part) {
        run(0, loop.set().extent(part));
    }

    @Override
    public void run(int from, int to) {
        if (closed) {
            throw new IllegalStateException(loop + " is closed");
        }
        if (to > from) {
            part(from, to).run().run();
        }
    }

    @Override
    public boolean rebind(int argument) {
        boolean done = true;
        for (Part part : parts) {
            done &= part.run().rebind(argument);
        }
        return done;
    }

    @Override
    public LoopStatistics statistics() {
        return first.run().statistics();
    }

    @Override
    public void timeParts(boolean wanted) {
        timed = wanted;
        parts.forEach(part -> part.run().timed(wanted));
    }

    @Override
    public OptionalDouble deviceSeconds(int from, int to) {
        for (Part part : parts) {
            if (timed && part.from() == from && part.to() == to) {
                return part.run().deviceSeconds();
            }
        }
        return OptionalDouble.empty();
    }

    @Override
    public void resetTimes() {
        parts.forEach(part -> part.run().resetTimes());
    }

    @Override
    public Map<String, String> deviceFigures() {
        return first.run().deviceFigures();
    }

    @Override
    public void close() {
        closed = true;
        parts.forEach(part -> part.run().close());
    }
}
