package org.trellis.solve;

import org.trellis.backend.HostBackend;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;

/**
 * Dot products of a vector with the vectors of a basis and combinations of these, eight, four, two or one at a time, by
 * loops that are bound to other vectors at each run. With k vectors of a basis a pass over the vector serves eight of
 * them, so dot products move k + ⌈k/8⌉ vectors, and a combination k + 2⌈k/8⌉, on the heap k + 2⌈k/4⌉. A run allocates
 * nothing.
 */
public final class BasisLoops {
    private static final int[] WIDTHS = {8, 4, 2, 1};
    private static final LoopKernel[] DOTS = {BasisUpdatesLoops.DOTS8, BasisUpdatesLoops.DOTS4, BasisUpdatesLoops.DOTS2,
        BasisUpdatesLoops.DOTS1};
    private static final LoopKernel[] COMBINE = {BasisUpdatesLoops.COMBINE8, BasisUpdatesLoops.COMBINE4,
        BasisUpdatesLoops.COMBINE2, BasisUpdatesLoops.COMBINE1};
    private static final LoopKernel[] SUBTRACT = {BasisUpdatesLoops.SUBTRACT8, BasisUpdatesLoops.SUBTRACT4,
        BasisUpdatesLoops.SUBTRACT2, BasisUpdatesLoops.SUBTRACT1};

    private final Mesh mesh;
    private final MeshSet set;
    private final ParallelLoop[] dots = new ParallelLoop[WIDTHS.length];
    private final ParallelLoop[] combine = new ParallelLoop[WIDTHS.length];
    private final ParallelLoop[] subtract = new ParallelLoop[WIDTHS.length];
    private final LoopArgument[][] arguments = new LoopArgument[WIDTHS.length][];
    /** The index of the widest loops that combine vectors: the JIT compiler vectorises four, not eight. */
    private final int widest;

    /**
     * Makes the loops.
     *
     * @param mesh of the vectors
     * @param set  what their elements belong to
     */
    public BasisLoops(Mesh mesh, MeshSet set) {
        this.mesh = mesh;
        this.set = set;
        this.widest = mesh.backend() instanceof HostBackend ? 1 : 0;
        for (int i = 0; i < WIDTHS.length; i++) {
            arguments[i] = new LoopArgument[WIDTHS[i] + 2];
        }
    }

    /** Coefficients or sums as arguments of every width, made once. */
    public static final class Coefficients {
        private final Scalar[][] at = new Scalar[WIDTHS.length][];

        /**
         * Makes them.
         *
         * @param scalars where they live
         * @param first   the index of the first
         * @param count   how many
         */
        public Coefficients(Scalars scalars, int first, int count) {
            for (int i = 0; i < WIDTHS.length; i++) {
                at[i] = new Scalar[Math.max(0, count - WIDTHS[i] + 1)];
                for (int k = 0; k < at[i].length; k++) {
                    at[i][k] = scalars.at(first + k, WIDTHS[i]);
                }
            }
        }
    }

    /**
     * Computes {@code sums[k] = w · basis[from + k]}.
     *
     * @param w     a vector
     * @param basis vectors, none of which is w
     * @param from  the index of the first
     * @param count how many
     * @param sums  at least as many
     */
    public void dots(Dat w, Dat[] basis, int from, int count, Coefficients sums) {
        int done = 0;
        for (int i = 0; i < WIDTHS.length; i++) {
            for (; count - done >= WIDTHS[i]; done += WIDTHS[i]) {
                LoopArgument[] all = arguments[i];
                all[0] = w;
                System.arraycopy(basis, from + done, all, 1, WIDTHS[i]);
                all[WIDTHS[i] + 1] = sums.at[i][done];
                dots[i] = run(dots[i], DOTS[i], all);
            }
        }
    }

    /**
     * Computes {@code y += Σ c[k] basis[from + k]}.
     *
     * @param y     a vector
     * @param basis vectors, none of which is y
     * @param from  the index of the first
     * @param count how many
     * @param c     at least as many
     */
    public void add(Dat y, Dat[] basis, int from, int count, Coefficients c) {
        change(combine, COMBINE, y, basis, from, count, c);
    }

    /**
     * Computes {@code y −= Σ c[k] basis[from + k]}.
     *
     * @param y     a vector
     * @param basis vectors, none of which is y
     * @param from  the index of the first
     * @param count how many
     * @param c     at least as many
     */
    public void subtract(Dat y, Dat[] basis, int from, int count, Coefficients c) {
        change(subtract, SUBTRACT, y, basis, from, count, c);
    }

    private void change(ParallelLoop[] loops, LoopKernel[] which, Dat y, Dat[] basis, int from, int count,
            Coefficients c) {
        int done = 0;
        for (int i = widest; i < WIDTHS.length; i++) {
            for (; count - done >= WIDTHS[i]; done += WIDTHS[i]) {
                LoopArgument[] all = arguments[i];
                all[0] = c.at[i][done];
                System.arraycopy(basis, from + done, all, 1, WIDTHS[i]);
                all[WIDTHS[i] + 1] = y;
                loops[i] = run(loops[i], which[i], all);
            }
        }
    }

    private ParallelLoop run(ParallelLoop loop, LoopKernel kernel, LoopArgument[] all) {
        ParallelLoop bound = loop == null ? mesh.loop(kernel, set, all) : loop.bind(all);
        bound.run();
        return bound;
    }
}
