package org.trellis.matrices.market;

/**
 * A header and where it stands in its file.
 *
 * @param header     what it says
 * @param dataOffset bytes up to the end of the size line
 * @param lines      lines up to and with the size line, whose number this is
 * @param fieldColumn column of the field in the banner
 * @param rowsColumn column of the first number of the size line
 * @param countColumn column of the last number of the size line
 */
record ParsedHeader(MarketHeader header, long dataOffset, long lines, int fieldColumn, int rowsColumn,
        int countColumn) {}
