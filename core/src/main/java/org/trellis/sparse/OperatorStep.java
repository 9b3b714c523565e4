package org.trellis.sparse;

import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;

/** A product whose operands were checked when it was bound; what can have changed since is checked at each run. */
final class OperatorStep implements PreparedStep {
    private static final String RUN = "run of a bound product";

    private final CheckedOperator operator;
    private final Runnable work;
    private final DenseVector[] operands;
    private boolean closed;

    OperatorStep(CheckedOperator operator, Runnable work, DenseVector... operands) {
        this.operator = operator;
        this.work = work;
        this.operands = operands;
    }

    @Override
    public void run() {
        if (closed) {
            throw new IllegalStateException("the bound product of " + operator + " is closed");
        }
        check(operator, operands);
        work.run();
    }

    /** Checks what can have changed since operands were checked. */
    static void check(CheckedOperator operator, DenseVector... operands) {
        operator.requireOpen(RUN);
        for (DenseVector operand : operands) {
            operand.numbering().requireCurrent();
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "bound " + operator;
    }
}
