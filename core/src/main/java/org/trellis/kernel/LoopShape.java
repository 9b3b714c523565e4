package org.trellis.kernel;

import java.util.Arrays;
import java.util.Objects;

/**
 * How a loop reaches its arguments: all that a generated loop treats as a compile-time constant. Component {@code c} of
 * the element {@code i} of argument {@code a} is at {@code i * elementStride(a) + c * componentStride(a)} of its array,
 * so array-of-structures has strides (components, 1) and structure-of-arrays (1, set size). Element {@code i} is the
 * loop's own element for a direct argument, and {@code targets(a, k)[e]} of {@link LoopArguments} otherwise.
 *
 * <p>Globals and constants are direct, with strides (0, 1).
 */
public final class LoopShape {
    private final boolean[] direct;
    private final int[] elementStrides;
    private final int[] componentStrides;
    private final int[] sameTarget;
    private final IncrementMode[] increments;
    private final boolean ordered;

    private LoopShape(Builder builder) {
        direct = builder.direct.clone();
        elementStrides = builder.elementStrides.clone();
        componentStrides = builder.componentStrides.clone();
        sameTarget = builder.sameTarget.clone();
        increments = builder.increments.clone();
        ordered = builder.ordered;
    }

    /**
     * Starts a shape in which every argument is direct with strides (1, 1), keeps its own target, adds its increments,
     * and elements come in consecutive order.
     *
     * @param arity the number of arguments
     * @return a builder
     */
    public static Builder of(int arity) {
        return new Builder(arity);
    }

    /**
     * Returns the number of arguments.
     *
     * @return the kernel's arity
     */
    public int arity() {
        return direct.length;
    }

    /**
     * Says whether an argument is reached without a map.
     *
     * @param argument its index
     * @return true for direct dats, globals and constants
     */
    public boolean direct(int argument) {
        return direct[argument];
    }

    /**
     * Returns the distance between consecutive elements.
     *
     * @param argument its index
     * @return in array entries
     */
    public int elementStride(int argument) {
        return elementStrides[argument];
    }

    /**
     * Returns the distance between consecutive components of an element.
     *
     * @param argument its index
     * @return in array entries
     */
    public int componentStride(int argument) {
        return componentStrides[argument];
    }

    /**
     * Returns the first argument that goes through the same column of the same map, so that its target need not be
     * loaded again.
     *
     * @param argument its index
     * @return an index of at most {@code argument}; {@code argument} itself if it is the first, direct, or takes all
     *         entries of its map
     */
    public int sameTarget(int argument) {
        return sameTarget[argument];
    }

    /**
     * Returns what happens to the contributions of an increment.
     *
     * @param argument its index
     * @return the mode; without meaning for other accesses
     */
    public IncrementMode increment(int argument) {
        return increments[argument];
    }

    /**
     * Says whether the range lists its elements.
     *
     * @return true if the loop's n-th element is {@code range.order()[n]}, false if it is n
     */
    public boolean ordered() {
        return ordered;
    }

    /** Returns the shape of a loop that has some of the arguments, in any order, perhaps some twice. */
    LoopShape part(int... arguments) {
        Builder part = of(arguments.length).ordered(ordered);
        for (int a = 0; a < arguments.length; a++) {
            int whole = arguments[a];
            part.strides(a, elementStrides[whole], componentStrides[whole]).increment(a, increments[whole]);
            if (!direct[whole]) {
                int same = 0;
                while (direct[arguments[same]] || sameTarget[arguments[same]] != sameTarget[whole]) {
                    same++;
                }
                part.indirect(a, same);
            }
        }
        return part.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LoopShape that && ordered == that.ordered && Arrays.equals(direct, that.direct)
                && Arrays.equals(elementStrides, that.elementStrides)
                && Arrays.equals(componentStrides, that.componentStrides)
                && Arrays.equals(sameTarget, that.sameTarget) && Arrays.equals(increments, that.increments);
    }

    @Override
    public int hashCode() {
        return Objects.hash(ordered, Arrays.hashCode(direct), Arrays.hashCode(elementStrides),
                Arrays.hashCode(componentStrides), Arrays.hashCode(sameTarget), Arrays.hashCode(increments));
    }

    /** Collects the properties of a shape. */
    public static final class Builder {
        private final boolean[] direct;
        private final int[] elementStrides;
        private final int[] componentStrides;
        private final int[] sameTarget;
        private final IncrementMode[] increments;
        private boolean ordered;

        private Builder(int arity) {
            direct = new boolean[arity];
            elementStrides = new int[arity];
            componentStrides = new int[arity];
            sameTarget = new int[arity];
            increments = new IncrementMode[arity];
            Arrays.fill(direct, true);
            Arrays.fill(elementStrides, 1);
            Arrays.fill(componentStrides, 1);
            Arrays.setAll(sameTarget, argument -> argument);
            Arrays.fill(increments, IncrementMode.ADD);
        }

        /**
         * Sets the strides of an argument.
         *
         * @param argument        its index
         * @param elementStride   distance between elements, at least 0
         * @param componentStride distance between components, at least 0
         * @return this
         * @throws IllegalArgumentException if a stride is negative
         */
        public Builder strides(int argument, int elementStride, int componentStride) {
            if (elementStride < 0 || componentStride < 0) {
                throw new IllegalArgumentException("argument " + argument + " has strides " + elementStride + " and "
                        + componentStride + ", expected none below 0");
            }
            elementStrides[argument] = elementStride;
            componentStrides[argument] = componentStride;
            return this;
        }

        /**
         * Makes an argument indirect.
         *
         * @param argument its index
         * @param sameAs   the first argument with the same column of the same map, or its own index
         * @return this
         * @throws IllegalArgumentException if the other argument is none of those up to this one
         */
        public Builder indirect(int argument, int sameAs) {
            if (sameAs < 0 || sameAs > argument) {
                throw new IllegalArgumentException("argument " + argument + " shares the target of argument " + sameAs
                        + ", expected 0 to " + argument);
            }
            direct[argument] = false;
            sameTarget[argument] = sameAs;
            return this;
        }

        /**
         * Sets what happens to the contributions of an increment.
         *
         * @param argument its index
         * @param mode     the mode
         * @return this
         */
        public Builder increment(int argument, IncrementMode mode) {
            increments[argument] = Objects.requireNonNull(mode);
            return this;
        }

        /**
         * Says whether ranges list their elements.
         *
         * @param listed true if they do
         * @return this
         */
        public Builder ordered(boolean listed) {
            ordered = listed;
            return this;
        }

        /**
         * Creates the shape.
         *
         * @return the shape
         */
        public LoopShape build() {
            return new LoopShape(this);
        }
    }
}
