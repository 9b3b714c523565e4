package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The columns of a CSR matrix as codes, as {@code csr.cu} reads them: every 64 rows have bases of their own, or 32-bit
 * columns if theirs cannot be coded (see {@link ColumnCodes}).
 *
 * @param groups an integer a group: start of its codes, shifted left by one, lowest bit set if columns are 32-bit ones
 * @param bases  16 bases a group
 * @param codes  columns
 */
record CodedCsrLayout(int[] groups, int[] bases, short[] codes) {
    /** Rows of a group; the kernel's GROUP_ROWS. */
    static final int GROUP_ROWS = 64;

    static CodedCsrLayout of(HostCsr matrix) {
        int count = Math.ceilDiv(matrix.rows(), GROUP_ROWS);
        int[] groups = new int[count];
        int[] bases = new int[count * ColumnCodes.MAXIMUM_BASES];
        int[][] found = new int[count][];
        IntStream.range(0, count).parallel().forEach(group -> {
            int[] columns = Arrays.copyOfRange(matrix.columnIndices(), start(matrix, group), start(matrix, group + 1));
            found[group] = ColumnCodes.cover(columns, columns.length);
        });
        long length = 0;
        for (int group = 0; group < count; group++) {
            length += length % 2;
            int nonZeros = start(matrix, group + 1) - start(matrix, group);
            groups[group] = Math.toIntExact(length) << 1;
            if (found[group] == null) {
                groups[group] |= 1;
                length += 2L * nonZeros;
            } else {
                System.arraycopy(found[group], 0, bases, group * ColumnCodes.MAXIMUM_BASES, found[group].length);
                length += nonZeros;
            }
        }
        CodedCsrLayout layout = new CodedCsrLayout(groups, bases, new short[Math.toIntExact(length)]);
        IntStream.range(0, count).parallel().forEach(group -> layout.encode(matrix, group, found[group]));
        return layout;
    }

    private void encode(HostCsr matrix, int group, int[] groupBases) {
        int first = start(matrix, group);
        int at = groups[group] >>> 1;
        for (int k = 0; k < start(matrix, group + 1) - first; k++) {
            int column = matrix.columnIndices()[first + k];
            if (groupBases == null) {
                ColumnCodes.writeWide(codes, at + 2 * k, column);
            } else {
                codes[at + k] = (short) ColumnCodes.encode(groupBases, column);
            }
        }
    }

    private static int start(HostCsr matrix, int group) {
        return matrix.rowOffsets()[(int) Math.min(matrix.rows(), (long) group * GROUP_ROWS)];
    }
}
