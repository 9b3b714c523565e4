package org.trellis.matrices.market;

import java.util.List;

/**
 * A file that has been read to its end and found right.
 *
 * @param header    its header
 * @param blocks    its entries in order, as many as the header declares
 * @param textBytes size of its text
 */
record ParsedEntries(ParsedHeader header, List<EntryBlock> blocks, long textBytes) {}
