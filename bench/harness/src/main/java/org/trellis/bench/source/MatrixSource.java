package org.trellis.bench.source;

import java.io.IOException;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/** A matrix that is available, but has not been read or made yet. */
public interface MatrixSource {
    /**
     * Returns the name for tables and reports.
     *
     * @return a short name
     */
    String name();

    /**
     * Returns where the matrix comes from.
     *
     * @return a path, a generator's specification or the catalogue's provenance
     */
    String origin();

    /**
     * Says whether {@link #load} gives the equivalent real form of a complex matrix, of twice as many rows and columns.
     *
     * @return true if it does
     * @throws IOException                              if the header of its file cannot be read
     * @throws org.trellis.common.MatrixFormatException if the header does not follow its format
     */
    default boolean isRealForm() throws IOException {
        return false;
    }

    /**
     * Reads or makes the matrix.
     *
     * @param progress receives how far it is
     * @return the matrix in double precision
     * @throws IOException                                  if it cannot be read
     * @throws org.trellis.common.MatrixFormatException if a file does not follow its format
     */
    CsrMatrix load(ProgressListener progress) throws IOException;
}
