package org.trellis.distributed.solve;

import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.powers.BasisVectors;

/**
 * Makes blocks of vectors orthonormal to those before them and among each other, by two reductions a block: each takes
 * the products of the block with everything, from which a Cholesky factor of what is left follows without another one
 * (classical Gram-Schmidt of blocks by Pythagoras' theorem, done twice: E. Carson, K. Lund, M. Rozložník, S. Thomas,
 * Block Gram-Schmidt algorithms and their stability properties, Linear Algebra Appl. 638, 2022, section 3.4). Twice is
 * enough as long as the block's vectors are independent to half of the digits; those that are not are left out.
 */
final class BlockGramSchmidt {
    /** Of the root of the unit roundoff: the square of the share of a vector that must be left of it. */
    private static final double SHARE = 1e-2;
    /** Of the square of a single vector's length: what is rounding alone. */
    private static final double ROUNDING_SHARE = 0x1p-100;

    private final BasisVectors vectors;
    private final Communicator communicator;
    private final double share;

    /**
     * Prepares.
     *
     * @param vectors      the vectors, the orthonormal ones first
     * @param unitRoundoff of their precision
     */
    BlockGramSchmidt(BasisVectors vectors, Communicator communicator, double unitRoundoff) {
        this.vectors = vectors;
        this.communicator = communicator;
        this.share = SHARE * Math.sqrt(unitRoundoff);
    }

    /**
     * What came of a block.
     *
     * @param count        how many of its vectors are orthonormal now; those behind are not to be used
     * @param coefficients what the block was in the new basis: a row for each vector of it, the new ones included, a
     *                     column for each vector of the block that was found sound
     * @param invariant    whether the block, of one vector, lay in the span of the others; its last coefficient is 0
     *                     then
     */
    record Block(int count, double[][] coefficients, boolean invariant) {}

    /** The products of a block: with what is known, and with itself, in its upper triangle. */
    private record Products(double[][] known, double[][] own) {}

    /**
     * Makes a block orthonormal. Collective, with two reductions.
     *
     * @param known how many orthonormal vectors there are
     * @param fresh how many follow
     * @return what came of it, the same on all ranks
     */
    Block orthonormalise(int known, int fresh) {
        return fresh == 1 ? single(known) : block(known, fresh);
    }

    private Block block(int known, int fresh) {
        Products first = products(known, fresh);
        double[][] upper = cholesky(first, fresh, share);
        int count = upper.length;
        if (count == 0) {
            return new Block(0, new double[known][0], false);
        }
        vectors.subtract(known, count, stack(first.known, upper, count));
        Products second = products(known, count);
        double[][] again = cholesky(second, count, share);
        int sound = again.length;
        if (sound == 0) {
            return new Block(0, new double[known][0], false);
        }
        vectors.subtract(known, sound, stack(second.known, again, sound));
        double[][] coefficients = new double[known + sound][sound];
        for (int j = 0; j < sound; j++) {
            for (int i = 0; i < known; i++) {
                coefficients[i][j] = first.known[i][j];
                for (int k = 0; k <= j; k++) {
                    coefficients[i][j] += second.known[i][k] * upper[k][j];
                }
            }
            for (int i = 0; i <= j; i++) {
                for (int k = i; k <= j; k++) {
                    coefficients[known + i][j] += again[i][k] * upper[k][j];
                }
            }
        }
        return new Block(sound, coefficients, false);
    }

    /** One vector is not scaled in between, so that little may be left of it, as in the method without blocks. */
    private Block single(int known) {
        Products first = products(known, 1);
        double before = first.own[0][0];
        double[][] one = {{1}};
        vectors.subtract(known, 1, stack(first.known, one, 1));
        Products second = products(known, 1);
        double after = second.own[0][0];
        for (int i = 0; i < known; i++) {
            after -= second.known[i][0] * second.known[i][0];
        }
        boolean invariant = !(after > ROUNDING_SHARE * before);
        double[][] coefficients = new double[known + 1][1];
        for (int i = 0; i < known; i++) {
            coefficients[i][0] = first.known[i][0] + second.known[i][0];
        }
        if (!invariant) {
            double[][] length = {{Math.sqrt(after)}};
            vectors.subtract(known, 1, stack(second.known, length, 1));
            coefficients[known][0] = length[0][0];
        }
        return new Block(1, coefficients, invariant);
    }

    private Products products(int known, int fresh) {
        double[] sums = new double[fresh * known + fresh * (fresh + 1) / 2];
        vectors.products(known, fresh, sums);
        communicator.allReduce(Reduction.SUM, sums);
        double[][] withKnown = new double[known][fresh];
        double[][] own = new double[fresh][fresh];
        int at = 0;
        for (int j = 0; j < fresh; j++) {
            for (int i = 0; i < known; i++) {
                withKnown[i][j] = sums[at++];
            }
            for (int i = 0; i <= j; i++) {
                own[i][j] = sums[at++];
            }
        }
        return new Products(withKnown, own);
    }

    /**
     * Factors what is left of a block, {@code RᵀR = VᵀV − (QᵀV)ᵀ QᵀV}.
     *
     * @return R of as many vectors as are independent of all before them, perhaps of none
     */
    private static double[][] cholesky(Products products, int fresh, double share) {
        double[][] upper = new double[fresh][fresh];
        for (int j = 0; j < fresh; j++) {
            for (int i = 0; i <= j; i++) {
                double left = products.own[i][j];
                for (double[] row : products.known) {
                    left -= row[i] * row[j];
                }
                for (int k = 0; k < i; k++) {
                    left -= upper[k][i] * upper[k][j];
                }
                if (i < j) {
                    upper[i][j] = left / upper[i][i];
                } else if (left > share * products.own[j][j] && left < Double.POSITIVE_INFINITY) {
                    upper[j][j] = Math.sqrt(left);
                } else {
                    return leading(upper, j);
                }
            }
        }
        return upper;
    }

    private static double[][] leading(double[][] upper, int count) {
        double[][] part = new double[count][count];
        for (int i = 0; i < count; i++) {
            System.arraycopy(upper[i], 0, part[i], 0, count);
        }
        return part;
    }

    /**
     * Writes what {@code V = Q P + W R} takes for W, one vector after the other: {@code wⱼ = (vⱼ − Σ P q − Σ R w) /
     * Rⱼⱼ}.
     */
    private static double[][] stack(double[][] known, double[][] upper, int count) {
        double[][] all = new double[known.length + count][count];
        for (int i = 0; i < known.length; i++) {
            System.arraycopy(known[i], 0, all[i], 0, count);
        }
        for (int i = 0; i < count; i++) {
            System.arraycopy(upper[i], 0, all[known.length + i], 0, count);
        }
        return all;
    }
}
