package org.trellis.solve.direct;

/** The scaled entries above diagonal blocks, which are not factorised. */
final class LuAbove {
    private final LuAnalysis analysis;
    private final LuColumns columns;
    private final int[] row;
    private final int[] column;
    private final int[] place;

    /**
     * Finds them.
     *
     * @param analysis  the matrix
     * @param stepOfRow the step of each row
     * @param columnAt  the column of each step
     */
    LuAbove(LuAnalysis analysis, int[] stepOfRow, int[] columnAt, FactorMeter meter) {
        this.analysis = analysis;
        ColumnStructure matrix = analysis.matrix();
        int n = columnAt.length;
        int[] blocks = analysis.blockStart();
        int count = 0;
        for (int b = 0; b + 1 < blocks.length && blocks.length > 2; b++) {
            for (int k = blocks[b]; k < blocks[b + 1]; k++) {
                for (int e = matrix.start()[columnAt[k]]; e < matrix.start()[columnAt[k] + 1]; e++) {
                    count += stepOfRow[matrix.row()[e]] < blocks[b] ? 1 : 0;
                }
            }
        }
        columns = new LuColumns(n, count, meter);
        row = new int[count];
        column = new int[count];
        place = new int[count];
        count = 0;
        for (int b = 0; b + 1 < blocks.length; b++) {
            for (int k = blocks[b]; k < blocks[b + 1]; k++) {
                for (int e = matrix.start()[columnAt[k]]; e < matrix.start()[columnAt[k] + 1]; e++) {
                    int step = stepOfRow[matrix.row()[e]];
                    if (step < blocks[b]) {
                        columns.rows()[count] = step;
                        row[count] = matrix.row()[e];
                        column[count] = columnAt[k];
                        place[count++] = matrix.place()[e];
                    }
                }
                columns.endColumn(k, count);
            }
        }
    }

    /** Takes values. */
    void take(double[] values, double[] rowScale) {
        for (int e = 0; e < place.length; e++) {
            columns.values()[e] = values[place[e]] * rowScale[row[e]] * analysis.columnScale()[column[e]];
        }
    }

    LuColumns columns() {
        return columns;
    }
}
