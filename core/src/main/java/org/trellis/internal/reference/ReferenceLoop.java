package org.trellis.internal.reference;

import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/**
 * Gathers an element's components into small arrays, calls the user's method, and writes back what it changed; one
 * after the other where the loop consists of several.
 */
final class ReferenceLoop implements PreparedLoop {
    private final LoopDeclaration loop;
    private final MeshSet set;
    private final ReferenceLock turn;
    private final Part[] parts;
    /** Made once: runs allocate nothing. */
    private final Runnable work = this::runElements;
    private int first;
    private int end;

    /** A method that is called for each element. */
    private static final class Part {
        private final LoopKernel kernel;
        private final ReferenceArgument[] arguments;
        private final Object[] values;

        Part(LoopDeclaration loop) {
            kernel = loop.kernel();
            arguments = new ReferenceArgument[loop.arity()];
            values = new Object[loop.arity()];
            for (int a = 0; a < arguments.length; a++) {
                arguments[a] = new ReferenceArgument(loop, a);
            }
        }

        void run(int element) {
            for (int a = 0; a < arguments.length; a++) {
                values[a] = arguments[a].gather(element);
            }
            kernel.call(values);
            for (ReferenceArgument argument : arguments) {
                argument.scatter(element);
            }
        }
    }

    ReferenceLoop(LoopDeclaration loop, ReferenceLock turn) {
        this.turn = turn;
        this.loop = loop;
        set = loop.set();
        parts = loop.parts().stream().map(Part::new).toArray(Part[]::new);
    }

    @Override
    public void run() {
        run(SetExtent.EXECUTED);
    }

    @Override
    public void run(SetExtent part) {
        run(0, set.extent(part));
    }

    @Override
    public void run(int from, int to) {
        first = from;
        end = to;
        turn.take(work);
    }

    private void runElements() {
        for (Part part : parts) {
            for (ReferenceArgument argument : part.arguments) {
                argument.begin();
            }
        }
        int owned = Math.clamp(set.extent(SetExtent.OWNED), first, end);
        runRange(first, owned);
        for (Part part : parts) {
            for (ReferenceArgument argument : part.arguments) {
                argument.finish();
            }
        }
        if (owned < end) {
            runRange(owned, end);
            for (Part part : parts) {
                for (ReferenceArgument argument : part.arguments) {
                    argument.restore();
                }
            }
        }
    }

    private void runRange(int from, int to) {
        for (int element = from; element < to; element++) {
            for (Part part : parts) {
                part.run(element);
            }
        }
    }

    @Override
    public boolean rebind(int argument) {
        if (parts.length > 1) {
            return false;
        }
        parts[0].arguments[argument] = new ReferenceArgument(loop, argument);
        return true;
    }

    @Override
    public LoopStatistics statistics() {
        return new LoopStatistics(set.size() == 0 ? 0 : 1, 1, 1, set.extent(SetExtent.EXECUTED), 1, 0);
    }
}
