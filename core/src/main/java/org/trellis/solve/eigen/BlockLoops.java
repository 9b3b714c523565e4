package org.trellis.solve.eigen;

import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;

/**
 * Makes four vectors at once orthogonal to a basis, by classical Gram–Schmidt. With k vectors of a basis it reads 2 k
 * of them, where one vector after the other would read 8 k.
 */
final class BlockLoops {
    private static final int WIDTH = BasisArithmetic.WIDTH;
    private static final int[] WIDTHS = {4, 2, 1};
    private static final LoopKernel[] PRODUCTS = {EigenUpdatesLoops.PRODUCTS4, EigenUpdatesLoops.PRODUCTS2,
        EigenUpdatesLoops.PRODUCTS1};
    private static final LoopKernel[] SUBTRACT = {EigenUpdatesLoops.SUBTRACT4, EigenUpdatesLoops.SUBTRACT2,
        EigenUpdatesLoops.SUBTRACT1};

    private final Mesh mesh;
    private final MeshSet set;
    private final Scalars sums;
    private final Scalar[][] at = new Scalar[WIDTHS.length][];
    private final double[] fetched;
    private final ParallelLoop[] products = new ParallelLoop[WIDTHS.length];
    private final ParallelLoop[] subtract = new ParallelLoop[WIDTHS.length];

    /**
     * Makes room for coefficients.
     *
     * @param most vectors of a basis
     */
    BlockLoops(Mesh mesh, MeshSet set, int most) {
        this.mesh = mesh;
        this.set = set;
        this.sums = mesh.scalars("products", WIDTH * Math.max(1, most));
        this.fetched = new double[WIDTH * Math.max(1, most)];
        for (int i = 0; i < WIDTHS.length; i++) {
            at[i] = new Scalar[Math.max(0, most - WIDTHS[i] + 1)];
            for (int k = 0; k < at[i].length; k++) {
                at[i][k] = sums.at(WIDTH * k, WIDTH * WIDTHS[i]);
            }
        }
    }

    /**
     * Subtracts from the four vectors behind a basis what they have of it.
     *
     * @param basis orthonormal vectors, and the four
     * @param count vectors of the basis
     * @return the greatest coefficient of each of the four
     */
    double[] clear(Dat[] basis, int count) {
        double[] greatest = new double[WIDTH];
        if (count == 0) {
            return greatest;
        }
        run(products, PRODUCTS, basis, count, true);
        run(subtract, SUBTRACT, basis, count, false);
        sums.copyTo(fetched);
        for (int i = 0; i < WIDTH * count; i++) {
            greatest[i % WIDTH] = Math.max(greatest[i % WIDTH], Math.abs(fetched[i]));
        }
        return greatest;
    }

    private void run(ParallelLoop[] loops, LoopKernel[] kernels, Dat[] basis, int count, boolean sumsLast) {
        int done = 0;
        for (int i = 0; i < WIDTHS.length; i++) {
            for (; count - done >= WIDTHS[i]; done += WIDTHS[i]) {
                LoopArgument[] all = new LoopArgument[WIDTH + WIDTHS[i] + 1];
                System.arraycopy(basis, count, all, sumsLast ? 0 : WIDTHS[i] + 1, WIDTH);
                System.arraycopy(basis, done, all, sumsLast ? WIDTH : 1, WIDTHS[i]);
                all[sumsLast ? all.length - 1 : 0] = at[i][done];
                loops[i] = loops[i] == null ? mesh.loop(kernels[i], set, all) : loops[i].bind(all);
                loops[i].run();
            }
        }
    }
}
