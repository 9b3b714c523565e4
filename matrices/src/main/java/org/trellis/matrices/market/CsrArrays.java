package org.trellis.matrices.market;

/**
 * Rows in the compressed form, columns ascending and none twice.
 *
 * @param rowOffsets    start of every row and, last, the number of entries
 * @param columnIndices column of every entry, from zero
 * @param values        value of every entry
 */
record CsrArrays(int[] rowOffsets, int[] columnIndices, double[] values) {}
