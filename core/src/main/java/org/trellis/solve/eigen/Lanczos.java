package org.trellis.solve.eigen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.CsrMatrix;

/**
 * A few of the largest or smallest eigenvalues of a symmetric matrix, by the Lanczos method with full
 * re-orthogonalisation and thick restarts (K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric
 * eigenvalue problems", SIAM J. Matrix Anal. Appl. 22, 2000). Works in double precision, also for a matrix of floats.
 * The same matrix and settings give the same bits.
 *
 * <p>A pair has converged when {@code ‖A v - λ v‖₂} is at most the tolerance times the largest {@code |λ|} seen. Where
 * the wanted end of the spectrum is crowded, as at the small end of a Laplacian, that takes many products: then look
 * for the largest of the inverse instead, by {@link #largest(Operator, int, int, Settings)} with a factorisation as the
 * operator. Of an eigenvalue of multiplicity more than one, one starting vector shows one pair in exact arithmetic;
 * rounding brings the others in, late.
 *
 * <p>Memory: {@link Settings#basis} vectors of doubles. Each step costs a product and a pass over the basis, twice.
 */
public final class Lanczos {
    private static final long SEED = 19500101;
    /** Exponents of products whose squares are in range. */
    private static final int ORDINARY = 300;
    private static final double BREAKDOWN = 0x1p-46;

    private final Operator operator;
    private final int size;
    private final int wanted;
    private final Settings settings;
    private final double sign;
    private final double[][] basis;
    private final double[][] projected;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private int steps;
    private double scale;

    /** The binary logarithm of what products are multiplied by, once the first that is not zero has been seen. */
    private int exponent;
    private boolean sized;

    private Lanczos(Operator operator, int size, int wanted, Settings settings, double sign) {
        this.operator = operator;
        this.size = size;
        this.wanted = wanted;
        this.settings = settings;
        this.sign = sign;
        int dimension = Math.min(size, Math.max(settings.basis(), wanted + 2));
        this.basis = new double[dimension + 1][];
        this.projected = new double[dimension][dimension];
    }

    /** A symmetric matrix that is known by its products. */
    @FunctionalInterface
    public interface Operator {
        /**
         * Multiplies a vector.
         *
         * @param x a vector, not to be changed
         * @return A x, a new array
         */
        double[] multiply(double[] x);
    }

    /**
     * How to look for eigenvalues.
     *
     * @param basis        vectors that are kept, at least 3; more take more memory and fewer products
     * @param tolerance    residual of a pair over the largest eigenvalue seen, more than 0
     * @param maximumSteps products at most, at least 1
     */
    public record Settings(int basis, double tolerance, int maximumSteps) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a number is not in its range
         */
        public Settings {
            if (basis < 3 || !(tolerance > 0) || maximumSteps < 1) {
                throw new IllegalArgumentException("basis is " + basis + ", tolerance " + tolerance
                        + ", maximumSteps " + maximumSteps + ", expected at least 3, more than 0 and at least 1");
            }
        }

        /**
         * Returns settings for a number of eigenvalues.
         *
         * @param count eigenvalues wanted
         * @return four times as many vectors, at least 30; a tolerance of 1e-10; 10,000 products
         */
        public static Settings of(int count) {
            return new Settings(Math.max(30, 4 * count), 1e-10, 10_000);
        }
    }

    /**
     * What was found.
     *
     * @param values    eigenvalues, the wanted end of the spectrum first
     * @param vectors   an eigenvector of length 1 for each
     * @param residuals {@code ‖A v - λ v‖₂} of each, as the method estimates it
     * @param products  products that were needed
     * @param converged whether all residuals are small enough
     */
    public record Result(double[] values, List<double[]> vectors, double[] residuals, int products,
            boolean converged) {}

    /**
     * Finds the largest eigenvalues.
     *
     * @param a     a symmetric matrix; that it is, is not checked
     * @param count eigenvalues wanted, at least 1 and at most as many as rows
     * @return them, in decreasing order
     * @throws IllegalArgumentException if the matrix is not square, there are not so many eigenvalues, or an entry or
     *                                  an eigenvalue is no finite number
     */
    public static Result largest(CsrMatrix a, int count) {
        return largest(operator(a), a.rows(), count, Settings.of(count));
    }

    /**
     * Finds the smallest eigenvalues, the most negative first.
     *
     * @param a     a symmetric matrix; that it is, is not checked
     * @param count eigenvalues wanted, at least 1 and at most as many as rows
     * @return them, in increasing order
     * @throws IllegalArgumentException if the matrix is not square, there are not so many eigenvalues, or an entry or
     *                                  an eigenvalue is no finite number
     */
    public static Result smallest(CsrMatrix a, int count) {
        return smallest(operator(a), a.rows(), count, Settings.of(count));
    }

    /**
     * Finds the largest eigenvalues of an operator.
     *
     * @param operator a symmetric operator
     * @param size     its number of rows
     * @param count    eigenvalues wanted, at least 1 and at most as many as rows
     * @param settings how to look for them
     * @return them, in decreasing order
     * @throws IllegalArgumentException if there are not so many eigenvalues, or a product or an eigenvalue is no
     *                                  finite number
     */
    public static Result largest(Operator operator, int size, int count, Settings settings) {
        return run(operator, size, count, settings, 1);
    }

    /**
     * Finds the smallest eigenvalues of an operator.
     *
     * @param operator a symmetric operator
     * @param size     its number of rows
     * @param count    eigenvalues wanted, at least 1 and at most as many as rows
     * @param settings how to look for them
     * @return them, in increasing order
     * @throws IllegalArgumentException if there are not so many eigenvalues, or a product or an eigenvalue is no
     *                                  finite number
     */
    public static Result smallest(Operator operator, int size, int count, Settings settings) {
        return run(operator, size, count, settings, -1);
    }

    private static Operator operator(CsrMatrix a) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("eigenvalues of " + a + ", expected a square matrix");
        }
        CsrMatrix exact = a.toPrecision(Precision.F64);
        return exact::multiply;
    }

    private static Result run(Operator operator, int size, int count, Settings settings, double sign) {
        Checks.positive("number of eigenvalues", count);
        if (count > size) {
            throw new IllegalArgumentException(count + " eigenvalues of an operator of " + size + " rows, expected at"
                    + " most as many as rows");
        }
        return new Lanczos(operator, size, count, settings, sign).find();
    }

    private Result find() {
        basis[0] = randomUnit(0);
        int kept = 0;
        while (true) {
            double last = extend(kept);
            int dimension = projected.length;
            SymmetricEigen small = new SymmetricEigen(Arrays.stream(projected).map(double[]::clone)
                    .toArray(double[][]::new));
            int[] order = IntStream.range(0, dimension).boxed()
                    .sorted(Comparator.comparingDouble((Integer k) -> -sign * small.value(k)))
                    .mapToInt(Integer::intValue).toArray();
            for (int k = 0; k < dimension; k++) {
                scale = Math.max(scale, Math.abs(small.value(k)));
            }
            int converged = 0;
            while (converged < wanted && residual(small, order[converged], last) <= settings.tolerance() * scale) {
                converged++;
            }
            if (converged == wanted || steps >= settings.maximumSteps()) {
                return result(small, order, last, converged == wanted);
            }
            kept = Math.min(wanted + (dimension - wanted) / 2, dimension - 1);
            restart(small, order, kept, last);
        }
    }

    private double residual(SymmetricEigen small, int k, double last) {
        return Math.abs(last * small.vector(projected.length - 1, k));
    }

    /** Fills the basis from a place on; returns the length of what the last product leaves outside of it. */
    private double extend(int from) {
        double length = 0;
        for (int j = from; j < projected.length; j++) {
            double[] w = product(basis[j]);
            steps++;
            projected[j][j] = dot(w, basis[j]);
            double before = Math.sqrt(dot(w, w));
            scale = Math.max(scale, before);
            orthogonalise(w, j + 1);
            length = Math.sqrt(dot(w, w));
            if (length <= BREAKDOWN * scale) {
                // The space so far is invariant: go on with another vector, to which nothing couples.
                length = 0;
                basis[j + 1] = j + 1 < size ? randomUnit(j + 1) : new double[size];
            } else {
                scaleBy(w, 1 / length);
                basis[j + 1] = w;
            }
            if (j + 1 < projected.length) {
                projected[j][j + 1] = length;
                projected[j + 1][j] = length;
            }
        }
        return length;
    }

    /** Multiplies, and scales by a power of two so that squares of products are in range. */
    private double[] product(double[] v) {
        double[] w = operator.multiply(v);
        Checks.length("length of the operator's product", w.length, size);
        double norm = VectorArithmetic.norm(w);
        if (!Double.isFinite(norm)) {
            throw new IllegalArgumentException("eigenvalues of an operator of " + size + " rows whose product with a "
                    + "vector of length 1 has the norm " + norm + ", expected finite numbers");
        }
        if (!sized && norm > 0) {
            sized = true;
            int found = Math.getExponent(norm);
            exponent = Math.abs(found) > ORDINARY ? -found : 0;
        }
        if (exponent != 0) {
            for (int i = 0; i < size; i++) {
                w[i] = Math.scalb(w[i], exponent);
            }
        }
        return w;
    }

    /** Replaces the basis by the wanted Ritz vectors and the vector that comes next. */
    private void restart(SymmetricEigen small, int[] order, int kept, double last) {
        double[][] ritz = new double[kept][];
        for (int k = 0; k < kept; k++) {
            ritz[k] = ritzVector(small, order[k]);
        }
        double[] next = basis[projected.length];
        for (double[] row : projected) {
            Arrays.fill(row, 0);
        }
        int end = projected.length - 1;
        for (int k = 0; k < kept; k++) {
            basis[k] = ritz[k];
            projected[k][k] = small.value(order[k]);
            double coupling = last * small.vector(end, order[k]);
            projected[k][kept] = coupling;
            projected[kept][k] = coupling;
        }
        basis[kept] = next;
    }

    private double[] ritzVector(SymmetricEigen small, int k) {
        double[] vector = new double[size];
        for (int j = 0; j < projected.length; j++) {
            double factor = small.vector(j, k);
            double[] source = basis[j];
            for (int i = 0; i < size; i++) {
                vector[i] += factor * source[i];
            }
        }
        return vector;
    }

    private Result result(SymmetricEigen small, int[] order, double last, boolean converged) {
        double[] values = new double[wanted];
        double[] residuals = new double[wanted];
        List<double[]> vectors = new ArrayList<>();
        for (int k = 0; k < wanted; k++) {
            values[k] = Math.scalb(small.value(order[k]), -exponent);
            residuals[k] = Math.scalb(residual(small, order[k], last), -exponent);
            if (Double.isInfinite(values[k])) {
                throw new IllegalArgumentException("eigenvalues of an operator of " + size + " rows, one of which "
                        + "exceeds " + Double.MAX_VALUE + ", expected numbers; scale the operator");
            }
            double[] vector = ritzVector(small, order[k]);
            scaleBy(vector, 1 / Math.sqrt(dot(vector, vector)));
            vectors.add(vector);
        }
        return new Result(values, vectors, residuals, steps, converged);
    }

    private double[] randomUnit(int before) {
        double[] vector = random.doubles(size, -1, 1).toArray();
        orthogonalise(vector, before);
        scaleBy(vector, 1 / Math.sqrt(dot(vector, vector)));
        orthogonalise(vector, before);
        scaleBy(vector, 1 / Math.sqrt(dot(vector, vector)));
        return vector;
    }

    /** Makes a vector orthogonal to the basis; twice is enough (W. Kahan, B. Parlett). */
    private void orthogonalise(double[] w, int count) {
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < count; j++) {
                double[] q = basis[j];
                double factor = dot(w, q);
                for (int i = 0; i < size; i++) {
                    w[i] -= factor * q[i];
                }
            }
        }
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    private static void scaleBy(double[] x, double factor) {
        for (int i = 0; i < x.length; i++) {
            x[i] *= factor;
        }
    }
}
