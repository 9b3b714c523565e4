package org.trellis.solve.eigen;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;

/**
 * Multiplies a basis by a small dense matrix, eight vectors into four at a time: with k vectors into c it moves
 * {@code ⌈c/4⌉ ⌈k/8⌉ (8 + 8)} vectors.
 */
final class BasisTransform {
    private static final int FROM = 8;
    private static final int TO = 4;

    private final Mesh mesh;
    private final MeshSet set;
    private final Scalars factors;
    private final HostVector onHost;
    private ParallelLoop four;
    private ParallelLoop one;
    private ParallelLoop clearFour;
    private ParallelLoop clearOne;

    /**
     * Makes room for factors.
     *
     * @param from most vectors of a basis
     * @param to   most vectors that come out
     */
    BasisTransform(Mesh mesh, MeshSet set, int from, int to) {
        this.mesh = mesh;
        this.set = set;
        int count = Math.max(1, Math.ceilDiv(from, FROM) * FROM * to);
        this.factors = mesh.scalars("factors", count);
        this.onHost = HostVector.zeros(Precision.F64, count);
    }

    /**
     * Computes {@code to[j] = Σ q[i][j] from[i]}.
     *
     * @param from    vectors
     * @param count   how many
     * @param q       as many rows
     * @param to      other vectors, overwritten
     * @param columns how many
     */
    void apply(Dat[] from, int count, double[][] q, Dat[] to, int columns) {
        int blocks = Math.ceilDiv(count, FROM);
        load(count, q, columns, blocks);
        int place = 0;
        for (int j = 0; j < columns;) {
            boolean wide = columns - j >= TO;
            int width = wide ? TO : 1;
            clear(to, j, wide);
            for (int block = 0; block < blocks; block++) {
                run(from, count, block * FROM, place, to, j, wide);
                place += FROM * width;
            }
            j += width;
        }
    }

    private void load(int count, double[][] q, int columns, int blocks) {
        double[] c = onHost.doubles();
        Arrays.fill(c, 0);
        int place = 0;
        for (int j = 0; j < columns;) {
            int width = columns - j >= TO ? TO : 1;
            for (int i = 0; i < blocks * FROM; i++) {
                for (int k = 0; k < width; k++) {
                    c[place] = i < count ? q[i][j + k] : 0;
                    place++;
                }
            }
            j += width;
        }
        factors.vector().copyFrom(onHost);
    }

    private void clear(Dat[] to, int j, boolean wide) {
        if (wide) {
            LoopArgument[] all = {to[j], to[j + 1], to[j + 2], to[j + 3]};
            clearFour = clearFour == null
                    ? mesh.loop(EigenUpdatesLoops.CLEAR4, set, all)
                    : clearFour.bind(all);
            clearFour.run();
        } else {
            clearOne = clearOne == null
                    ? mesh.loop(EigenUpdatesLoops.CLEAR1, set, to[j])
                    : clearOne.bind(to[j]);
            clearOne.run();
        }
    }

    /** Adds a block; behind the last vector it stands again, times zero. */
    private void run(Dat[] from, int count, int first, int place, Dat[] to, int j, boolean wide) {
        int width = wide ? TO : 1;
        LoopArgument[] all = new LoopArgument[1 + FROM + width];
        all[0] = factors.at(place, FROM * width);
        for (int i = 0; i < FROM; i++) {
            all[1 + i] = from[Math.min(first + i, count - 1)];
        }
        for (int k = 0; k < width; k++) {
            all[1 + FROM + k] = to[j + k];
        }
        if (wide) {
            four = four == null ? mesh.loop(EigenUpdatesLoops.TRANSFORM4, set, all) : four.bind(all);
            four.run();
        } else {
            one = one == null ? mesh.loop(EigenUpdatesLoops.TRANSFORM1, set, all) : one.bind(all);
            one.run();
        }
    }
}
