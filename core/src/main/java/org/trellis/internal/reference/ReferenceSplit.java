package org.trellis.internal.reference;

import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.SplitProduct;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** The sweeps of Eisenstat's product row by row, in double precision, each result rounded once. */
final class ReferenceSplit implements SmootherKernels.PreparedSplit {
    private final ReferenceLock turn;
    private final SplitRows rows;
    private boolean closed;

    ReferenceSplit(ReferenceLock turn, SplitRows rows) {
        this.turn = turn;
        this.rows = rows;
    }

    /** The sum of {@code aᵢⱼ xⱼ} over the entries of a row. */
    private static double sum(CsrMatrix triangle, int row, HostVector x) {
        CsrSegment segment = triangle.segmentOf(row);
        double sum = 0;
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            sum += segment.values().get(k) * x.get(segment.columnIndices()[k]);
        }
        return sum;
    }

    private PreparedStep step(Runnable work) {
        return () -> {
            if (closed) {
                throw new IllegalStateException("triangles of " + rows.lower() + " are closed");
            }
            turn.take(work);
        };
    }

    @Override
    public PreparedStep bindResidual(DenseVector r) {
        HostVector residual = (HostVector) r;
        return step(() -> {
            for (int row = 0; row < residual.length(); row++) {
                residual.set(row, residual.get(row) - sum(rows.lower(), row, residual));
            }
        });
    }

    @Override
    public PreparedStep bindDirection(SplitProduct.Coefficients coefficients, DenseVector residual,
            DenseVector split, DenseVector direction) {
        HostVector r = (HostVector) residual;
        HostVector hat = (HostVector) split;
        HostVector p = (HostVector) direction;
        HostVector scalars = (HostVector) coefficients.scalars();
        return step(() -> {
            double beta = coefficients.last() < 0
                    ? 0
                    : scalars.get(coefficients.next()) / scalars.get(coefficients.last());
            for (int row = r.length() - 1; row >= 0; row--) {
                hat.set(row, r.get(row) + (beta == 0 ? 0 : beta * hat.get(row)));
                p.set(row, hat.get(row) - sum(rows.upper(), row, p));
            }
        });
    }

    @Override
    public PreparedStep bindProduct(SplitProduct.Sums sums, DenseVector split, DenseVector direction,
            DenseVector residual, DenseVector y) {
        HostVector hat = (HostVector) split;
        HostVector p = (HostVector) direction;
        HostVector r = (HostVector) residual;
        HostVector result = (HostVector) y;
        HostVector scalars = (HostVector) sums.scalars();
        return step(() -> {
            double sigma = 0;
            double square = 0;
            for (int row = 0; row < r.length(); row++) {
                result.set(row, hat.get(row) + rows.middle().get(row) * p.get(row) - sum(rows.lower(), row, result));
                sigma += hat.get(row) * (p.get(row) + result.get(row));
                double norm = rows.weights().get(row) * (r.get(row) + sum(rows.lower(), row, r));
                square += norm * norm;
            }
            scalars.set(sums.sigma(), sigma);
            scalars.set(sums.square(), square);
        });
    }

    @Override
    public void close() {
        closed = true;
    }
}
