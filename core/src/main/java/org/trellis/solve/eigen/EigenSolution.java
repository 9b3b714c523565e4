package org.trellis.solve.eigen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.mesh.Dat;
import org.trellis.sparse.LinearOperator;

/**
 * What a method has found is checked here: of each vector the product with the matrix that was given, its Rayleigh
 * quotient and its residual.
 */
final class EigenSolution {
    private final VectorSet vectors;
    private final CountedProduct matrix;
    /** Null for the identity. */
    private final LinearOperator mass;
    private final int massExponent;

    /**
     * Makes a check.
     *
     * @param mass         B as it is scaled, or null
     * @param massExponent the binary logarithm of what B is multiplied by, even
     */
    EigenSolution(VectorSet vectors, CountedProduct matrix, LinearOperator mass, int massExponent) {
        this.massExponent = massExponent;
        this.vectors = vectors;
        this.matrix = matrix;
        this.mass = mass;
    }

    /** What a residual may be: this part of the eigenvalue, or this number. */
    record Limits(double ofValue, double ofNorm) {}

    /**
     * Checks pairs.
     *
     * @param found  vectors
     * @param count  how many
     * @param which  the order of the result, or null for that by distance from a shift
     * @param shift  if there is one
     * @param limits of residuals
     */
    EigenPairs check(Dat[] found, int count, Which which, double shift, Limits limits) {
        Dat image = vectors.vector("A x");
        Dat weighted = mass == null ? null : vectors.vector("B x");
        double[] values = new double[count];
        double[] residuals = new double[count];
        double[] allowed = new double[count];
        List<double[]> all = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            Dat x = found[k];
            matrix.apply(x.vector(), image.vector());
            if (mass != null) {
                mass.apply(x.vector(), weighted.vector());
            }
            Dat right = mass == null ? x : weighted;
            double square = vectors.dot(x, right);
            double value = vectors.dot(x, image) / square;
            vectors.update(-value, right, 1, image);
            double length = vectors.norm(x);
            values[k] = Math.scalb(matrix.unscaled(value), massExponent);
            residuals[k] = matrix.unscaled(vectors.norm(image) / length);
            double weight = mass == null ? 1 : vectors.norm(weighted) / length;
            allowed[k] = Math.max(matrix.unscaled(limits.ofValue() * Math.abs(value) * weight), limits.ofNorm());
            vectors.multiply(Math.scalb(1 / Math.sqrt(square), massExponent / 2), x);
            all.add(vectors.toArray(x));
        }
        int[] order = IntStream.range(0, count).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> which == null
                        ? Math.abs(values[k] - shift)
                        : -which.rank(values[k])))
                .mapToInt(Integer::intValue).toArray();
        return new EigenPairs(sorted(values, order), IntStream.of(order).mapToObj(all::get).toList(),
                sorted(residuals, order), sorted(allowed, order), 0, 0, "", 0);
    }

    private static double[] sorted(double[] numbers, int[] order) {
        return IntStream.of(order).mapToDouble(k -> numbers[k]).toArray();
    }
}
