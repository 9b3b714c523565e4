package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Collections;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;

/**
 * A bidiagonalisation {@code A V = U B}, {@code Aᵀ U = V Bᵀ + v bᵀ} with orthonormal bases (G. Golub, W. Kahan, SIAM J.
 * Numer. Anal. 2, 1965), which is contracted to some singular vectors of B (J. Baglama, L. Reichel, SIAM J. Sci.
 * Comput. 27, 2005). Both bases are kept orthogonal to rounding.
 *
 * <p>Where the largest singular values are looked for, left vectors are made orthogonal to the last one only, and to
 * all after a contraction or where little of a product is left: they inherit orthogonality from the right vectors (H.
 * Simon, H. Zha, "Low-rank matrix approximation using the Lanczos bidiagonalization process with applications", SIAM
 * J. Sci. Comput. 21, 2000). How much is lost shows in what products with the transpose have of earlier right vectors;
 * if that is more than rounding, all left vectors are made orthogonal to all others from then on. A step then moves,
 * beside the products, 2 k + O(1) right vectors with k so far, and as many left vectors only where these do not
 * inherit orthogonality.
 */
final class Bidiagonalisation implements Decomposition {
    /** Of the norm of the operator: what is rounding alone, in units of rounding. */
    private static final int BREAKDOWN = 64;
    /** Of the norm of the operator: what left vectors that have lost orthogonality show, in units of rounding. */
    private static final int LOST = 32;
    /** Of the norm of the operator: the length of a left vector below which it is made orthogonal to all. */
    private static final double SHORT = 0x1p-7;

    private final VectorSet onColumns;
    private final VectorSet onRows;
    private final CountedProduct operator;
    private final int dimension;
    private final Dat[] right;
    private final Dat[] left;
    /** What combinations go to, made when there are as many. */
    private final Dat[] spareRight;
    private final Dat[] spareLeft;
    private final double[][] projected;
    private final double[] coupling;
    private final double[] found;
    /** Whether left vectors inherit their orthogonality. */
    private boolean inherited;
    /** Left singular vectors of the projected matrix. */
    private double[][] leftColumns = {};
    private double scale;
    private int filled;
    /** Steps in the complement of the right vectors. */
    private int beside;

    /**
     * Makes room.
     *
     * @param inherited whether left vectors may inherit their orthogonality; for the largest singular values
     * @param kept      vectors at most after a contraction
     */
    Bidiagonalisation(VectorSet onColumns, VectorSet onRows, CountedProduct operator, boolean inherited, int dimension,
            int kept) {
        this.inherited = inherited;
        this.onColumns = onColumns;
        this.onRows = onRows;
        this.operator = operator;
        this.dimension = dimension;
        this.right = onColumns.vectors("v", dimension + 1);
        this.left = onRows.vectors("u", dimension);
        this.spareRight = new Dat[kept];
        this.spareLeft = new Dat[kept];
        this.projected = new double[dimension][dimension];
        this.coupling = new double[dimension];
        this.found = new double[dimension + 1];
    }

    /** Says what the left singular vectors of the projected matrix are, for the columns of the next calls. */
    void useLeft(double[][] columns) {
        leftColumns = columns;
    }

    @Override
    public void begin(double[] start) {
        if (start != null) {
            onColumns.load(right[0], HostVector.of(start).convert(right[0].precision()));
            double length = onColumns.norm(right[0]);
            if (length > 0) {
                onColumns.multiply(1 / length, right[0]);
                return;
            }
        }
        onColumns.drawUnit(right, 0, found);
    }

    @Override
    public void extend(int from, int to) {
        while (filled < to) {
            step(filled, from);
            filled++;
        }
    }

    private void step(int j, int from) {
        operator.apply(right[j].vector(), left[j].vector());
        double length = clearLeft(j, from);
        for (int i = 0; i < j; i++) {
            projected[i][j] = j == from || i == j - 1 ? coupling[i] : 0;
        }
        projected[j][j] = normalise(onRows, left, j, length);
        operator.applyTransposed(left[j].vector(), right[j + 1].vector());
        VectorSet.Left rest = onColumns.orthogonalise(right[j + 1], right, j, j + 1, true, found);
        see(length(rest.length(), j + 1));
        inherited &= rest.outside() <= LOST * onRows.roundoff() * scale;
        Arrays.fill(coupling, 0);
        coupling[j] = normalise(onColumns, right, j + 1, rest.length());
    }

    /** Makes a product orthogonal to the left vectors before, and returns the length of what is left. */
    private double clearLeft(int j, int from) {
        Dat w = left[j];
        if (inherited && j > from) {
            double rest = onRows.subtractLast(w, left, j - 1, j, found);
            see(length(rest, j));
            return rest > SHORT * scale ? rest : onRows.orthogonalise(w, left, j - 1, j, true, found).length();
        }
        double rest = onRows.orthogonalise(w, left, j > from ? j - 1 : 0, j, true, found).length();
        see(length(rest, j));
        return rest;
    }

    private double length(double rest, int count) {
        double square = rest * rest;
        for (int i = 0; i < count; i++) {
            square += found[i] * found[i];
        }
        double norm = Math.sqrt(square);
        operator.requireFinite(norm);
        return norm;
    }

    /** Gives a vector the length 1, or replaces what is rounding alone by another vector; returns its length. */
    private double normalise(VectorSet vectors, Dat[] basis, int j, double length) {
        if (length <= BREAKDOWN * vectors.roundoff() * scale) {
            vectors.drawUnit(basis, j, found);
            return 0;
        }
        vectors.multiply(1 / length, basis[j]);
        return length;
    }

    @Override
    public int filled() {
        return filled;
    }

    @Override
    public int dimension() {
        return dimension;
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
    public double product(double[][] q, int k) {
        double sum = 0;
        for (int i = 0; i < filled; i++) {
            sum += coupling[i] * leftColumns[i][k];
        }
        return sum;
    }

    @Override
    public void contract(double[][] q, int kept, double[][] quotient) {
        double[] couplings = new double[dimension];
        for (int k = 0; k < kept; k++) {
            couplings[k] = product(q, k);
        }
        combine(q, kept);
        for (int k = 0; k < kept; k++) {
            swap(right, k, spareRight);
            swap(left, k, spareLeft);
        }
        Dat next = right[filled];
        right[filled] = right[kept];
        right[kept] = next;
        for (int i = 0; i < dimension; i++) {
            Arrays.fill(projected[i], 0);
            if (i < kept) {
                System.arraycopy(quotient[i], 0, projected[i], 0, kept);
            }
        }
        System.arraycopy(couplings, 0, coupling, 0, dimension);
        filled = kept;
        leftColumns = Decomposition.identity(kept);
    }

    private static void swap(Dat[] basis, int k, Dat[] spare) {
        Dat old = basis[k];
        basis[k] = spare[k];
        spare[k] = old;
    }

    @Override
    public void beginAnew() {
        Arrays.fill(coupling, 0);
        onColumns.drawUnit(right, filled, found);
    }

    @Override
    public void beginBeside() {
        beside = 0;
        onColumns.drawUnit(right, filled, found);
    }

    /** Takes a step with {@code AᵀA}. */
    @Override
    public Step stepBeside() {
        int count = filled + Math.min(beside, 1) + 1;
        Dat w = right[count];
        operator.apply(right[count - 1].vector(), left[filled].vector());
        operator.applyTransposed(left[filled].vector(), w.vector());
        double length = onColumns.orthogonalise(w, right, filled, count, true, found).length();
        double diagonal = found[count - 1];
        if (length <= BREAKDOWN * onColumns.roundoff() * scale * scale) {
            length = 0;
        } else {
            onColumns.multiply(1 / length, w);
        }
        if (beside > 0) {
            Collections.rotate(Arrays.asList(right).subList(filled, count + 1), -1);
        }
        beside++;
        return new Step(diagonal, length);
    }

    @Override
    public Dat[] combine(double[][] q, int count) {
        onColumns.complete(spareRight, "sv", count);
        onRows.complete(spareLeft, "su", count);
        onColumns.transform(right, filled, q, spareRight, count);
        onRows.transform(left, filled, leftColumns, spareLeft, count);
        return spareRight;
    }

    /** Returns left vectors beside those that were combined last. */
    Dat[] combinedLeft() {
        return spareLeft;
    }

    @Override
    public double scale() {
        return scale;
    }

    @Override
    public void see(double magnitude) {
        scale = Math.max(scale, magnitude);
    }
}
