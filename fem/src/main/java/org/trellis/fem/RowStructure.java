package org.trellis.fem;

/**
 * The structure of compressed rows.
 *
 * @param rowOffsets    where rows start, and the number of entries
 * @param columnIndices ascending in each row, each once
 */
public record RowStructure(int[] rowOffsets, int[] columnIndices) {}
