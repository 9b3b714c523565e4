package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopRange;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Scalar;

/**
 * Keeps what each block reduces and combines it in the order of blocks: the same bits every time, and for the same
 * blocks whatever the number of threads. A global gets it combined with its value of before, a scalar without.
 */
final class Reductions {
    /** One reduced argument and what each block has made of it. */
    private abstract static class Reduction {
        final int argument;
        final Access access;

        Reduction(LoopDeclaration loop, int argument) {
            this.argument = argument;
            this.access = loop.access(argument);
        }

        abstract void start(LoopRange range);

        abstract void keep(int block, LoopRange range);

        /** Sets the result to what all blocks are combined with. */
        abstract void begin();

        abstract void combine(int block);
    }

    /** Of real numbers. */
    private static final class RealReduction extends Reduction {
        private final double neutral;
        private final int components;
        private final double[] parts;
        private double[] result;
        private int first;
        private boolean overwrites;

        RealReduction(LoopDeclaration loop, int argument, int blocks) {
            super(loop, argument);
            components = loop.signature(argument).components();
            parts = new double[blocks * components];
            neutral = switch (access) {
                case MIN -> Double.POSITIVE_INFINITY;
                case MAX -> Double.NEGATIVE_INFINITY;
                default -> 0;
            };
            bind(loop);
        }

        void bind(LoopDeclaration loop) {
            overwrites = loop.argument(argument) instanceof Scalar;
            if (loop.argument(argument) instanceof Scalar scalar) {
                result = HostBinding.doubles(scalar);
                first = scalar.first();
            }
        }

        @Override
        void start(LoopRange range) {
            Arrays.fill(range.reals(argument), neutral);
        }

        @Override
        void keep(int block, LoopRange range) {
            double[] part = range.reals(argument);
            for (int c = 0; c < components; c++) {
                parts[block * components + c] = part[c];
            }
        }

        @Override
        void begin() {
            if (overwrites) {
                Arrays.fill(result, first, first + components, neutral);
            }
        }

        @Override
        void combine(int block) {
            for (int c = 0; c < components; c++) {
                double before = result[first + c];
                double part = parts[block * components + c];
                result[first + c] = switch (access) {
                    case MIN -> Math.min(before, part);
                    case MAX -> Math.max(before, part);
                    default -> before + part;
                };
            }
        }
    }

    /** Of whole numbers. */
    private static final class IntReduction extends Reduction {
        private final int neutral;
        private final int components;
        private final int[] parts;
        private int[] result;

        IntReduction(LoopDeclaration loop, int argument, int blocks) {
            super(loop, argument);
            components = loop.signature(argument).components();
            parts = new int[blocks * components];
            neutral = switch (access) {
                case MIN -> Integer.MAX_VALUE;
                case MAX -> Integer.MIN_VALUE;
                default -> 0;
            };
        }

        @Override
        void start(LoopRange range) {
            Arrays.fill(range.ints(argument), neutral);
        }

        @Override
        void keep(int block, LoopRange range) {
            int[] part = range.ints(argument);
            for (int c = 0; c < components; c++) {
                parts[block * components + c] = part[c];
            }
        }

        @Override
        void begin() {}

        @Override
        void combine(int block) {
            for (int c = 0; c < components; c++) {
                int part = parts[block * components + c];
                result[c] = switch (access) {
                    case MIN -> Math.min(result[c], part);
                    case MAX -> Math.max(result[c], part);
                    default -> result[c] + part;
                };
            }
        }
    }

    private final LoopDeclaration loop;
    private final Reduction[] reductions;
    private final int[] blockOffsets;

    /**
     * Creates the reductions of a loop.
     *
     * @param loop         the loop
     * @param blockOffsets where each block of its plan starts, and where the last ends
     */
    Reductions(LoopDeclaration loop, int[] blockOffsets) {
        this.loop = loop;
        this.blockOffsets = blockOffsets;
        int blocks = blockOffsets.length - 1;
        List<Reduction> found = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a).reduces()) {
                found.add(loop.argument(a) instanceof Global global && !global.real()
                        ? new IntReduction(loop, a, blocks)
                        : new RealReduction(loop, a, blocks));
            }
        }
        reductions = found.toArray(Reduction[]::new);
    }

    /** Says whether the loop reduces nothing. */
    boolean isEmpty() {
        return reductions.length == 0;
    }

    /** Takes over what is bound to an argument now. */
    void rebind(int argument) {
        for (Reduction reduction : reductions) {
            if (reduction.argument == argument && reduction instanceof RealReduction real) {
                real.bind(loop);
            }
        }
    }

    /** Sets the accumulators of a thread to the neutral value, before a block. */
    void start(LoopRange range) {
        for (Reduction reduction : reductions) {
            reduction.start(range);
        }
    }

    /** Keeps the accumulators of a thread, after a block. */
    void keep(int block, LoopRange range) {
        for (Reduction reduction : reductions) {
            reduction.keep(block, range);
        }
    }

    /** Combines what the blocks that start from an element on and below a bound have left. */
    void finish(int from, int bound) {
        for (Reduction reduction : reductions) {
            if (reduction instanceof RealReduction real && loop.argument(real.argument) instanceof Global global) {
                real.result = global.doubles();
            } else if (reduction instanceof IntReduction whole) {
                whole.result = ((Global) loop.argument(whole.argument)).ints();
            }
            reduction.begin();
            for (int block = 0; block + 1 < blockOffsets.length; block++) {
                if (blockOffsets[block] >= from && blockOffsets[block] < bound) {
                    reduction.combine(block);
                }
            }
        }
    }
}
