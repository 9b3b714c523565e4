package org.trellis.solve.eigen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixNorms;

/**
 * A few eigenvalues and eigenvectors of any square real matrix, by the Krylov–Schur method (G. W. Stewart, SIAM J.
 * Matrix Anal. Appl. 23, 2001), with the matrix, or with {@code (A − σ I)⁻¹} for the eigenvalues nearest to a real
 * number σ, by an LU factorisation.
 *
 * <pre>{@code
 * ComplexEigenPairs largest = UnsymmetricEigenvalues.of(a).count(6).largestMagnitude().find();
 * ComplexEigenPairs rightmost = UnsymmetricEigenvalues.of(a).count(6).largestReal().find();
 * ComplexEigenPairs interior = UnsymmetricEigenvalues.of(a).count(6).nearest(0.5).find();
 * }</pre>
 *
 * <p>A pair has converged when its residual, recomputed, is at most the tolerance times {@code |λ|}, or rounding: 100
 * units of it times the norm of A; with a factorisation, the tolerance times the norm of A. That an eigenvalue is near
 * one of the matrix does not follow where eigenvectors are nearly dependent: an eigenvalue of a defective matrix moves
 * by a root of what the residual says. So the search goes on until residuals are as much smaller as the eigenvalues of
 * the projected matrix move by more than a perturbation does, up to 2²⁶ times, or rounding. The tolerance is thus about
 * the relative error of eigenvalues. Where a tolerance bounds residuals alone, as in ARPACK, values as exact take one
 * that is ten to a thousand times as small, and about as many products.
 *
 * <p>A multiple eigenvalue with several eigenvectors may come once; {@link #multiplicities} looks for the others.
 * Symmetric matrices are better served by {@link Eigenvalues}.
 */
public final class UnsymmetricEigenvalues {
    private static final double TOLERANCE = 1e-10;
    private static final double SINGLE_TOLERANCE = 1e-5;
    /** Vectors of a basis, beside two for each requested one. */
    private static final int FURTHER_BASIS = 20;
    private static final int MOST_PRODUCTS = 10_000;
    private static final int ROUNDINGS = 100;
    /** Of the norm of A: what a shift moves by if it is an eigenvalue. */
    private static final double ASIDE = 0x1p-23;

    private final CsrMatrix matrix;
    private final LinearOperator operator;
    private final Backend backend;
    private int count = 1;
    private Side side = Side.MAGNITUDE;
    private boolean inverted;
    private double shift;
    private LinearOperator inverse;
    private int basis;
    private double tolerance;
    private int maximumProducts;
    private boolean multiple;
    private double[] start;

    private UnsymmetricEigenvalues(CsrMatrix matrix, LinearOperator operator, Backend backend) {
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
    }

    /**
     * Begins a search with a matrix, on a CPU backend, in double precision.
     *
     * @param a a square matrix
     * @return what to look for, to be said
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static UnsymmetricEigenvalues of(CsrMatrix a) {
        Eigenvalues.requireSquare("eigenvalues", a.rows(), a.columns(), a);
        return new UnsymmetricEigenvalues(a, null, null);
    }

    /**
     * Begins a search with an operator.
     *
     * @param a       a square operator; over ranks each gives its part, and everything else is called by all ranks
     *                alike
     * @param backend of its vectors
     * @return what to look for, to be said
     * @throws IllegalArgumentException if the operator is not square
     */
    public static UnsymmetricEigenvalues of(LinearOperator a, Backend backend) {
        Eigenvalues.requireSquare("eigenvalues", a.rows(), a.columns(), a);
        return new UnsymmetricEigenvalues(null, a, backend);
    }

    /**
     * Says how many pairs are requested.
     *
     * @param wanted at least 1, 1 if nothing is said; at most as many as rows. Where the last one is complex, its
     *               conjugate is found as well
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public UnsymmetricEigenvalues count(int wanted) {
        count = Checks.positive("number of eigenvalues", wanted);
        return this;
    }

    /**
     * Asks for the eigenvalues of largest magnitude; so do searches that nothing else is said of.
     *
     * @return this
     */
    public UnsymmetricEigenvalues largestMagnitude() {
        return look(Side.MAGNITUDE);
    }

    /**
     * Asks for the eigenvalues of largest real part.
     *
     * @return this
     */
    public UnsymmetricEigenvalues largestReal() {
        return look(Side.RIGHT);
    }

    /**
     * Asks for the eigenvalues of smallest real part.
     *
     * @return this
     */
    public UnsymmetricEigenvalues smallestReal() {
        return look(Side.LEFT);
    }

    /**
     * Asks for the eigenvalues of largest imaginary part.
     *
     * @return this
     */
    public UnsymmetricEigenvalues largestImaginary() {
        return look(Side.TOP);
    }

    private UnsymmetricEigenvalues look(Side wanted) {
        side = wanted;
        inverted = false;
        return this;
    }

    /**
     * Asks for the eigenvalues nearest to a real number, by factors of {@code A − σ I}. Where the number is an
     * eigenvalue itself, one nearby is taken for the factorisation.
     *
     * @param sigma σ
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public UnsymmetricEigenvalues nearest(double sigma) {
        if (!Double.isFinite(sigma)) {
            throw new IllegalArgumentException("eigenvalues nearest to " + sigma + ", expected a finite number");
        }
        side = Side.MAGNITUDE;
        inverted = true;
        shift = sigma;
        return this;
    }

    /**
     * Asks for the eigenvalues nearest to a real number, by an operator that solves with {@code A − σ I}.
     *
     * @param sigma  σ
     * @param solver {@code (A − σ I)⁻¹}
     * @return this
     */
    public UnsymmetricEigenvalues nearest(double sigma, LinearOperator solver) {
        nearest(sigma);
        inverse = solver;
        return this;
    }

    /**
     * Says how many vectors are kept: more take more memory and fewer products.
     *
     * @param vectors at least 3; {@code 2 count + 20} if nothing is said
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public UnsymmetricEigenvalues basis(int vectors) {
        if (vectors < 3) {
            throw new IllegalArgumentException("basis of " + vectors + " vectors, expected at least 3");
        }
        basis = vectors;
        return this;
    }

    /**
     * Says how exact eigenvalues are to be: residuals times the conditions of the eigenvalues, as far as the projected
     * matrix shows these, are at most this part of the eigenvalues.
     *
     * @param relative residual over eigenvalue, more than 0; 1e-10 if nothing is said, 1e-5 in single precision
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; says what was expected
     */
    public UnsymmetricEigenvalues tolerance(double relative) {
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
    public UnsymmetricEigenvalues maximumProducts(int most) {
        maximumProducts = Checks.positive("number of products", most);
        return this;
    }

    /**
     * Says what to begin with instead of random numbers.
     *
     * @param vector over ranks the rank's part; copied
     * @return this
     * @throws IllegalArgumentException if the vector has another length or an element is not finite
     */
    public UnsymmetricEigenvalues start(double... vector) {
        Checks.length("length of the first vector", vector.length, matrix == null ? operator.rows() : matrix.rows());
        FiniteInput.require("first vector", vector);
        start = vector.clone();
        return this;
    }

    /**
     * Searches for further eigenvectors of the requested eigenvalues, from vectors that are orthogonal to those found,
     * until the largest of all others has converged as well. That takes about twice the products. Not for matrices
     * whose eigenvectors are nearly dependent: what is found first perturbs what is found next by its residuals, and
     * that moves eigenvalues by much more.
     *
     * @return this
     */
    public UnsymmetricEigenvalues multiplicities() {
        multiple = true;
        return this;
    }

    /**
     * Searches.
     *
     * @return pairs, as many as were asked for, or one more; not all of them need have converged
     * @throws IllegalArgumentException if there are not as many, or a number is not finite
     * @throws FactorisationException   if factors do not fit into the heap
     */
    public ComplexEigenPairs find() {
        if (matrix == null) {
            return find(operator, backend);
        }
        FiniteInput.largestEntry("eigenvalues", matrix);
        try (Backend host = Backends.open("cpu", Configuration.load());
                SpmvOperator product = host.kernels(SparseKernels.class).prepare(matrix.toPrecision(Precision.F64))) {
            return find(product, host);
        }
    }

    private ComplexEigenPairs find(LinearOperator a, Backend where) {
        long begun = System.nanoTime();
        CollectiveClock.of("eigenvalues", a, where);
        long size = VectorSet.wholeSize(where, a.rows());
        if (count > size) {
            throw new IllegalArgumentException(count + " eigenvalues of " + a + " of " + size
                    + " rows, expected at most as many as rows");
        }
        Transformation transformation = inverted ? transformation(a, where) : new Transformation(a, 0);
        int dimension = (int) Math.min(size, basis > 0
                ? Math.max(basis, count + 3)
                : 2 * count + FURTHER_BASIS);
        int maximum = maximumProducts > 0
                ? maximumProducts
                : (int) Math.min(Integer.MAX_VALUE / 2, Math.max(MOST_PRODUCTS, 10 * size));
        double relative = tolerance > 0
                ? tolerance
                : a.precision() == Precision.F32 ? SINGLE_TOLERANCE : TOLERANCE;
        try (VectorSet vectors = new VectorSet(where, a.rows(), a.precision(),
                KrylovDecomposition.room(0, dimension), dimension)) {
            CountedProduct counted = new CountedProduct(transformation.operator(), vectors.arithmetic());
            CountedProduct original = inverted ? new CountedProduct(a, vectors.arithmetic()) : counted;
            KrylovSchur method =
                    new KrylovSchur(vectors, counted, side, new RestartedKrylov.Search(count, dimension, size,
                            relative, maximum, multiple, inverted));
            Dat[] found = method.run(start);
            double norm = inverted ? norm(a) : original.unscaled(method.scale());
            double ofNorm = (inverted ? relative : 0) * norm + ROUNDINGS * vectors.roundoff() * norm;
            String name = "Krylov-Schur" + (inverted ? " with the inverse of A - " + transformation.shift() : "");
            List<Pair> pairs = pairs(vectors, method, found, original);
            return result(pairs, relative, ofNorm, new int[]{counted.count() + (inverted ? original.count() : 0),
                method.restarts()}, name, begun);
        }
    }

    /** An operator, and the number by which its matrix is shifted. */
    private record Transformation(LinearOperator operator, double shift) {}

    private Transformation transformation(LinearOperator a, Backend where) {
        if (inverse != null) {
            return new Transformation(inverse, shift);
        }
        if (!(a instanceof SpmvOperator prepared) || a.overRanks()) {
            throw new IllegalArgumentException("factors of " + a + ", which is over ranks or known by products only, "
                    + "expected a matrix; nearest(sigma, solver) takes operators");
        }
        CsrMatrix exact = prepared.matrix().toCsr().toPrecision(Precision.F64);
        CsrMatrix identity = CsrMatrix.identity(exact.rows(), Precision.F64);
        double moved = shift;
        SparseLu factors;
        try {
            factors = SparseLu.of(exact.combine(1, identity, -moved));
        } catch (FactorisationException e) {
            if (e.reason() != FactorisationException.Reason.PIVOT) {
                throw e;
            }
            double norm = MatrixNorms.infinity(exact);
            moved -= ASIDE * (norm > 0 ? norm : 1);
            factors = SparseLu.of(exact.combine(1, identity, -moved));
        }
        SparseLu chosen = factors;
        return new Transformation(HostSolve.of(a.domain(), where, chosen::solve), moved);
    }

    private double norm(LinearOperator a) {
        double ofMatrix = a instanceof SpmvOperator prepared && !a.overRanks()
                ? MatrixNorms.infinity(prepared.matrix().toCsr())
                : 0;
        return ofMatrix + Math.abs(shift);
    }

    /** An eigenvalue and its vector, as checked. */
    private record Pair(double real, double imaginary, double[] re, double[] im, double residual) {}

    private static List<Pair> pairs(VectorSet vectors, KrylovSchur method, Dat[] found, CountedProduct original) {
        List<Pair> pairs = new ArrayList<>();
        RealSchur schur = method.schur();
        Dat[] combined = vectors.vectors("x", 2);
        Dat[] images = vectors.vectors("A x", 2);
        int count = method.found();
        for (int k = 0; k < count; k++) {
            double[][] y = schur.vector(k);
            boolean complex = schur.imaginary(k) != 0;
            double[][] q = new double[count][2];
            for (int i = 0; i < count; i++) {
                q[i][0] = y[0][i];
                q[i][1] = y[1][i];
            }
            vectors.transform(found, count, q, combined, complex ? 2 : 1);
            for (int part = 0; part < (complex ? 2 : 1); part++) {
                original.apply(combined[part].vector(), images[part].vector());
            }
            Pair pair = pair(vectors, combined, images, complex, original);
            pairs.add(pair);
            if (complex) {
                pairs.add(new Pair(pair.real(), -pair.imaginary(), pair.re(),
                        Arrays.stream(pair.im()).map(x -> -x).toArray(), pair.residual()));
                k++;
            }
        }
        return pairs;
    }

    /** Computes the quotient of Rayleigh, the residual, and the vector of length 1. */
    private static Pair pair(VectorSet vectors, Dat[] x, Dat[] image, boolean complex, CountedProduct original) {
        double square = vectors.dot(x[0], x[0]) + (complex ? vectors.dot(x[1], x[1]) : 0);
        double real = (vectors.dot(x[0], image[0]) + (complex ? vectors.dot(x[1], image[1]) : 0)) / square;
        double imaginary = complex ? (vectors.dot(x[0], image[1]) - vectors.dot(x[1], image[0])) / square : 0;
        vectors.update(-real, x[0], 1, image[0]);
        if (complex) {
            vectors.update(imaginary, x[1], 1, image[0]);
            vectors.update(-real, x[1], 1, image[1]);
            vectors.update(-imaginary, x[0], 1, image[1]);
        }
        double length = Math.sqrt(square);
        double residual = Math.hypot(vectors.norm(image[0]), complex ? vectors.norm(image[1]) : 0) / length;
        vectors.multiply(1 / length, x[0]);
        double[] re = vectors.toArray(x[0]);
        double[] im = new double[re.length];
        if (complex) {
            vectors.multiply(1 / length, x[1]);
            im = vectors.toArray(x[1]);
        }
        return new Pair(original.unscaled(real), original.unscaled(imaginary), re, im, original.unscaled(residual));
    }

    private ComplexEigenPairs result(List<Pair> pairs, double relative, double ofNorm, int[] counts, String name,
            long begun) {
        int n = pairs.size();
        double[] limits = new double[n];
        Arrays.setAll(limits, k -> Math.max(ofNorm,
                relative * Math.hypot(pairs.get(k).real(), pairs.get(k).imaginary())));
        return new ComplexEigenPairs(pairs.stream().mapToDouble(Pair::real).toArray(),
                pairs.stream().mapToDouble(Pair::imaginary).toArray(), pairs.stream().map(Pair::re).toList(),
                pairs.stream().map(Pair::im).toList(), pairs.stream().mapToDouble(Pair::residual).toArray(), limits,
                counts[0], counts[1], name, (System.nanoTime() - begun) * 1e-9);
    }
}
