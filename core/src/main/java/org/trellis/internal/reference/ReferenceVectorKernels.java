package org.trellis.internal.reference;

import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.VectorKernels;

/** Vector operations one element after the other, in double precision, rounded once. */
final class ReferenceVectorKernels implements VectorKernels {
    private final ReferenceTurn turn;

    ReferenceVectorKernels(ReferenceTurn turn) {
        this.turn = turn;
    }

    @Override
    public double dot(DenseVector x, DenseVector y) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        return turn.compute(() -> {
            double sum = 0;
            for (int i = 0; i < a.length(); i++) {
                sum += a.get(i) * b.get(i);
            }
            return sum;
        });
    }

    @Override
    public void axpy(double alpha, DenseVector x, DenseVector y) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        turn.take(() -> {
            for (int i = 0; i < b.length(); i++) {
                b.set(i, alpha * a.get(i) + b.get(i));
            }
        });
    }

    @Override
    public void xpby(DenseVector x, double beta, DenseVector y) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        turn.take(() -> {
            for (int i = 0; i < b.length(); i++) {
                b.set(i, beta == 0 ? a.get(i) : a.get(i) + beta * b.get(i));
            }
        });
    }

    @Override
    public void multiplyElements(DenseVector x, DenseVector y, DenseVector z) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        HostVector c = (HostVector) z;
        turn.take(() -> {
            for (int i = 0; i < c.length(); i++) {
                c.set(i, a.get(i) * b.get(i));
            }
        });
    }

    @Override
    public double sumOfSquares(DenseVector x, double s) {
        HostVector a = (HostVector) x;
        return turn.compute(() -> {
            double sum = 0;
            for (int i = 0; i < a.length(); i++) {
                double scaled = s * a.get(i);
                sum += scaled * scaled;
            }
            return sum;
        });
    }
}
