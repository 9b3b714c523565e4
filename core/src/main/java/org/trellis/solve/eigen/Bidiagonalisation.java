package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Collections;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;

/**
 * A bidiagonalisation {@code A V = U B}, {@code Aᵀ U = V Bᵀ + v bᵀ} with orthonormal bases (G. Golub, W. Kahan, SIAM J.
 * Numer. Anal. 2, 1965), which is contracted to some singular vectors of B (J. Baglama, L. Reichel, SIAM J. Sci.
 * Comput. 27, 2005). Both bases are kept orthogonal to rounding.
 */
final class Bidiagonalisation implements Decomposition {
    /** Of the norm of the operator: what is rounding alone, in units of rounding. */
    private static final int BREAKDOWN = 64;

    private final VectorSet onColumns;
    private final VectorSet onRows;
    private final CountedProduct operator;
    private final int dimension;
    private final Dat[] right;
    private final Dat[] left;
    private final Dat[] spareRight;
    private final Dat[] spareLeft;
    private final double[][] projected;
    private final double[] coupling;
    private final double[] found;
    /** Left singular vectors of the projected matrix. */
    private double[][] leftColumns = {};
    private double scale;
    private int filled;
    /** Steps in the complement of the right vectors. */
    private int beside;

    Bidiagonalisation(VectorSet onColumns, VectorSet onRows, CountedProduct operator, int dimension, int kept) {
        this.onColumns = onColumns;
        this.onRows = onRows;
        this.operator = operator;
        this.dimension = dimension;
        this.right = onColumns.vectors("v", dimension + 1);
        this.left = onRows.vectors("u", dimension);
        this.spareRight = onColumns.vectors("sv", kept);
        this.spareLeft = onRows.vectors("su", kept);
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
        VectorSet.Left rest = onRows.orthogonalise(left[j], left, j > from ? j - 1 : 0, j, true, found);
        see(length(rest, j));
        for (int i = 0; i < j; i++) {
            projected[i][j] = j == from || i == j - 1 ? coupling[i] : 0;
        }
        projected[j][j] = normalise(onRows, left, j, rest.length());
        operator.applyTransposed(left[j].vector(), right[j + 1].vector());
        rest = onColumns.orthogonalise(right[j + 1], right, j, j + 1, true, found);
        see(length(rest, j + 1));
        Arrays.fill(coupling, 0);
        coupling[j] = normalise(onColumns, right, j + 1, rest.length());
    }

    private double length(VectorSet.Left rest, int count) {
        double square = rest.length() * rest.length();
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
