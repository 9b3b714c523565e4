package org.trellis.mesh.device;

import java.util.Map;
import java.util.OptionalDouble;
import org.trellis.backend.PreparedStep;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/** A loop bound to its data, ready to run again and again. */
public interface PreparedLoop extends PreparedStep {
    /**
     * Runs the kernel on every executed element once. On a device it may return before the work is done: code that
     * reads a dat through its {@link DatStorage}, or a {@code Global}, waits for it. Allocates nothing.
     */
    @Override
    void run();

    /**
     * Runs the kernel on the elements of a part of the set. Reductions run over owned elements only. Allocates nothing.
     *
     * @param part the part; {@link #run()} runs {@link SetExtent#EXECUTED}
     * @throws org.trellis.common.UnsupportedKernelException if the part is not the whole set and the backend cannot
     */
    void run(SetExtent part);

    /**
     * Runs the kernel on the elements between two ends of parts of the set. Reductions run over owned elements only,
     * and combine those with what a global has. Allocates nothing.
     *
     * @param from the first element, 0 or one of {@code MeshSet.ends()}
     * @param to   the element after the last, one of them too, and none without rows in maps
     * @throws org.trellis.common.UnsupportedKernelException unless overridden
     */
    default void run(int from, int to) {
        throw new UnsupportedKernelException("a loop over elements " + from + " to " + (to - 1), "of the loop",
                "it runs on parts that begin with the first element only");
    }

    /**
     * Takes over the argument that is bound to a parameter now, from the next run on; it has the shape of the one
     * before. Cheap, and allocates nothing.
     *
     * @param argument the parameter's index
     * @return false if that cannot be done, and the loop is to be prepared anew
     */
    boolean rebind(int argument);

    /**
     * Describes how the loop is run. May take a pass over the maps.
     *
     * @return figures of its plan
     */
    LoopStatistics statistics();

    /**
     * Returns how long a run takes on a device that works asynchronously, by its own clock. May wait for it.
     *
     * @return the mean of runs since {@link #resetTimes}, in seconds; empty if runs are over when {@link #run} returns
     */
    default OptionalDouble deviceSeconds() {
        return OptionalDouble.empty();
    }

    /**
     * Lets runs of some elements, by {@link #run(int, int)}, be timed on the device, which takes the host a little
     * longer. Does nothing unless overridden.
     *
     * @param wanted false for no times, as in the beginning
     */
    default void timeParts(boolean wanted) {}

    /**
     * Returns how long runs of some elements take on a device that works asynchronously, by its own clock. May wait for
     * it.
     *
     * @param from the first element of {@link #run(int, int)}
     * @param to   the element after the last
     * @return the mean of runs since {@link #resetTimes}, in seconds; empty without such a clock or such runs
     */
    default OptionalDouble deviceSeconds(int from, int to) {
        return OptionalDouble.empty();
    }

    /** Forgets the times of past runs on the device. Does nothing unless overridden. */
    default void resetTimes() {}

    /**
     * Describes the code that a device runs.
     *
     * @return figures by name, for example registers and occupancy; empty unless overridden
     */
    default Map<String, String> deviceFigures() {
        return Map.of();
    }
}
