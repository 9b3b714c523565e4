package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;

/**
 * Both sweeps of symmetric Gauss–Seidel over a matrix whose rows have colours (thesis, algorithm 6): forward
 * {@code y = d (r − A y)}, colour by colour, then backward {@code z = y − d A z}, where y and z are zero in rows whose
 * turn is still to come. Each sweep multiplies every row once.
 */
public interface ColourSweeps extends AutoCloseable {
    /**
     * Binds the sweeps to vectors.
     *
     * @param r what is preconditioned
     * @param y room for what the forward sweep makes; neither of the others
     * @param z the result, overwritten; not r
     * @return a step that the caller closes
     */
    @MustBeClosed
    PreparedStep bind(DenseVector r, DenseVector y, DenseVector z);

    @Override
    void close();
}
