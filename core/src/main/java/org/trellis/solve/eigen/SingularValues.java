package org.trellis.solve.eigen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.FiniteInput;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * A few singular values and vectors of a matrix of any shape, by Golub–Kahan bidiagonalisation with thick restarts (J.
 * Baglama, L. Reichel, SIAM J. Sci. Comput. 27, 2005). It never forms {@code AᵀA}, so that small singular values keep
 * their digits.
 *
 * <pre>{@code
 * SingularTriplets largest = SingularValues.largest(a, 6);
 * SingularTriplets smallest = SingularValues.of(a).count(2).smallest().basis(60).find();
 * }</pre>
 *
 * <p>A triplet has converged when its residual, recomputed, is at most the tolerance times σ, or rounding: 100 units of
 * it times the norm of A. The smallest singular values of a large matrix are crowded, and take many products. Multiple
 * singular values are looked for as {@link Eigenvalues} does. Runs wherever the operator's vectors are.
 */
public final class SingularValues {
    private static final double TOLERANCE = 1e-10;
    private static final double SINGLE_TOLERANCE = 1e-5;
    /** Vectors of a basis, beside two for each requested one. */
    private static final int FURTHER_BASIS = 20;
    private static final int MOST_PRODUCTS = 10_000;
    private static final int ROUNDINGS = 100;

    private final CsrMatrix matrix;
    private final LinearOperator operator;
    private final Backend backend;
    private int count = 1;
    private boolean largest = true;
    private int basis;
    private double tolerance;
    private int maximumProducts;
    private boolean multiple;

    private SingularValues(CsrMatrix matrix, LinearOperator operator, Backend backend) {
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
    }

    /**
     * Finds the largest singular values of a matrix.
     *
     * @param a     a matrix
     * @param count how many
     * @return triplets, the largest first
     * @throws IllegalArgumentException if there are not as many, or an entry is not finite
     */
    public static SingularTriplets largest(CsrMatrix a, int count) {
        return of(a).count(count).find();
    }

    /**
     * Begins a search with a matrix, on a CPU backend, in double precision.
     *
     * @param a a matrix
     * @return what to look for, to be said
     */
    public static SingularValues of(CsrMatrix a) {
        return new SingularValues(a, null, null);
    }

    /**
     * Begins a search with an operator.
     *
     * @param a       an operator that can be applied transposed; over ranks each gives its part, and everything else is
     *                called by all ranks alike
     * @param backend of its vectors
     * @return what to look for, to be said
     */
    public static SingularValues of(LinearOperator a, Backend backend) {
        return new SingularValues(null, a, backend);
    }

    /**
     * Says how many triplets are requested.
     *
     * @param wanted at least 1, 1 if nothing is said; at most as many as rows and as columns
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public SingularValues count(int wanted) {
        count = Checks.positive("number of singular values", wanted);
        return this;
    }

    /**
     * Asks for the largest singular values; so do searches that nothing else is said of.
     *
     * @return this
     */
    public SingularValues largest() {
        largest = true;
        return this;
    }

    /**
     * Asks for the smallest singular values, of the {@code min(rows, columns)} that there are.
     *
     * @return this
     */
    public SingularValues smallest() {
        largest = false;
        return this;
    }

    /**
     * Says how many vectors of each side are kept: more take more memory and fewer products.
     *
     * @param vectors at least 3; {@code 2 count + 20} if nothing is said
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public SingularValues basis(int vectors) {
        if (vectors < 3) {
            throw new IllegalArgumentException("basis of " + vectors + " vectors, expected at least 3");
        }
        basis = vectors;
        return this;
    }

    /**
     * Says how small residuals are to be.
     *
     * @param relative residual over singular value, more than 0; 1e-10 if nothing is said, 1e-5 in single precision
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public SingularValues tolerance(double relative) {
        if (!(relative > 0)) {
            throw new IllegalArgumentException("tolerance is " + relative + ", expected more than 0");
        }
        tolerance = relative;
        return this;
    }

    /**
     * Limits the products. A search that reaches the limit gives what it has, and says what has not converged.
     *
     * @param most at least 1; 10,000 or ten times as many as rows or columns if nothing is said
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public SingularValues maximumProducts(int most) {
        maximumProducts = Checks.positive("number of products", most);
        return this;
    }

    /**
     * Searches for further vectors of the requested singular values until the next of all others has converged as well,
     * where otherwise it only has to be about known.
     *
     * @return this
     */
    public SingularValues multiplicities() {
        multiple = true;
        return this;
    }

    /**
     * Searches.
     *
     * @return triplets, as many as were asked for; not all of them need have converged
     * @throws IllegalArgumentException      if there are not as many, or a number is not finite
     * @throws UnsupportedOperationException if the operator cannot be applied transposed
     */
    public SingularTriplets find() {
        if (matrix == null) {
            return findEither(operator, backend);
        }
        FiniteInput.largestEntry("singular values", matrix);
        try (Backend host = Backends.open("cpu", Configuration.load());
                SpmvOperator product = host.kernels(SparseKernels.class).prepare(matrix.toPrecision(Precision.F64))) {
            return findEither(product, host);
        }
    }

    /** Begins on the shorter side, whose vectors fill their space first. */
    private SingularTriplets findEither(LinearOperator a, Backend where) {
        CollectiveClock.of("singular values", a, where);
        long rows = VectorSet.wholeSize(where, a.rows());
        long columns = VectorSet.wholeSize(where, a.columns());
        if (rows >= columns) {
            return find(a, where, columns);
        }
        SingularTriplets found = find(a.transposed(), where, rows);
        return new SingularTriplets(found.values(), /* left= */ found.right(), /* right= */ found.left(),
                found.residuals(), found.limits(),
                found.products(), found.restarts(), found.seconds());
    }

    private SingularTriplets find(LinearOperator a, Backend where, long size) {
        long begun = System.nanoTime();
        if (count > size) {
            throw new IllegalArgumentException(count + " singular values of " + a + ", expected at most as many as "
                    + "rows and columns, " + size);
        }
        int dimension = (int) Math.min(size, basis > 0
                ? Math.max(basis, count + 2)
                : 2 * count + FURTHER_BASIS);
        int maximum = maximumProducts > 0
                ? maximumProducts
                : (int) Math.min(Integer.MAX_VALUE / 2, Math.max(MOST_PRODUCTS, 10 * size));
        double relative = tolerance > 0
                ? tolerance
                : a.precision() == Precision.F32 ? SINGLE_TOLERANCE : TOLERANCE;
        RestartedKrylov.Search search = new RestartedKrylov.Search(count, dimension, size, relative, maximum,
                multiple, false);
        try (VectorSet onColumns = new VectorSet(where, a.columns(), a.precision(), dimension + 1, dimension);
                VectorSet onRows = new VectorSet(where, a.rows(), a.precision(), dimension + 1, dimension)) {
            CountedProduct counted = new CountedProduct(a, onRows.arithmetic());
            Bidiagonalisation bases = new Bidiagonalisation(onColumns, onRows, counted, largest, dimension,
                    RestartedKrylov.most(search));
            GolubKahan method = new GolubKahan(bases, counted, onRows.roundoff(), largest, search);
            Dat[] right = method.run(null);
            List<Triplet> all = new ArrayList<>();
            double rounding = ROUNDINGS * onRows.roundoff() * counted.unscaled(method.scale());
            Check check = new Check(onColumns, onRows, counted, onRows.vector("A v"), onColumns.vector("A^T u"),
                    new EigenSolution.Limits(relative, rounding));
            for (int k = 0; k < count; k++) {
                all.add(check.triplet(right[k], bases.combinedLeft()[k]));
            }
            return result(all, counted.count(), method.restarts(), (System.nanoTime() - begun) * 1e-9);
        }
    }

    /** A singular value and its vectors, as checked. */
    private record Triplet(double value, double[] left, double[] right, double residual, double limit) {}

    /** Multiplies what was found. */
    private record Check(VectorSet onColumns, VectorSet onRows, CountedProduct product, Dat image, Dat back,
            EigenSolution.Limits limits) {
        Triplet triplet(Dat v, Dat u) {
            onColumns.multiply(1 / onColumns.norm(v), v);
            onRows.multiply(1 / onRows.norm(u), u);
            product.apply(v.vector(), image.vector());
            product.applyTransposed(u.vector(), back.vector());
            double value = onRows.dot(u, image);
            if (value < 0) {
                onRows.multiply(-1, u);
                onColumns.multiply(-1, back);
                value = -value;
            }
            onRows.update(-value, u, 1, image);
            onColumns.update(-value, v, 1, back);
            double residual = Math.hypot(onRows.norm(image), onColumns.norm(back));
            return new Triplet(product.unscaled(value), onRows.toArray(u), onColumns.toArray(v),
                    product.unscaled(residual),
                    Math.max(product.unscaled(limits.ofValue() * value), limits.ofNorm()));
        }
    }

    private SingularTriplets result(List<Triplet> all, int products, int restarts, double seconds) {
        int[] order = IntStream.range(0, all.size()).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> (largest ? -1 : 1) * all.get(k).value()))
                .mapToInt(Integer::intValue).toArray();
        List<Triplet> sorted = IntStream.of(order).mapToObj(all::get).toList();
        return new SingularTriplets(sorted.stream().mapToDouble(Triplet::value).toArray(),
                sorted.stream().map(Triplet::left).toList(), sorted.stream().map(Triplet::right).toList(),
                sorted.stream().mapToDouble(Triplet::residual).toArray(),
                sorted.stream().mapToDouble(Triplet::limit).toArray(), products, restarts, seconds);
    }
}
