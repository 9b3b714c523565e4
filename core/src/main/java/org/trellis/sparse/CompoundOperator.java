package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;

/**
 * An operator whose products consist of steps of other operators and of element kernels. Bound products are
 * combinations of these, so that a device's graph holds each of them.
 */
abstract class CompoundOperator extends CheckedOperator {
    @Override
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        return combine(new DenseVector[]{x, y, w, result}, () -> step(alpha, x, beta, y),
                () -> elements().bindDot(w, y, result, at));
    }

    @Override
    @MustBeClosed
    protected PreparedStep residualStep(DenseVector b, DenseVector x, DenseVector r) {
        return combine(new DenseVector[]{b, x, r}, () -> elements().bindUpdate(1, null, b, 0, r),
                () -> step(-1, x, 1, r));
    }

    @Override
    @MustBeClosed
    protected PreparedStep jacobiStepOf(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        return combine(new DenseVector[]{x, inverseDiagonal, b, y}, () -> elements().bindUpdate(1, null, b, 0, y),
                () -> step(-1, x, 1, y), () -> elements().bindUpdate(omega, inverseDiagonal, y, 0, y),
                () -> elements().bindUpdate(1, null, x, 1, y));
    }
}
