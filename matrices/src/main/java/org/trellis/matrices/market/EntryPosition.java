package org.trellis.matrices.market;

/**
 * Where an entry stands in a block of text. Only found for error messages, so that parsing need not keep it.
 *
 * @param line   line within the block, from 1
 * @param column column of its first byte that is not blank, from 1
 */
record EntryPosition(long line, int column) {

    /** Finds the k-th entry line, from 0, of a block that has more than {@code k}. */
    static EntryPosition find(TextBlock block, int k) {
        byte[] bytes = block.bytes();
        long line = 0;
        int entries = -1;
        int start = block.from();
        while (true) {
            line++;
            int at = start;
            while (bytes[at] == ' ' || bytes[at] == '\t') {
                at++;
            }
            if (bytes[at] != '\n' && bytes[at] != '\r' && bytes[at] != '%') {
                entries++;
                if (entries == k) {
                    return new EntryPosition(line, at - start + 1);
                }
            }
            while (bytes[at] != '\n') {
                at++;
            }
            start = at + 1;
        }
    }
}
