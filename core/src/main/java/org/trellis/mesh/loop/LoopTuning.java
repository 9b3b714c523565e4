package org.trellis.mesh.loop;

/**
 * Decides how each run of one loop is done and sees how long it takes. The loop asks {@link #next} before each run,
 * prepares what it says, and calls {@link #beforeRun} and {@link #afterRun} around the run; when {@link #isFinished},
 * it runs as {@link #best} says from then on, closes this object and asks no more.
 */
public interface LoopTuning extends AutoCloseable {
    /**
     * Returns how the next run is to be done. Looks for times of earlier runs, but waits for none.
     *
     * @return parameters that the backend's constraints accept
     */
    LoopParameters next();

    /**
     * Returns the best that is believed so far.
     *
     * @return parameters
     */
    LoopParameters best();

    /**
     * Returns whether there is nothing left to try.
     *
     * @return true if {@link #next} is {@link #best} from now on
     */
    boolean isFinished();

    /**
     * Says that a way of running was prepared, within a run.
     *
     * @param parameters how
     * @param seconds    wall time of making plan and code
     */
    void prepared(LoopParameters parameters, double seconds);

    /**
     * Says that a variant is not available.
     *
     * @param parameters what {@link #next} had returned
     * @param failure    why
     * @param seconds    wall time until that was known
     * @return false if that is no fault of the parameters, and the failure is to be thrown
     */
    boolean refused(LoopParameters parameters, Throwable failure, double seconds);

    /** The run that {@link #next} was asked about begins. Allocates nothing and waits for nothing. */
    void beforeRun();

    /** That run has ended, or, on a device that works asynchronously, was handed over. */
    void afterRun();

    /** Gives back what it holds. Idempotent. */
    @Override
    void close();
}
