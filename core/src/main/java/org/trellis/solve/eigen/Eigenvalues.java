package org.trellis.solve.eigen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * A few eigenvalues and eigenvectors of a symmetric matrix A, or of {@code A x = λ B x} with a symmetric positive
 * definite B.
 *
 * <pre>{@code
 * EigenPairs largest = Eigenvalues.largest(a, 6);
 * EigenPairs interior = Eigenvalues.of(a).count(6).nearest(0.5).find();
 * EigenPairs modes = Eigenvalues.of(stiffness).mass(masses).count(10).nearest(0).find();
 * EigenPairs smallest = Eigenvalues.of(product, backend).preconditioner(multigrid).count(6).smallest().find();
 * }</pre>
 *
 * <p>Methods: thick-restart Lanczos with the matrix, or with {@code (A − σ B)⁻¹} for the
 * eigenvalues nearest to σ, which is factorised as {@code L D Lᵀ}; or LOBPCG, which takes any
 * preconditioner. All of it runs where the operator's vectors are: on any backend, and over ranks if operator and
 * backend are; factorisations are the host's, on one rank.
 *
 * <p>A pair has converged when its residual, recomputed, is at most the tolerance times {@code |λ|}, or rounding: 100
 * units of it times the norm of A. With a factorisation the tolerance is that of the factorised operator, and the
 * residual may be the tolerance times the norm of A. Numbers of any size are safe: operators whose products are far
 * from 1 are multiplied by powers of two. The same operator, settings and backend give the same bits.
 *
 * <p>A Krylov space holds one vector of each eigenspace. So once the requested pairs have converged, some steps from a
 * random vector search the complement of what is known, until the probability that a requested eigenvalue is missing
 * there is below 0.001 (with a B, if its eigenvalues are alike). What shows there is taken in, and the search goes on.
 * With {@link #multiplicities} it goes on in any case, until the next eigenvalue has converged as well.
 */
public final class Eigenvalues {
    private static final double TOLERANCE = 1e-10;
    private static final double SINGLE_TOLERANCE = 1e-5;
    /** Vectors of a basis, beside two for each requested one. */
    private static final int FURTHER_BASIS = 20;
    private static final int MOST_PRODUCTS = 10_000;

    final LinearOperator operator;
    final Backend backend;
    final CsrMatrix matrix;
    int count = 1;
    Which which = Which.MAGNITUDE;
    boolean inverted;
    double shift;
    int basis;
    double tolerance;
    int maximumProducts;
    boolean multiple;
    LinearOperator massOperator;
    CsrMatrix massMatrix;
    LinearOperator inverse;
    Preconditioner preconditioner;
    boolean blocks;
    double[] start;
    final List<double[]> deflated = new ArrayList<>();

    private Eigenvalues(CsrMatrix matrix, LinearOperator operator, Backend backend) {
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
    }

    /**
     * Finds the largest eigenvalues of a symmetric matrix, the most positive first.
     *
     * @param a     a symmetric matrix
     * @param count how many
     * @return pairs
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite, or has fewer rows
     */
    public static EigenPairs largest(CsrMatrix a, int count) {
        return of(a).count(count).largest().find();
    }

    /**
     * Finds the smallest eigenvalues of a symmetric matrix, the most negative first. Where they are crowded, as those
     * of a Laplacian are, {@link #nearest} takes far fewer products, and a factorisation.
     *
     * @param a     a symmetric matrix
     * @param count how many
     * @return pairs
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite, or has fewer rows
     */
    public static EigenPairs smallest(CsrMatrix a, int count) {
        return of(a).count(count).smallest().find();
    }

    /**
     * Finds the eigenvalues of a symmetric matrix that are nearest to a number, the nearest first.
     *
     * @param a     a symmetric matrix
     * @param count how many
     * @param shift the number
     * @return pairs
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite, or has fewer rows
     * @throws org.trellis.solve.direct.FactorisationException if its factors do not fit into the heap
     */
    public static EigenPairs nearest(CsrMatrix a, int count, double shift) {
        return of(a).count(count).nearest(shift).find();
    }

    /**
     * Finds the Fiedler pair of the Laplacian of a connected graph: the second smallest eigenvalue, the algebraic
     * connectivity, and its vector, whose signs divide the graph (M. Fiedler, Czechoslovak Math. J. 23, 1973). Of a
     * graph that is not connected the eigenvalue is 0.
     *
     * @param laplacian a symmetric matrix of at least two rows whose rows sum up to 0
     * @return one pair
     * @throws IllegalArgumentException if it is not symmetric, has fewer rows, or a row that does not sum up to 0
     * @throws org.trellis.solve.direct.FactorisationException if its factors do not fit into the heap
     */
    public static EigenPairs fiedler(CsrMatrix laplacian) {
        double[] sums = new double[laplacian.rows()];
        double[] sizes = new double[laplacian.rows()];
        laplacian.forEachEntry((i, j, value) -> {
            sums[i] += value;
            sizes[i] += Math.abs(value);
        });
        double largest = 0;
        for (int i = 0; i < sums.length; i++) {
            if (!(Math.abs(sums[i]) <= 1e-10 * sizes[i])) {
                throw new IllegalArgumentException("Fiedler vector of " + laplacian + ": row " + i + " sums up to "
                        + sums[i] + ", expected 0 as of a Laplacian");
            }
            largest = Math.max(largest, sizes[i]);
        }
        double[] ones = new double[laplacian.rows()];
        Arrays.fill(ones, 1);
        // Just below the spectrum, so that the matrix is definite; 0 would make it singular.
        return of(laplacian).nearest(-1e-8 * (largest > 0 ? largest : 1)).deflate(ones).find();
    }

    /**
     * Counts the eigenvalues of a symmetric matrix below a number, by the signs of a factorisation (J. J. Sylvester's
     * law of inertia): with two of them you know whether a search has missed any in an interval.
     *
     * @param a     a symmetric matrix
     * @param bound the number, which is no eigenvalue
     * @return how many there are
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws org.trellis.solve.direct.FactorisationException if the number is an eigenvalue but for rounding, or the
     *         factors do not fit into the heap
     */
    public static int below(CsrMatrix a, double bound) {
        requireSquare("eigenvalues", a.rows(), a.columns(), a);
        CsrMatrix exact = a.toPrecision(Precision.F64);
        return SparseLdlt.of(exact.combine(1, CsrMatrix.identity(a.rows(), Precision.F64), -bound)).inertia()
                .negative();
    }

    /**
     * Begins a search with a matrix, on a CPU backend, in double precision.
     *
     * @param a a symmetric matrix
     * @return what to look for, to be said
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static Eigenvalues of(CsrMatrix a) {
        requireSquare("eigenvalues", a.rows(), a.columns(), a);
        return new Eigenvalues(a, null, null);
    }

    /**
     * Begins a search with an operator.
     *
     * @param a       a symmetric operator; over ranks each gives its part, and everything else is called by all ranks
     *                alike
     * @param backend of its vectors
     * @return what to look for, to be said
     * @throws IllegalArgumentException if the operator is not square
     */
    public static Eigenvalues of(LinearOperator a, Backend backend) {
        requireSquare("eigenvalues", a.rows(), a.columns(), a);
        return new Eigenvalues(null, a, backend);
    }

    static void requireSquare(String what, int rows, int columns, Object a) {
        if (rows != columns) {
            throw new IllegalArgumentException(what + " of " + a + ", expected a square matrix");
        }
    }

    /**
     * Says how many pairs are requested.
     *
     * @param wanted at least 1, 1 if nothing is said; at most as many as rows
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public Eigenvalues count(int wanted) {
        count = Checks.positive("number of eigenvalues", wanted);
        return this;
    }

    /**
     * Asks for the largest eigenvalues, the most positive first.
     *
     * @return this
     */
    public Eigenvalues largest() {
        return look(Which.LARGEST);
    }

    /**
     * Asks for the smallest eigenvalues, the most negative first.
     *
     * @return this
     */
    public Eigenvalues smallest() {
        return look(Which.SMALLEST);
    }

    /**
     * Asks for the eigenvalues of largest magnitude; so do searches that nothing else is said of.
     *
     * @return this
     */
    public Eigenvalues largestMagnitude() {
        return look(Which.MAGNITUDE);
    }

    private Eigenvalues look(Which end) {
        which = end;
        inverted = false;
        return this;
    }

    /**
     * Asks for the eigenvalues nearest to a number, by factors of {@code A − σ B}. Where the number is an eigenvalue
     * itself, one nearby is taken for the factorisation.
     *
     * @param sigma σ
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public Eigenvalues nearest(double sigma) {
        if (!Double.isFinite(sigma)) {
            throw new IllegalArgumentException("eigenvalues nearest to " + sigma + ", expected a finite number");
        }
        which = Which.MAGNITUDE;
        inverted = true;
        shift = sigma;
        return this;
    }

    /**
     * Asks for the eigenvalues nearest to a number, by an operator that solves with {@code A − σ B}.
     *
     * @param sigma  σ
     * @param solver {@code (A − σ B)⁻¹}, symmetric
     * @return this
     */
    public Eigenvalues nearest(double sigma, LinearOperator solver) {
        nearest(sigma);
        inverse = solver;
        return this;
    }

    /**
     * Makes the problem a generalised one, {@code A x = λ B x}. Without a shift B is factorised, or LOBPCG takes its
     * products.
     *
     * @param b a symmetric positive definite matrix
     * @return this
     */
    public Eigenvalues mass(CsrMatrix b) {
        massMatrix = b;
        return this;
    }

    /**
     * Makes the problem a generalised one, {@code A x = λ B x}, for LOBPCG or a shift with a solver.
     *
     * @param b a symmetric positive definite operator
     * @return this
     */
    public Eigenvalues mass(LinearOperator b) {
        massOperator = b;
        return this;
    }

    /**
     * Says how many vectors are kept: more take more memory and fewer products.
     *
     * @param vectors at least 3; {@code 2 count + 20} if nothing is said
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public Eigenvalues basis(int vectors) {
        if (vectors < 3) {
            throw new IllegalArgumentException("basis of " + vectors + " vectors, expected at least 3");
        }
        basis = vectors;
        return this;
    }

    /**
     * Says how small residuals are to be.
     *
     * @param relative residual over eigenvalue, more than 0; 1e-10 if nothing is said, 1e-5 in single precision
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public Eigenvalues tolerance(double relative) {
        if (!(relative > 0)) {
            throw new IllegalArgumentException("tolerance is " + relative + ", expected more than 0");
        }
        tolerance = relative;
        return this;
    }

    /**
     * Limits the products. A search that reaches the limit gives what it has, and says what has not converged.
     *
     * @param most at least 1; 10,000 or ten times as many as rows if nothing is said
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public Eigenvalues maximumProducts(int most) {
        maximumProducts = Checks.positive("number of products", most);
        return this;
    }

    /**
     * Keeps everything orthogonal to vectors that span eigenspaces, such as a null space: their eigenvalues are not
     * found again.
     *
     * @param vectors linearly independent, over ranks the rank's parts; copied
     * @return this
     * @throws IllegalArgumentException if a vector has another length or an element is not finite
     */
    public Eigenvalues deflate(double[]... vectors) {
        for (double[] vector : vectors) {
            Checks.length("length of a vector to be deflated", vector.length,
                    matrix == null ? operator.rows() : matrix.rows());
            FiniteInput.require("vector to be deflated", vector);
            deflated.add(vector.clone());
        }
        return this;
    }

    /**
     * Says what to begin with instead of random numbers.
     *
     * @param vector over ranks the rank's part; copied
     * @return this
     * @throws IllegalArgumentException if the vector has another length or an element is not finite
     */
    public Eigenvalues start(double... vector) {
        Checks.length("length of the first vector", vector.length, matrix == null ? operator.rows() : matrix.rows());
        FiniteInput.require("first vector", vector);
        start = vector.clone();
        return this;
    }

    /**
     * Searches for further eigenvectors of the requested eigenvalues until the largest of all others has converged as
     * well, where otherwise some steps bound the probability that one is missing. Takes up to twice the products.
     *
     * @return this
     */
    public Eigenvalues multiplicities() {
        multiple = true;
        return this;
    }

    /**
     * Chooses LOBPCG, for the smallest or largest eigenvalues.
     *
     * @return this
     */
    public Eigenvalues lobpcg() {
        blocks = true;
        return this;
    }

    /**
     * Chooses LOBPCG with a preconditioner.
     *
     * @param approximate an approximate inverse of A, symmetric positive definite, such as multigrid
     * @return this
     * @throws IllegalArgumentException if it is not symmetric
     */
    public Eigenvalues preconditioner(Preconditioner approximate) {
        if (!approximate.symmetric()) {
            throw new IllegalArgumentException("LOBPCG with " + approximate
                    + ", which is not symmetric, expected a symmetric one such as jacobi, ssor or amg");
        }
        preconditioner = approximate;
        blocks = true;
        return this;
    }

    /**
     * Searches.
     *
     * @return pairs, as many as were asked for; not all of them need have converged
     * @throws IllegalArgumentException if there are not as many, a matrix is not symmetric or a number not finite, or
     *                                  settings do not go together
     * @throws org.trellis.solve.direct.FactorisationException if factors do not fit into the heap
     */
    public EigenPairs find() {
        if (matrix == null) {
            return new EigenSearch(this, operator, backend).find();
        }
        FiniteInput.largestEntry("eigenvalues", matrix);
        CsrMatrix exact = matrix.toPrecision(Precision.F64);
        try (Backend host = Backends.open("cpu", Configuration.load());
                SpmvOperator product = host.kernels(SparseKernels.class).prepare(exact)) {
            return new EigenSearch(this, product, host).find();
        }
    }

    double tolerance(Precision precision) {
        return tolerance > 0 ? tolerance : precision == Precision.F32 ? SINGLE_TOLERANCE : TOLERANCE;
    }

    int dimension(long free) {
        int chosen = basis > 0 ? Math.max(basis, count + 2) : 2 * count + FURTHER_BASIS;
        return (int) Math.min(free, chosen);
    }

    int maximum(long size) {
        return maximumProducts > 0
                ? maximumProducts
                : (int) Math.min(Integer.MAX_VALUE / 2, Math.max(MOST_PRODUCTS, 10 * size));
    }
}
