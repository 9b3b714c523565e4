package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;

/** Brings columns of factors into rows, for those who look at them. */
final class LuFactors {
    private LuFactors() {}

    /** Returns columns and a diagonal, unless that is null, as a matrix. */
    static CsrMatrix byRows(LuColumns columns, double[] diagonal) {
        int n = columns.start().length - 1;
        int[] offsets = new int[n + 1];
        for (int e = 0; e < columns.size(); e++) {
            offsets[columns.rows()[e] + 1]++;
        }
        for (int i = 0; i < n; i++) {
            offsets[i + 1] = Math.addExact(offsets[i + 1] + (diagonal == null ? 0 : 1), offsets[i]);
        }
        int[] at = Arrays.copyOf(offsets, n);
        int[] indices = new int[offsets[n]];
        double[] values = new double[offsets[n]];
        for (int j = 0; j < n; j++) {
            for (int e = columns.start()[j]; e < columns.start()[j + 1]; e++) {
                int to = at[columns.rows()[e]]++;
                indices[to] = j;
                values[to] = columns.values()[e];
            }
            if (diagonal != null) {
                indices[at[j]] = j;
                values[at[j]++] = diagonal[j];
            }
        }
        return CsrMatrix.of(n, n, offsets, indices, values);
    }
}
