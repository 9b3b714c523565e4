package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Collections;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.sparse.LinearOperator;

/**
 * A Krylov decomposition {@code Op V = V H + v bᵀ} with an orthonormal basis V and a vector v that is orthogonal to it
 * (G. W. Stewart, "A Krylov–Schur algorithm for large eigenproblems", SIAM J. Matrix Anal. Appl. 23, 2001): it is
 * extended by products, and contracted to an invariant part of H. With a symmetric operator it is that of the
 * thick-restart Lanczos method (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22, 2000). Vectors that are deflated come
 * first in the basis; nothing of them is in H.
 *
 * <p>A step moves, beside the product, 2k + O(k/8) vectors with k vectors so far: the last two take off most of a
 * product first, so that one pass over all leaves no more than rounding. Vectors of a symmetric operator are
 * made orthogonal to the last two, and four at a time to all others, as long as rounding does not grow much in between
 * (H. Simon, "Analysis of the symmetric Lanczos algorithm with reorthogonalization methods", Linear Algebra Appl. 61,
 * 1984): a step then moves k + O(1) vectors.
 */
final class KrylovDecomposition implements Decomposition {
    /** Of the norm of the operator: what is rounding alone, in units of rounding. */
    private static final int BREAKDOWN = 64;
    /** Of the norm of the operator: more than rounding makes of a symmetric operator's products. */
    private static final double ASYMMETRY = 1e-6;
    private static final int ATTEMPTS = 3;
    /** Of the length of a vector: what a second pass takes off and its product with B need not show, in roundings. */
    private static final int SECOND = 32;

    private final VectorSet vectors;
    private final CountedProduct operator;
    private final boolean symmetric;
    /** Whether what looks unsymmetric is refused. */
    private boolean checked;
    /** B of the inner product, or null. */
    private final LinearOperator inner;
    /** B times the vector that was made orthogonal last, which is the next one that is multiplied. */
    private final Dat weighted;
    /** Whether the operator is one of B times a vector. */
    private final boolean onWeighted;
    private final int deflated;
    private final int dimension;
    /** Deflated vectors, the basis, and the next vector. */
    private final Dat[] basis;
    /** What combinations go to, made when there are as many. */
    private final Dat[] spare;
    private final double[][] projected;
    private final double[] coupling;
    private final double[] found;
    private double scale;
    /** How many vectors the basis has. */
    private int filled;
    /** Steps in its complement. */
    private int beside;
    /** Of the vectors up to the next one: how many of the last are orthogonal to their neighbours only. */
    private int loose;
    /** How much rounding may have grown in these. */
    private double growth = 1;
    /** By which vectors were divided. */
    private final double[] lengths;

    /**
     * Makes room.
     *
     * @param symmetric whether the operator is, in the inner product
     * @param checked   whether an operator that shows not to be symmetric is refused
     * @param inner     the inner product, and whether the operator takes vectors that were multiplied by its matrix
     * @param deflated  orthonormal vectors
     * @param dimension of the basis
     * @param kept      vectors at most after a contraction
     */
    KrylovDecomposition(VectorSet vectors, CountedProduct operator, boolean symmetric, boolean checked,
            Inner inner, Dat[] deflated, int dimension, int kept) {
        this.vectors = vectors;
        this.operator = operator;
        this.symmetric = symmetric;
        this.checked = checked;
        this.inner = inner.matrix();
        this.onWeighted = inner.first();
        this.weighted = this.inner == null ? null : vectors.vector("weighted");
        this.deflated = deflated.length;
        this.dimension = dimension;
        this.basis = Arrays.copyOf(deflated, deflated.length + dimension + 1);
        Dat[] own = vectors.vectors("v", dimension + 1);
        System.arraycopy(own, 0, basis, deflated.length, own.length);
        this.spare = new Dat[kept];
        this.projected = new double[dimension][dimension];
        this.coupling = new double[dimension];
        this.lengths = new double[dimension + 1];
        this.found = new double[basis.length];
    }

    /**
     * An inner product.
     *
     * @param matrix symmetric positive definite, or null for the identity
     * @param first  whether the operator is that of the search times this matrix, and is applied to what was multiplied
     */
    record Inner(LinearOperator matrix, boolean first) {
        static final Inner PLAIN = new Inner(null, false);
    }

    /** Returns the vectors of a basis that a method needs. */
    static int room(int deflated, int dimension) {
        return deflated + dimension + 1;
    }

    @Override
    public double[][] projected() {
        return projected;
    }

    @Override
    public double[] coupling() {
        return coupling;
    }

    @Override
    public double scale() {
        return scale;
    }

    @Override
    public void see(double magnitude) {
        scale = Math.max(scale, magnitude);
    }

    @Override
    public int dimension() {
        return dimension;
    }

    @Override
    public void begin(double[] start) {
        if (start == null) {
            drawUnit(0);
            return;
        }
        Dat first = basis[deflated];
        vectors.load(first, HostVector.of(start).convert(first.precision()));
        double length = orthonormalise(0);
        if (!(length > 0)) {
            drawUnit(0);
        }
    }

    /** Forgets everything and begins with another vector. */
    void restart(double[] start) {
        filled = 0;
        scale = 0;
        loose = 0;
        growth = 1;
        for (double[] row : projected) {
            Arrays.fill(row, 0);
        }
        Arrays.fill(coupling, 0);
        begin(start);
    }

    /** Puts a random unit vector, orthogonal to those before, into a place; zeros if there is none. */
    private void drawUnit(int place) {
        if (inner == null) {
            vectors.drawUnit(basis, deflated + place, found);
            return;
        }
        Dat v = basis[deflated + place];
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            vectors.draw(v);
            double before = vectors.norm(v);
            if (orthonormalise(place) > BREAKDOWN * vectors.roundoff() * before) {
                return;
            }
        }
        vectors.update(0, basis[0], 0, v);
        vectors.update(0, basis[0], 0, weighted);
    }

    private double orthonormalise(int place) {
        Dat v = basis[deflated + place];
        double first = 0;
        for (int pass = 0; pass < 2; pass++) {
            double length = orthogonalise(v, 0, deflated + place, true).length();
            first = pass == 0 ? length : first;
            if (length > 0) {
                divide(v, length);
            }
        }
        return first;
    }

    /** Gives the vector that was made orthogonal last the length 1. */
    private void divide(Dat v, double length) {
        vectors.multiply(1 / length, v);
        if (inner != null) {
            vectors.multiply(1 / length, weighted);
        }
    }

    /** Multiplies the vector that was made orthogonal last. */
    private void multiply(Dat v, Dat to) {
        operator.apply(onWeighted ? weighted.vector() : v.vector(), to.vector());
    }

    @Override
    public void extend(int from, int to) {
        while (filled < to) {
            step(filled, from);
            filled++;
        }
        tighten(filled);
    }

    @Override
    public int filled() {
        return filled;
    }

    private void step(int j, int from) {
        Dat v = basis[deflated + j];
        Dat w = basis[deflated + j + 1];
        multiply(v, w);
        boolean local = symmetric && inner == null && j > from;
        VectorSet.Left left = local
                ? new VectorSet.Left(vectors.subtractLast(w, basis, deflated + j - 1, deflated + j + 1, found), 0)
                : orthogonalise(w, j > from ? deflated + j - 1 : 0, deflated + j + 1, true);
        double square = left.length() * left.length();
        for (int i = 0; i <= j; i++) {
            projected[i][j] = found[deflated + i];
            square += found[deflated + i] * found[deflated + i];
        }
        double norm = Math.sqrt(square);
        operator.requireFinite(norm);
        see(norm);
        if (j == from) {
            for (int i = 0; i < from; i++) {
                requireSymmetric(Math.abs(projected[i][j] - coupling[i]));
                projected[j][i] = coupling[i];
            }
        }
        if (j > from) {
            requireSymmetric(Math.abs(projected[j - 1][j] - projected[j][j - 1]));
        }
        double length = left.length();
        requireSymmetric(deflated > 0 ? 0 : left.outside());
        if (length <= BREAKDOWN * vectors.roundoff() * scale) {
            // The space so far is invariant: go on with another vector, to which nothing couples.
            length = 0;
            tighten(j);
            drawUnit(j + 1);
        } else {
            divide(w, length);
            lengths[j + 1] = length;
            loosen(local, j + 1);
        }
        if (symmetric) {
            tidy(j, from);
        }
        Arrays.fill(coupling, 0);
        coupling[j] = length;
        if (j + 1 < dimension) {
            projected[j + 1][j] = length;
        }
    }

    /** Notes that a vector is orthogonal to its neighbours only; makes some so to all before rounding grows. */
    private void loosen(boolean local, int last) {
        if (!local) {
            return;
        }
        loose++;
        growth *= 2 * scale / lengths[last];
        if (loose == BasisArithmetic.WIDTH || growth > Math.sqrt(Math.sqrt(1 / vectors.roundoff()))) {
            tighten(last);
        }
    }

    /** Makes the last vectors up to one orthogonal to all before. */
    private void tighten(int last) {
        int first = last + 1 - loose;
        if (loose == BasisArithmetic.WIDTH) {
            double[] greatest = vectors.clearFour(basis, deflated + first);
            for (int i = 0; i < loose; i++) {
                requireOrthogonal(greatest[i], first + i);
            }
        } else {
            for (int i = first; i <= last; i++) {
                Dat v = basis[deflated + i];
                double length = orthogonalise(v, 0, deflated + i, false).length();
                vectors.multiply(1 / length, v);
                double greatest = 0;
                for (int k = 0; k < deflated + i; k++) {
                    greatest = Math.max(greatest, Math.abs(found[k]));
                }
                requireOrthogonal(greatest, i);
            }
        }
        loose = 0;
        growth = 1;
    }

    private void requireOrthogonal(double product, int i) {
        requireSymmetric(deflated > 0 ? 0 : product * lengths[i]);
    }

    /** Makes the new column and row of a symmetric matrix alike, and leaves rounding out. */
    private void tidy(int j, int from) {
        for (int i = 0; i < j; i++) {
            double value = j == from ? coupling[i] : i == j - 1 ? projected[j][i] : 0;
            projected[i][j] = value;
            projected[j][i] = value;
        }
    }

    private void requireSymmetric(double difference) {
        if (symmetric && checked && difference > Math.max(ASYMMETRY, Math.sqrt(vectors.roundoff())) * scale) {
            throw new IllegalArgumentException("eigenvalues of " + operator + ", whose products differ from those of a "
                    + "symmetric operator by " + difference / scale + " of its norm, expected a symmetric one; "
                    + "UnsymmetricEigenvalues takes any");
        }
    }

    private VectorSet.Left orthogonalise(Dat w, int few, int count, boolean always) {
        if (inner == null) {
            return vectors.orthogonalise(w, basis, few, count, always, found);
        }
        inner.apply(w.vector(), weighted.vector());
        Arrays.fill(found, 0, count, 0);
        vectors.subtract(weighted, w, basis, count, found);
        double[] first = Arrays.copyOf(found, count);
        inner.apply(w.vector(), weighted.vector());
        Arrays.fill(found, 0, count, 0);
        vectors.subtract(weighted, w, basis, count, found);
        double again = 0;
        for (int i = 0; i < count; i++) {
            again = Math.hypot(again, found[i]);
            found[i] += first[i];
        }
        double square = vectors.dot(w, weighted);
        // What the second pass has taken off is orthogonal to what is left, so the square is right, and so is the
        // product with B, unless that was more than rounding.
        if (!(square > 0 && again <= SECOND * vectors.roundoff() * Math.sqrt(square))) {
            inner.apply(w.vector(), weighted.vector());
            square = vectors.dot(w, weighted);
        }
        if (!(square >= 0)) {
            requirePositive(square, w);
        }
        return new VectorSet.Left(Math.sqrt(Math.max(square, 0)), 0);
    }

    private void requirePositive(double square, Dat w) {
        double size = vectors.norm(w) * vectors.norm(weighted);
        if (!(Math.abs(square) <= BREAKDOWN * vectors.roundoff() * size)) {
            throw new IllegalArgumentException("inner product by " + inner + ": a vector has the square " + square
                    + ", expected a positive definite matrix");
        }
    }

    @Override
    public void contract(double[][] q, int kept, double[][] quotient) {
        double[] couplings = new double[dimension];
        for (int k = 0; k < kept; k++) {
            couplings[k] = product(q, k);
        }
        combine(q, kept);
        for (int k = 0; k < kept; k++) {
            Dat old = basis[deflated + k];
            basis[deflated + k] = spare[k];
            spare[k] = old;
        }
        Dat old = basis[deflated + kept];
        basis[deflated + kept] = basis[deflated + filled];
        basis[deflated + filled] = old;
        filled = kept;
        for (int i = 0; i < dimension; i++) {
            Arrays.fill(projected[i], 0);
            if (i < kept) {
                System.arraycopy(quotient[i], 0, projected[i], 0, kept);
            }
        }
        System.arraycopy(couplings, 0, coupling, 0, dimension);
    }

    @Override
    public void beginAnew() {
        checked = false;
        Arrays.fill(coupling, 0);
        drawUnit(filled);
    }

    @Override
    public void beginBeside() {
        beside = 0;
        drawUnit(filled);
    }

    @Override
    public Step stepBeside() {
        int first = deflated + filled;
        int count = first + Math.min(beside, 1) + 1;
        Dat w = basis[count];
        multiply(basis[count - 1], w);
        double length = orthogonalise(w, first, count, true).length();
        double diagonal = found[count - 1];
        see(Math.hypot(length, diagonal));
        if (length <= BREAKDOWN * vectors.roundoff() * scale) {
            length = 0;
        } else {
            divide(w, length);
        }
        if (beside > 0) {
            Collections.rotate(Arrays.asList(basis).subList(first, count + 1), -1);
        }
        beside++;
        return new Step(diagonal, length);
    }

    @Override
    public double product(double[][] q, int k) {
        double sum = 0;
        for (int i = 0; i < filled; i++) {
            sum += coupling[i] * q[i][k];
        }
        return sum;
    }

    @Override
    public Dat[] combine(double[][] q, int count) {
        vectors.complete(spare, "s", count);
        Dat[] from = Arrays.copyOfRange(basis, deflated, deflated + filled);
        vectors.transform(from, filled, q, spare, count);
        return spare;
    }
}
