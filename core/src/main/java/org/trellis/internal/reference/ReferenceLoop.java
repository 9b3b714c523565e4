package org.trellis.internal.reference;

import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopStatistics;
import org.trellis.mesh.PreparedLoop;

/** Gathers an element's components into small arrays, calls the user's method, and writes back what it changed. */
final class ReferenceLoop implements PreparedLoop {
    private final LoopKernel kernel;
    private final ReferenceTurn turn;
    private final int elements;
    private final ReferenceArgument[] arguments;
    private final Object[] values;
    /** Made once: runs allocate nothing. */
    private final Runnable work = this::runElements;

    ReferenceLoop(LoopDeclaration loop, ReferenceTurn turn) {
        this.turn = turn;
        kernel = loop.kernel();
        elements = loop.set().size();
        arguments = new ReferenceArgument[loop.arity()];
        values = new Object[loop.arity()];
        for (int a = 0; a < arguments.length; a++) {
            arguments[a] = new ReferenceArgument(loop, a);
        }
    }

    @Override
    public void run() {
        turn.take(work);
    }

    private void runElements() {
        for (int element = 0; element < elements; element++) {
            for (int a = 0; a < arguments.length; a++) {
                values[a] = arguments[a].gather(element);
            }
            kernel.call(values);
            for (ReferenceArgument argument : arguments) {
                argument.scatter(element);
            }
        }
    }

    @Override
    public LoopStatistics statistics() {
        return new LoopStatistics(elements == 0 ? 0 : 1, 1, 1, elements, 1, 0);
    }
}
