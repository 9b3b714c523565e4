package org.trellis.internal.reference;

import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;
import org.trellis.sparse.CsrSegment;

/** Row by row in the order of the stages, in double precision, each result rounded once. */
final class ReferenceSmootherKernels implements SmootherKernels {
    private final ReferenceLock turn;

    ReferenceSmootherKernels(ReferenceLock turn) {
        this.turn = turn;
    }

    @Override
    public int rowsWorthAStage() {
        return Integer.MAX_VALUE;
    }

    @Override
    public PreparedRows prepare(StagedRows rows) {
        return new Rows(rows);
    }

    @Override
    public PreparedStep bindCorrection(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        HostVector diagonal = (HostVector) d;
        HostVector residual = (HostVector) r;
        HostVector correction = (HostVector) c;
        HostVector iterate = (HostVector) x;
        return () -> turn.take(() -> {
            for (int i = 0; i < iterate.length(); i++) {
                double old = factors.beta() == 0 ? 0 : factors.beta() * correction.get(i);
                correction.set(i, factors.alpha() * diagonal.get(i) * residual.get(i) + old);
                double kept = factors.gamma() == 0 ? 0 : factors.gamma() * iterate.get(i);
                iterate.set(i, kept + correction.get(i));
            }
        });
    }

    @Override
    public Optional<PreparedSplit> prepareSplit(SplitRows rows) {
        return Optional.of(new ReferenceSplit(turn, rows));
    }

    /** Rows as they are. */
    private final class Rows implements PreparedRows {
        private final StagedRows rows;
        private boolean closed;

        Rows(StagedRows rows) {
            this.rows = rows;
        }

        @Override
        public PreparedStep bind(double keep, double scale, DenseVector b, DenseVector x, Visit visit) {
            HostVector right = (HostVector) b;
            HostVector iterate = (HostVector) x;
            int from = rows.stages()[visit.from()];
            int to = rows.stages()[visit.to()];
            return () -> {
                if (closed) {
                    throw new IllegalStateException("rows of " + rows.entries() + " are closed");
                }
                turn.take(() -> {
                    for (int i = 0; i < to - from; i++) {
                        update(visit.backward() ? to - 1 - i : from + i, keep, scale, right, iterate);
                    }
                });
            };
        }

        private void update(int stored, double keep, double scale, HostVector b, HostVector x) {
            CsrSegment segment = rows.entries().segmentOf(stored);
            int row = rows.row(stored);
            double sum = b == null ? 0 : b.get(row);
            for (int k = segment.rowStart(stored); k < segment.rowEnd(stored); k++) {
                sum -= segment.values().get(k) * x.get(segment.columnIndices()[k]);
            }
            double change = scale * (rows.factors() == null ? 1 : rows.factors().get(stored)) * sum;
            x.set(row, keep == 0 ? change : keep * x.get(row) + change);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
