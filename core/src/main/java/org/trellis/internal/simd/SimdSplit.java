package org.trellis.internal.simd;

import org.trellis.common.Precision;
import org.trellis.internal.threads.smooth.SplitKernel;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;

/** Chooses vector loops for the triangles of Eisenstat's product. */
final class SimdSplit {
    /** Rows of a stage, on average, from which on vectors are worth it. */
    private static final int ROWS_WORTH_A_STAGE = 32;

    private SimdSplit() {}

    /**
     * Lays triangles out for vectors.
     *
     * @param rows the triangles
     * @return the loops, or null if rows wait for each other, stages are short or rows of very different lengths
     */
    static SplitKernel of(SplitRows rows) {
        if (rows.schedule() != StagedRows.Schedule.STAGES
                || rows.lower().rows() < (long) rows.stageCount() * ROWS_WORTH_A_STAGE) {
            return null;
        }
        return rows.lower().precision() == Precision.F64 ? DoubleSplitLanes.of(rows) : FloatSplitLanes.of(rows);
    }
}
