package org.trellis.distributed.powers;

import java.util.Arrays;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BasisKernels;
import org.trellis.sparse.PreparedBasis;

/** Vectors on a device. Products wait for the device, combinations are queued. */
final class DeviceBasisVectors implements BasisVectors {
    private final PreparedBasis kernels;
    private final DenseVector[] vectors;
    private final int rows;

    DeviceBasisVectors(HaloPlan plan, RingVector[] vectors) {
        if (vectors.length > BasisKernels.MOST_VECTORS) {
            throw new IllegalArgumentException(
                    "a basis of " + vectors.length + " vectors on a device, expected at most "
                            + BasisKernels.MOST_VECTORS + "; fewer steps or a shorter cycle need fewer");
        }
        this.kernels = plan.deviceBasis();
        this.vectors = new DenseVector[vectors.length];
        Arrays.setAll(this.vectors, v -> vectors[v].elements());
        this.rows = plan.matrix().ownedRows();
    }

    private DenseVector[] chosen(int count, int[] order) {
        DenseVector[] some = new DenseVector[count];
        Arrays.setAll(some, k -> vectors[order[k]]);
        return some;
    }

    /** Multiplies the pairs of an upper triangle, the right ones numbered from some number on, in parts that fit. */
    private void triangle(DenseVector[] all, int count, int first, DenseVector weights, double[] into) {
        int pairs = count * (count + 1) / 2;
        int[] left = new int[pairs];
        int[] right = new int[pairs];
        int at = 0;
        for (int i = 0; i < count; i++) {
            for (int j = i; j < count; j++) {
                left[at] = i;
                right[at++] = first + j;
            }
        }
        pairs(all, left, right, weights, into);
    }

    private void pairs(DenseVector[] all, int[] left, int[] right, DenseVector weights, double[] into) {
        for (int from = 0; from < left.length; from += BasisKernels.MOST_PAIRS) {
            int to = Math.min(left.length, from + BasisKernels.MOST_PAIRS);
            double[] some = new double[to - from];
            kernels.products(all, rows, Arrays.copyOfRange(left, from, to), Arrays.copyOfRange(right, from, to),
                    weights, some);
            for (int pair = from; pair < to; pair++) {
                into[pair] += some[pair - from];
            }
        }
    }

    @Override
    public void products(int count, int[] order, double[] into) {
        triangle(chosen(count, order), count, 0, null, into);
    }

    @Override
    public void products(int count, int[] order, DenseVector weights, double[] into) {
        triangle(chosen(count, order), count, 0, weights, into);
    }

    @Override
    public void products(int count, int[] order, BasisVectors others, double[] into) {
        DenseVector[] both = Arrays.copyOf(chosen(count, order), 2 * count);
        System.arraycopy(((DeviceBasisVectors) others).chosen(count, order), 0, both, count, count);
        triangle(both, count, count, null, into);
    }

    @Override
    public void products(int known, int fresh, double[] into) {
        int pairs = fresh * known + fresh * (fresh + 1) / 2;
        int[] left = new int[pairs];
        int[] right = new int[pairs];
        int at = 0;
        for (int j = known; j < known + fresh; j++) {
            for (int i = 0; i <= j; i++) {
                left[at] = i;
                right[at++] = j;
            }
        }
        pairs(Arrays.copyOf(vectors, known + fresh), left, right, null, into);
    }

    @Override
    public void subtract(int known, int fresh, double[][] c) {
        for (int j = 0; j < fresh; j++) {
            double scale = 1 / c[known + j][j];
            double[] factors = new double[known + j];
            for (int i = 0; i < factors.length; i++) {
                factors[i] = -scale * c[i][j];
            }
            combine(factors, scale, vectors[known + j]);
        }
    }

    /** Computes {@code x = keep x + Σ wᵢ vᵢ} of the first vectors. */
    private void combine(double[] weights, double keep, DenseVector x) {
        kernels.combine(Arrays.copyOf(vectors, weights.length), rows, new double[][]{weights}, new double[]{keep},
                new DenseVector[]{x});
    }

    @Override
    public void add(int count, double[] weights, DenseVector x) {
        combine(Arrays.copyOf(weights, count), 1, x);
    }

    @Override
    public void combine(int count, int[] order, double[][] coefficients, DenseVector x, DenseVector r,
            DenseVector p) {
        kernels.combine(chosen(count, order), rows, coefficients, new double[]{1, 0, 0}, new DenseVector[]{x, r, p});
    }
}
