package org.trellis.sparse;

import java.util.Arrays;
import java.util.Locale;

/** Writes a matrix as a table for people to read; leaves out the middle of large ones. */
final class MatrixText {
    private static final String LEFT_OUT = "…";
    private static final String NO_ENTRY = ".";
    private static final int LONGEST_EXACT = 9;
    private static final int SKIPPED = -1;

    private MatrixText() {}

    static String of(CsrMatrix a, int mostRows, int mostColumns) {
        int[] rows = shown(a.rows(), mostRows);
        int[] columns = shown(a.columns(), mostColumns);
        String[][] cells = new String[rows.length][columns.length];
        int[] widths = new int[columns.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < columns.length; j++) {
                cells[i][j] = cell(a, rows[i], columns[j]);
                widths[j] = Math.max(widths[j], cells[i][j].length());
            }
        }
        StringBuilder text = new StringBuilder(a.toString()).append('\n');
        for (String[] line : cells) {
            for (int j = 0; j < line.length; j++) {
                text.append(j == 0 ? "" : "  ").append(" ".repeat(widths[j] - line[j].length())).append(line[j]);
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The indices of what is shown, the first half and the last, with a mark where something is left out. */
    private static int[] shown(int size, int most) {
        int[] all = new int[Math.min(size, most)];
        Arrays.setAll(all, i -> i);
        if (size > most) {
            int head = most / 2;
            all[head] = SKIPPED;
            for (int i = head + 1; i < most; i++) {
                all[i] = size - most + i;
            }
        }
        return all;
    }

    private static String cell(CsrMatrix a, int row, int column) {
        if (row == SKIPPED || column == SKIPPED) {
            return LEFT_OUT;
        }
        CsrSegment segment = a.segmentOf(row);
        int found = Arrays.binarySearch(segment.columnIndices(), segment.rowStart(row), segment.rowEnd(row), column);
        return found < 0 ? NO_ENTRY : number(segment, found);
    }

    private static String number(CsrSegment segment, int k) {
        double value = segment.values().get(k);
        String exact = (float) value == value ? Float.toString((float) value) : Double.toString(value);
        String shorter = exact.endsWith(".0") ? exact.substring(0, exact.length() - 2) : exact;
        return shorter.length() <= LONGEST_EXACT ? shorter : String.format(Locale.ROOT, "%.4g", value);
    }
}
