package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.solve.FiniteInput;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Functions of a matrix times a vector, by Krylov spaces: the matrix of the function, which is dense, is never formed.
 * The exponential goes by Arnoldi's method in steps whose length follows from an error estimate (R. B. Sidje,
 * "Expokit", ACM Trans. Math. Softw. 24(1), 1998; Y. Saad, SIAM J. Numer. Anal. 29(1), 1992), other functions of
 * symmetric matrices by the Lanczos method in one space that grows until its last vectors change nothing.
 *
 * <pre>{@code
 * double[] y = MatrixFunctions.of(a).exponential(0.5, x).vector();           // e^(A/2) x
 * double[] root = MatrixFunctions.of(a).symmetric(Math::sqrt, x).vector();
 * }</pre>
 *
 * <p>Runs wherever the operator's vectors are. Small dense matrices are the host's.
 */
public final class MatrixFunctions {
    private static final double TOLERANCE = 1e-10;
    private static final double SINGLE_TOLERANCE = 1e-5;
    private static final int EXPONENTIAL_BASIS = 30;
    private static final int SYMMETRIC_BASIS = 150;
    private static final int MOST_PRODUCTS = 100_000;
    /** Of the step that the estimate allows: what is taken. */
    private static final double SAFETY = 0.9;
    /** By how much an estimate may exceed the tolerance before a step is made shorter. */
    private static final double SLACK = 1.2;
    private static final double LONGEST_GROWTH = 4;
    private static final double LEAST_SHRINKING = 0.1;
    private static final int MOST_REJECTIONS = 60;
    private static final int ATTEMPTS = 3;
    private static final double HALF = 0.5;
    /** Vectors between two looks at a space that grows. */
    private static final int LOOK = 5;

    private final CsrMatrix matrix;
    private final LinearOperator operator;
    private final Backend backend;
    private int basis;
    private double tolerance;
    private int maximumProducts = MOST_PRODUCTS;

    private MatrixFunctions(CsrMatrix matrix, LinearOperator operator, Backend backend) {
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
    }

    /**
     * What was computed.
     *
     * @param vector        the function of the matrix times the vector
     * @param errorEstimate of {@code vector}, relative to its length; no bound
     * @param converged     whether the estimate meets the tolerance
     * @param products      with the matrix
     * @param steps         of time; 1 for functions of symmetric matrices
     */
    public record Result(double[] vector, double errorEstimate, boolean converged, int products, int steps) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s, estimated error %.1e, after %d products in %d steps",
                    converged ? "converged" : "not converged", errorEstimate, products, steps);
        }
    }

    /**
     * Takes a matrix, on a CPU backend, in double precision.
     *
     * @param a a square matrix
     * @return functions of it
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static MatrixFunctions of(CsrMatrix a) {
        requireSquare(a.rows(), a.columns(), a);
        return new MatrixFunctions(a, null, null);
    }

    /**
     * Takes an operator.
     *
     * @param a       a square operator; over ranks each gives its part of vectors, and everything else is called by all
     *                ranks alike
     * @param backend of its vectors
     * @return functions of it
     * @throws IllegalArgumentException if the operator is not square
     */
    public static MatrixFunctions of(LinearOperator a, Backend backend) {
        requireSquare(a.rows(), a.columns(), a);
        return new MatrixFunctions(null, a, backend);
    }

    private static void requireSquare(int rows, int columns, Object what) {
        if (rows != columns) {
            throw new IllegalArgumentException("function of " + what + ", expected a square matrix");
        }
    }

    /**
     * Says how many vectors a Krylov space has.
     *
     * @param vectors at least 2; if nothing is said, 30 for exponentials and 150 for functions of symmetric matrices
     * @return this
     * @throws IllegalArgumentException if there are fewer
     */
    public MatrixFunctions basis(int vectors) {
        if (vectors < 2) {
            throw new IllegalArgumentException("basis of " + vectors + " vectors, expected at least 2");
        }
        basis = vectors;
        return this;
    }

    /**
     * Says how large the error may be.
     *
     * @param relative to the length of the result, more than 0; 1e-10 if nothing is said, 1e-5 in single precision
     * @return this
     * @throws IllegalArgumentException if it is not more than 0
     */
    public MatrixFunctions tolerance(double relative) {
        if (!(relative > 0)) {
            throw new IllegalArgumentException("tolerance is " + relative + ", expected more than 0");
        }
        tolerance = relative;
        return this;
    }

    /**
     * Limits the products. The result reports what has not converged by then.
     *
     * @param most at least 1; 100,000 if nothing is said
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public MatrixFunctions maximumProducts(int most) {
        maximumProducts = Checks.positive("number of products", most);
        return this;
    }

    /**
     * Computes {@code e^(tA) x}. A step costs as many products as the space has vectors; a stiff matrix takes about
     * {@code |t| ‖A‖} divided by that number of steps, a symmetric one fewer.
     *
     * @param t any finite number
     * @param x a vector of as many elements as rows, over ranks the owned ones; unchanged
     * @return the product and an estimate of its error: the sum of those of the steps, which is right where the
     *         exponential does not make errors grow
     * @throws IllegalArgumentException if a length or a number is not what it should be, or an entry of the matrix is
     *                                  not finite
     */
    public Result exponential(double t, double[] x) {
        if (!Double.isFinite(t)) {
            throw new IllegalArgumentException("exponential at t = " + t + ", expected a finite number");
        }
        return compute(x, (a, where) -> exponential(a, where, t, x));
    }

    /**
     * Computes {@code f(A) x} of a symmetric matrix.
     *
     * @param function a function that is defined on the interval of the eigenvalues; called with approximations to them
     * @param x        a vector of as many elements as rows, over ranks the owned ones; unchanged
     * @return the product and an estimate of its error: what the last vectors of the space changed
     * @throws IllegalArgumentException if a length or a number is not what it should be, the matrix shows not to be
     *                                  symmetric, or the function is not finite at an eigenvalue's approximation
     */
    public Result symmetric(DoubleUnaryOperator function, double[] x) {
        return compute(x, (a, where) -> symmetric(a, where, function, x));
    }

    private interface Computation {
        Result on(LinearOperator a, Backend where);
    }

    private Result compute(double[] x, Computation computation) {
        int rows = matrix == null ? operator.rows() : matrix.rows();
        Checks.length("length of x", x.length, rows);
        for (int i = 0; i < rows; i++) {
            if (!Double.isFinite(x[i])) {
                throw new IllegalArgumentException("element " + i + " of x is " + x[i] + ", expected a finite number");
            }
        }
        if (matrix == null) {
            return computation.on(operator, backend);
        }
        FiniteInput.largestEntry("function of a matrix", matrix);
        try (Backend host = Backends.open("cpu", Configuration.load());
                SpmvOperator product = host.kernels(SparseKernels.class).prepare(matrix.toPrecision(Precision.F64))) {
            return computation.on(product, host);
        }
    }

    private double toleranceFor(LinearOperator a) {
        return tolerance > 0 ? tolerance : a.precision() == Precision.F32 ? SINGLE_TOLERANCE : TOLERANCE;
    }

    /** Repeats with shorter steps where lengths fall so far that the errors of the first steps count more. */
    private Result exponential(LinearOperator a, Backend where, double t, double[] x) {
        int wanted = basis > 0 ? basis : EXPONENTIAL_BASIS;
        int dimension = (int) Math.min(wanted, Math.max(1, VectorSet.wholeSize(where, a.rows())));
        double relative = toleranceFor(a);
        try (VectorSet vectors = new VectorSet(where, a.rows(), a.precision(),
                KrylovDecomposition.room(0, dimension), 1)) {
            CountedProduct product = new CountedProduct(a, vectors.arithmetic());
            March march = new March(vectors, product,
                    new KrylovDecomposition(vectors, product, false, false, KrylovDecomposition.Inner.PLAIN,
                            new Dat[0], dimension, 1),
                    t);
            Result result = march.run(x, relative);
            double local = relative;
            for (int attempt = 1; attempt < ATTEMPTS && !(result.errorEstimate() <= relative)
                    && result.errorEstimate() < Double.POSITIVE_INFINITY; attempt++) {
                local = Math.max(vectors.roundoff(), local * HALF * relative / result.errorEstimate());
                result = march.run(x, local);
            }
            return new Result(result.vector(), result.errorEstimate(), result.errorEstimate() <= relative,
                    result.products(), result.steps());
        }
    }

    /** Goes from 0 to t. */
    private final class March {
        private final VectorSet vectors;
        private final CountedProduct product;
        private final KrylovDecomposition space;
        private final Dat y;
        private final double time;
        private final double sign;

        March(VectorSet vectors, CountedProduct product, KrylovDecomposition space, double t) {
            this.vectors = vectors;
            this.product = product;
            this.space = space;
            this.y = vectors.vector("y");
            this.time = Math.abs(t);
            this.sign = Math.copySign(1, t);
        }

        Result run(double[] x, double local) {
            vectors.load(y, HostVector.of(x).convert(y.precision()));
            double length = vectors.norm(y);
            double done = 0;
            double step = time;
            double error = 0;
            int steps = 0;
            while (done < time && length > 0 && product.count() < maximumProducts) {
                space.restart(vectors.toArray(y));
                space.extend(0, space.dimension());
                SmallExponential small = new SmallExponential(space, product, sign);
                step = Math.min(Math.min(step, small.longestStep()), time - done);
                SmallExponential.Column found = small.at(step);
                for (int tries = 0; tries < MOST_REJECTIONS && found.error() > vectors.roundoff()
                        && found.error() > SLACK * local * step / time; tries++) {
                    step *= found.factor(local * step / time, LEAST_SHRINKING, SAFETY);
                    found = small.at(step);
                }
                error += found.error() * length;
                vectors.update(length, space.combine(found.asColumn(space.dimension()), 1)[0], 0, y);
                length = vectors.norm(y);
                if (!Double.isFinite(length)) {
                    throw new IllegalArgumentException("e^(tA) x with |t| = " + time + " and " + product
                            + " exceeds the largest number, expected a smaller t");
                }
                done = step == time - done ? time : done + step;
                steps++;
                step *= found.factor(local * step / time, LONGEST_GROWTH, SAFETY);
            }
            boolean complete = done >= time || length == 0;
            return new Result(vectors.toArray(y),
                    complete ? length > 0 ? error / length : 0 : Double.POSITIVE_INFINITY, complete, product.count(),
                    steps);
        }
    }

    private Result symmetric(LinearOperator a, Backend where, DoubleUnaryOperator function, double[] x) {
        int wanted = basis > 0 ? basis : SYMMETRIC_BASIS;
        int dimension = (int) Math.min(Math.min(wanted, maximumProducts),
                Math.max(1, VectorSet.wholeSize(where, a.rows())));
        double relative = toleranceFor(a);
        try (VectorSet vectors = new VectorSet(where, a.rows(), a.precision(),
                KrylovDecomposition.room(0, dimension), 1)) {
            CountedProduct product = new CountedProduct(a, vectors.arithmetic());
            KrylovDecomposition space =
                    new KrylovDecomposition(vectors, product, true, true, KrylovDecomposition.Inner.PLAIN, new Dat[0],
                            dimension, 1);
            Dat y = vectors.vector("y");
            vectors.load(y, HostVector.of(x).convert(a.precision()));
            double length = vectors.norm(y);
            if (length == 0) {
                return new Result(new double[x.length], 0, true, 0, 1);
            }
            space.begin(x);
            double[] column = new double[0];
            double error = Double.POSITIVE_INFINITY;
            for (int size = 0; size < dimension && !(error <= relative);) {
                int next = Math.min(dimension, size + LOOK);
                space.extend(size == 0 ? 0 : size, next);
                size = next;
                double[] before = column;
                column = firstColumn(space, product, size, function);
                error = size == VectorSet.wholeSize(where, a.rows()) || endsWithin(space, size)
                        ? vectors.roundoff()
                        : change(before, column);
            }
            double[][] q = new double[dimension][1];
            for (int i = 0; i < column.length; i++) {
                q[i][0] = column[i];
            }
            vectors.update(length, space.combine(q, 1)[0], 0, y);
            return new Result(vectors.toArray(y), error, error <= relative, product.count(), 1);
        }
    }

    /** Whether the space is invariant, so that nothing outside of it matters. */
    private static boolean endsWithin(KrylovDecomposition space, int size) {
        if (space.coupling()[size - 1] == 0) {
            return true;
        }
        for (int i = 0; i + 1 < size; i++) {
            if (space.projected()[i + 1][i] == 0) {
                return true;
            }
        }
        return false;
    }

    /** By how much two columns differ, the shorter one filled with zeros, as a share of the second one's length. */
    private static double change(double[] before, double[] now) {
        if (before.length == 0) {
            return Double.POSITIVE_INFINITY;
        }
        double difference = 0;
        double square = 0;
        for (int i = 0; i < now.length; i++) {
            double old = i < before.length ? before[i] : 0;
            difference += (now[i] - old) * (now[i] - old);
            square += now[i] * now[i];
        }
        return square == 0 ? Math.sqrt(difference) : Math.sqrt(difference / square);
    }

    private static double[] firstColumn(KrylovDecomposition space, CountedProduct product, int size,
            DoubleUnaryOperator function) {
        double[][] t = new double[size][];
        Arrays.setAll(t, i -> Arrays.copyOf(space.projected()[i], size));
        SymmetricEigen eigen = new SymmetricEigen(t);
        double[] column = new double[size];
        for (int k = 0; k < size; k++) {
            double eigenvalue = product.unscaled(eigen.value(k));
            double value = function.applyAsDouble(eigenvalue);
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("the function is " + value + " at " + eigenvalue
                        + ", an eigenvalue's approximation, expected a finite number");
            }
            for (int i = 0; i < size; i++) {
                column[i] += value * eigen.vector(0, k) * eigen.vector(i, k);
            }
        }
        return column;
    }
}
