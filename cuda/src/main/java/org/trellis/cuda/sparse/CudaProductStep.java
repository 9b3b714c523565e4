package org.trellis.cuda.sparse;

import java.util.function.Supplier;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.cuda.runtime.KernelLaunch;

/**
 * A product with operands that stay the same: one kernel with all its arguments, which runs alone or in a graph. If the
 * operator has laid out its matrix anew since, the next run takes the kernel of that layout.
 */
final class CudaProductStep implements PreparedStep, GraphPart {
    private final CudaSpmvOperator operator;
    private final Supplier<KernelLaunch> launches;
    private final CudaVector[] operands;
    private KernelLaunch launch;
    private int layoutNumber;
    private boolean closed;

    /** Takes what makes launches with all arguments for the operator's present layout. */
    CudaProductStep(CudaSpmvOperator operator, Supplier<KernelLaunch> launches, CudaVector... operands) {
        this.operator = operator;
        this.launches = launches;
        this.launch = launches.get();
        this.operands = operands;
        this.layoutNumber = operator.layoutNumber();
    }

    private void refresh() {
        if (closed) {
            throw new IllegalStateException("the bound product of " + operator + " is closed");
        }
        operator.requireUsable();
        for (CudaVector operand : operands) {
            // Refuses a vector that is closed or stale.
            operand.address();
        }
        if (layoutNumber != operator.layoutNumber()) {
            KernelLaunch next = launches.get();
            launch.close();
            launch = next;
            layoutNumber = operator.layoutNumber();
        }
    }

    @Override
    public void run() {
        refresh();
        launch.run();
    }

    @Override
    public void addTo(CudaGraph graph) {
        refresh();
        graph.add(launch);
    }

    @Override
    public void update(CudaGraph graph, int first) {
        refresh();
        graph.update(first, launch);
    }

    @Override
    public int launchCount() {
        return launch.launchCount();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            launch.close();
        }
    }

    @Override
    public String toString() {
        return "bound " + operator;
    }
}
