package org.trellis.kernel;

import java.util.Optional;
import org.trellis.common.Precision;

/**
 * A kernel as backends see it: its signature and what was generated from it. Implementations are generated;
 * hand-written ones serve tests and loops that no kernel language could express.
 */
public interface LoopKernel {
    /**
     * Returns what the kernel takes.
     *
     * @return name and parameters
     */
    KernelSignature signature();

    /**
     * Calls the user's method for one element. This is the definition of the kernel, for the {@code reference} backend.
     *
     * @param arguments one object for each parameter, of the parameter's type: {@code double[]}, {@code int[]},
     *                  {@code double[][]}, {@code int[][]}, {@code Double} or {@code Integer}
     */
    void call(Object[] arguments);

    /**
     * Says whether a parameter is a scalar ({@code double}, {@code int}), which {@link #call} gets as a {@code Double}
     * or {@code Integer}, and not an array of one component.
     *
     * @param argument its index
     * @return true for constants that are declared as scalars
     */
    default boolean scalar(int argument) {
        return false;
    }

    /**
     * Creates the loop over a range of elements. Takes milliseconds: the code is specialised to the shape. Of the same
     * shape again it may be the same loop.
     *
     * @param style     how it computes
     * @param precision the precision of real dats
     * @param shape     how arguments are reached
     * @return the loop
     * @throws org.trellis.common.UnsupportedKernelException if {@link #objection} has one
     */
    RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape);

    /**
     * Says why there is no loop of a style.
     *
     * @param style the style
     * @return the reason, or empty if {@link #loop} makes one
     */
    Optional<String> objection(LoopStyle style);

    /**
     * Returns the CUDA C of the device function, with the real type and the layout of each argument left open to
     * macros; a comment at its head says which.
     *
     * @return the source
     */
    String cudaSource();
}
