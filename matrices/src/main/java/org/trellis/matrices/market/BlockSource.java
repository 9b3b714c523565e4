package org.trellis.matrices.market;

import java.io.Closeable;
import java.io.IOException;

/** The lines behind a header, handed out in blocks to any number of threads. */
interface BlockSource extends Closeable {

    /**
     * Takes the next block. Blocks are handed out in the order of the file.
     *
     * @param block filled with whole lines; may turn out empty
     * @return false at the end of the file; {@code block} is then as it was
     * @throws IOException if reading fails
     * @throws org.trellis.common.MatrixFormatException if the file is compressed and damaged, or expands too far
     */
    boolean next(TextBlock block) throws IOException;

    /** Bytes of the file that have been handed out, of {@link #totalBytes}. */
    long takenBytes();

    /** Size of the file, or -1 if it is not known. */
    long totalBytes();

    /** Bytes of text that have been handed out, which may be more than the file has if it is compressed. */
    long textBytes();
}
