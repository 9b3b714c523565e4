package org.trellis.mesh;

import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;

/** A loop on one of several ranks: brings what it needs of others and runs. All ranks make the same calls. */
public interface RankedLoop extends AutoCloseable {
    /** Makes plan and code, unless they are there. */
    void prepare();

    /** Runs the loop, each element of the whole set once, and combines reductions over all ranks. */
    void run();

    /** Takes over the arguments that are bound now; each has the shape of the one before. */
    void rebind();

    /**
     * Returns how this rank runs the loop.
     *
     * @return the parameters
     */
    LoopParameters parameters();

    /**
     * Changes how this rank runs the loop.
     *
     * @param wanted the parameters
     * @throws org.trellis.common.UnsupportedKernelException if the backend cannot run it so
     */
    void parameters(LoopParameters wanted);

    /**
     * Returns the wall time of this rank's runs, exchanges and waiting included.
     *
     * @return in seconds, since times were forgotten
     */
    double seconds();

    /**
     * Reports this rank's runs.
     *
     * @return its line of the report
     */
    LoopReport report();

    /** Forgets the times of past runs. */
    void resetTimes();

    /** Releases what has been prepared. Idempotent. */
    @Override
    void close();
}
