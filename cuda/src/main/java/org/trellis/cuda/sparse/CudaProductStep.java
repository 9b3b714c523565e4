package org.trellis.cuda.sparse;

import org.trellis.backend.PreparedStep;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.cuda.runtime.KernelLaunch;

/**
 * A product with operands that stay the same: one kernel with all its arguments, which runs alone or in a graph. If the
 * operator has moved its values since, the next run looks where they are.
 */
final class CudaProductStep implements PreparedStep, GraphPart {
    private final CudaSpmvOperator operator;
    private final KernelLaunch launch;
    private final CudaVector[] operands;
    private int layoutNumber;
    private boolean closed;

    CudaProductStep(CudaSpmvOperator operator, KernelLaunch launch, CudaVector... operands) {
        this.operator = operator;
        this.launch = launch;
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
            operator.bindLayout(launch);
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
