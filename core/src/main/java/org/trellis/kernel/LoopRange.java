package org.trellis.kernel;

import java.util.List;

/**
 * The elements that one call of a {@link RangeLoop} runs, with what belongs to the thread that runs it: accumulators of
 * global reductions and scratch. Made once for each thread and changed from call to call.
 */
public final class LoopRange {
    /** The number of {@code int}s and of {@code double}s that a loop may use as scratch. */
    public static final int SCRATCH = 4096;

    private final double[][] realAccumulators;
    private final int[][] intAccumulators;
    private int[] intScratch;
    private double[] doubleScratch;
    private float[] floatScratch;
    private int from;
    private int to;
    private int[] order;
    private int ownedFrom;
    private int ownedTo = Integer.MAX_VALUE;
    private FusedParts parts;

    /**
     * Creates an empty range with accumulators for the reductions of a kernel.
     *
     * @param signature the kernel's signature
     */
    public LoopRange(KernelSignature signature) {
        List<ArgumentSignature> arguments = signature.arguments();
        realAccumulators = new double[arguments.size()][];
        intAccumulators = new int[arguments.size()][];
        for (int a = 0; a < arguments.size(); a++) {
            ArgumentSignature argument = arguments.get(a);
            if (argument.access().reduces()) {
                if (argument.type() == ArgumentSignature.Type.REAL) {
                    realAccumulators[a] = new double[argument.components()];
                } else {
                    intAccumulators[a] = new int[argument.components()];
                }
            }
        }
    }

    /** Creates a part's view of a range: its accumulators are those of the whole. */
    LoopRange(KernelSignature signature, LoopRange whole, List<Integer> arguments) {
        realAccumulators = new double[signature.arity()][];
        intAccumulators = new int[signature.arity()][];
        for (int a = 0; a < signature.arity(); a++) {
            realAccumulators[a] = whole.realAccumulators[arguments.get(a)];
            intAccumulators[a] = whole.intAccumulators[arguments.get(a)];
        }
    }

    /** Returns what the parts of a kernel need; made when it is first asked for. */
    FusedParts parts(FusedKernel kernel) {
        if (parts == null || !parts.isOf(kernel)) {
            parts = new FusedParts(kernel, this);
        }
        return parts;
    }

    /**
     * Sets consecutive elements.
     *
     * @param first the first element
     * @param end   the element after the last
     * @return this
     */
    public LoopRange elements(int first, int end) {
        from = first;
        to = end;
        order = null;
        return this;
    }

    /**
     * Sets listed elements: {@code list[first]} to {@code list[end - 1]}.
     *
     * @param list  elements in the order in which they are run
     * @param first the first place in the list
     * @param end   the place after the last
     * @return this
     */
    public LoopRange elements(int[] list, int first, int end) {
        from = first;
        to = end;
        order = list;
        return this;
    }

    /**
     * Sets the targets to which {@link IncrementMode#ADD_OWNED} adds.
     *
     * @param first the first owned target
     * @param end   the target after the last
     * @return this
     */
    public LoopRange owned(int first, int end) {
        ownedFrom = first;
        ownedTo = end;
        return this;
    }

    /**
     * Returns where the range starts.
     *
     * @return the first element, or place in {@link #order}
     */
    public int from() {
        return from;
    }

    /**
     * Returns where the range ends.
     *
     * @return one past the last
     */
    public int to() {
        return to;
    }

    /**
     * Returns the list of elements.
     *
     * @return the list, or null if elements are consecutive
     */
    public int[] order() {
        return order;
    }

    /**
     * Returns the first owned target.
     *
     * @return its index
     */
    public int ownedFrom() {
        return ownedFrom;
    }

    /**
     * Returns the end of the owned targets.
     *
     * @return one past the last
     */
    public int ownedTo() {
        return ownedTo;
    }

    /**
     * Returns the accumulator of a real reduction. A loop combines its result with what is there.
     *
     * @param argument the index of the argument
     * @return one value for each component, or null
     */
    public double[] reals(int argument) {
        return realAccumulators[argument];
    }

    /**
     * Returns the accumulator of an integer reduction. A loop combines its result with what is there.
     *
     * @param argument the index of the argument
     * @return one value for each component, or null
     */
    public int[] ints(int argument) {
        return intAccumulators[argument];
    }

    /**
     * Returns room for indices.
     *
     * @return {@link #SCRATCH} values that a call may overwrite
     */
    public int[] intScratch() {
        if (intScratch == null) {
            intScratch = new int[SCRATCH];
        }
        return intScratch;
    }

    /**
     * Returns room for values.
     *
     * @return {@link #SCRATCH} values that a call may overwrite
     */
    public double[] doubleScratch() {
        if (doubleScratch == null) {
            doubleScratch = new double[SCRATCH];
        }
        return doubleScratch;
    }

    /**
     * Returns room for values in single precision.
     *
     * @return {@link #SCRATCH} values that a call may overwrite
     */
    public float[] floatScratch() {
        if (floatScratch == null) {
            floatScratch = new float[SCRATCH];
        }
        return floatScratch;
    }
}
