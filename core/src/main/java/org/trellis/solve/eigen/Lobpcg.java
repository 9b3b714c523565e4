package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.LinearOperator;

/**
 * The locally optimal block preconditioned conjugate gradient method (A. V. Knyazev, SIAM J. Sci. Comput. 23, 2001) for
 * the smallest or largest eigenvalues of {@code A x = λ B x}. The basis [X P W] of iterates, directions and
 * preconditioned residuals stays orthonormal: directions are made so by their coefficients (U. Hetmaniuk, R. Lehoucq,
 * "Basis selection in LOBPCG", J. Comput. Phys. 218, 2006), residuals by two passes of Gram–Schmidt and by the
 * eigenvectors of their Gram matrix, which show what depends on what (A. Stathopoulos, K. Wu, SIAM J. Sci. Comput. 23,
 * 2002). Pairs that have converged stay in the basis, but get no residuals any more.
 *
 * <p>An iteration has a product and an application of the preconditioner for each pair that has not converged; with k
 * pairs in a block it moves some {@code 10 k²/8 + 40 k} vectors beside.
 */
final class Lobpcg {
    /** Units of rounding that the norm of a residual over that of A cannot fall below. */
    private static final int ROUNDINGS = 8;
    /** What counts as dependent, of the length of a unit vector. */
    private static final double DEPENDENT = 64;

    private final VectorSet vectors;
    private final CountedProduct operator;
    private final LinearOperator mass;
    private final Preconditioner preconditioner;
    private final Dat[] deflated;
    private final Search search;
    private final int block;
    /** Three groups of vectors: themselves, times A, and times B, which are themselves if there is no B. */
    private final Dat[][] basis;
    private final Dat[][] next;
    private final Dat[] rebuilt;
    private double[] values;
    private double[] residuals;
    private double[] weights;
    private double scale;
    private int directions;
    private int iterations;

    /**
     * What is looked for.
     *
     * @param which     which end of the spectrum
     * @param count     how many
     * @param block     vectors of a block, at least as many
     * @param tolerance of a residual over the eigenvalue
     * @param maximum   products
     */
    record Search(Which which, int count, int block, double tolerance, int maximum) {}

    Lobpcg(VectorSet vectors, CountedProduct operator, LinearOperator mass, Preconditioner preconditioner,
            Dat[] deflated, Search search) {
        this.vectors = vectors;
        this.operator = operator;
        this.mass = mass;
        this.preconditioner = preconditioner;
        this.deflated = deflated;
        this.search = search;
        this.block = search.block();
        int groups = mass == null ? 2 : 3;
        basis = new Dat[groups][];
        next = new Dat[groups][];
        for (int g = 0; g < groups; g++) {
            basis[g] = vectors.vectors("basis" + g + "-", 3 * block);
            next[g] = vectors.vectors("next" + g + "-", 2 * block);
        }
        rebuilt = vectors.vectors("rebuilt", block);
    }

    /** Returns the vectors of a basis that this needs. */
    static int room(int deflated, int block) {
        return Math.max(deflated, 3 * block);
    }

    /**
     * Searches.
     *
     * @param start the first vector of the block, or null
     * @return vectors, the most requested first
     */
    Dat[] run(double[] start) {
        for (int j = 0; j < block; j++) {
            vectors.draw(basis[0][j]);
        }
        if (start != null) {
            vectors.load(basis[0][0],
                    HostVector.of(start).convert(basis[0][0].precision()));
        }
        begin();
        boolean fresh = true;
        while (true) {
            int active = residuals();
            boolean done = converged();
            boolean over = operator.count() >= search.maximum();
            if (over || (fresh && (done || active == 0))) {
                return Arrays.copyOf(basis[0], block);
            }
            if (done || active == 0) {
                begin(); // products that were combined are computed anew before anything is believed
                fresh = true;
                continue;
            }
            fresh = false;
            int added = orthonormalise(block + directions, active);
            for (int j = 0; j < added; j++) {
                multiply(block + directions + j);
            }
            if (added == 0 && directions == 0) {
                return Arrays.copyOf(basis[0], block);
            }
            improve(block + directions + added);
            iterations++;
        }
    }

    /** Makes the iterates orthonormal, multiplies them, and finds the best combinations. */
    private void begin() {
        directions = 0;
        int found = orthonormalise(0, block);
        for (int attempt = 0; found < block && attempt < 3; attempt++) {
            for (int j = found; j < block; j++) {
                vectors.draw(basis[0][j]);
            }
            found += orthonormalise(found, block - found);
        }
        if (found < block) {
            throw new IllegalArgumentException("LOBPCG with a block of " + block + " vectors, of which only " + found
                    + " are linearly independent, expected a smaller number of eigenvalues");
        }
        for (int j = 0; j < block; j++) {
            multiply(j);
        }
        improve(block);
        directions = 0;
    }

    private void multiply(int j) {
        operator.apply(basis[0][j].vector(), basis[1][j].vector());
    }

    private void weigh(int j) {
        if (mass != null) {
            mass.apply(basis[0][j].vector(), basis[2][j].vector());
        }
    }

    private Dat weighted(int j) {
        return basis[mass == null ? 0 : 2][j];
    }

    /** Puts preconditioned residuals of what has not converged behind the directions; returns how many. */
    private int residuals() {
        residuals = new double[block];
        weights = new double[block];
        int place = block + directions;
        int active = 0;
        Dat residual = next[0][0];
        for (int j = 0; j < block; j++) {
            vectors.update(1, basis[1][j], 0, residual);
            vectors.update(-values[j], weighted(j), 1, residual);
            double length = mass == null ? 1 : vectors.norm(basis[0][j]);
            residuals[j] = vectors.norm(residual) / length;
            weights[j] = mass == null ? 1 : vectors.norm(basis[2][j]) / length;
            if (residuals[j] <= limit(j)) {
                continue;
            }
            Dat to = basis[0][place + active];
            if (preconditioner == null) {
                vectors.update(1, residual, 0, to);
            } else {
                preconditioner.apply(residual.vector(), to.vector());
            }
            active++;
        }
        return active;
    }

    private double limit(int j) {
        return Math.max(search.tolerance() * Math.abs(values[j]) * weights[j],
                ROUNDINGS * vectors.roundoff() * scale);
    }

    private boolean converged() {
        for (int j = 0; j < search.count(); j++) {
            if (!(residuals[j] <= limit(j))) {
                return false;
            }
        }
        return true;
    }

    /** Makes vectors orthonormal and orthogonal to those before; returns how many are left. */
    private int orthonormalise(int from, int count) {
        int left = normalise(from, count);
        for (int pass = 0; pass < 3 && left > 0; pass++) {
            for (int j = from; j < from + left; j++) {
                weigh(j);
                Dat w = basis[0][j];
                vectors.subtract(weighted(j), w, deflated, deflated.length, new double[deflated.length]);
                weigh(j);
                vectors.subtract(weighted(j), w, basis[0], from, new double[from]);
            }
            left = pass == 0 ? normalise(from, left) : left;
            left = untangle(from, left, pass);
        }
        return left;
    }

    /** Gives vectors the length 1; those of no length go. */
    private int normalise(int from, int count) {
        int left = 0;
        for (int j = from; j < from + count; j++) {
            double length = vectors.norm(basis[0][j]);
            if (length > 0 && Double.isFinite(length)) {
                vectors.multiply(1 / length, basis[0][j]);
                swap(basis[0], j, from + left);
                left++;
            }
        }
        return left;
    }

    private static void swap(Dat[] all, int i, int j) {
        Dat kept = all[i];
        all[i] = all[j];
        all[j] = kept;
    }

    /** Replaces vectors by combinations that are orthonormal; those that depend on others go. */
    private int untangle(int from, int count, int pass) {
        double[][] gram = new double[count][count];
        for (int j = 0; j < count; j++) {
            weigh(from + j);
            double[] row = products(weighted(from + j), from, count);
            System.arraycopy(row, 0, gram[j], 0, count);
        }
        symmetrise(gram);
        SymmetricEigen small = new SymmetricEigen(gram);
        double largest = 0;
        for (int k = 0; k < count; k++) {
            largest = Math.max(largest, small.value(k));
        }
        double least = DEPENDENT * vectors.roundoff() * (pass == 0 ? largest : 1);
        int[] kept = IntStream.range(0, count).filter(k -> small.value(k) > least).toArray();
        double[][] q = new double[count][kept.length];
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < kept.length; k++) {
                q[i][k] = small.vector(i, kept[k]) / Math.sqrt(small.value(kept[k]));
            }
        }
        vectors.transform(Arrays.copyOfRange(basis[0], from, from + count), count, q, rebuilt, kept.length);
        for (int k = 0; k < kept.length; k++) {
            Dat old = basis[0][from + k];
            basis[0][from + k] = rebuilt[k];
            rebuilt[k] = old;
            weigh(from + k);
        }
        return kept.length;
    }

    private double[] products(Dat with, int from, int count) {
        // A vector is not multiplied with itself by the loops of a basis.
        double[] row = new double[count];
        int self = IntStream.range(0, count).filter(k -> basis[0][from + k].equals(with)).findFirst().orElse(-1);
        if (self < 0) {
            return vectors.dots(with, Arrays.copyOfRange(basis[0], from, from + count), count);
        }
        double[] first = vectors.dots(with, Arrays.copyOfRange(basis[0], from, from + self), self);
        double[] rest = vectors.dots(with, Arrays.copyOfRange(basis[0], from + self + 1, from + count),
                count - self - 1);
        System.arraycopy(first, 0, row, 0, self);
        row[self] = vectors.dot(with, with);
        System.arraycopy(rest, 0, row, self + 1, rest.length);
        return row;
    }

    private static void symmetrise(double[][] a) {
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < i; j++) {
                double mean = (a[i][j] + a[j][i]) / 2;
                a[i][j] = mean;
                a[j][i] = mean;
            }
        }
    }

    /** Finds the best iterates in the basis, and directions to them. */
    private void improve(int size) {
        double[][] projected = new double[size][];
        for (int j = 0; j < size; j++) {
            projected[j] = products(basis[1][j], 0, size);
            for (double product : projected[j]) {
                operator.requireFinite(product);
            }
        }
        symmetrise(projected);
        SymmetricEigen small = new SymmetricEigen(projected);
        int[] order = IntStream.range(0, size).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> -search.which().rank(small.value(k))))
                .mapToInt(Integer::intValue).toArray();
        values = new double[block];
        double[][] q = new double[size][2 * block];
        for (int k = 0; k < size; k++) {
            double value = small.value(order[k]);
            scale = Math.max(scale, Math.abs(value));
            if (k < block) {
                values[k] = value;
                for (int i = 0; i < size; i++) {
                    q[i][k] = small.vector(i, order[k]);
                }
            }
        }
        int made = size == block ? 0 : directions(q, size);
        for (int g = 0; g < basis.length; g++) {
            vectors.transform(basis[g], size, q, next[g], block + made);
            for (int k = 0; k < block + made; k++) {
                Dat old = basis[g][k];
                basis[g][k] = next[g][k];
                next[g][k] = old;
            }
        }
        directions = made;
    }

    /** Adds columns for directions: what iterates have of the rest of the basis, orthogonal to all iterates. */
    private int directions(double[][] q, int size) {
        int made = 0;
        for (int k = 0; k < block; k++) {
            double[] z = new double[size];
            double before = 0;
            for (int i = block; i < size; i++) {
                z[i] = q[i][k];
                before += z[i] * z[i];
            }
            before = Math.sqrt(before);
            double left = before;
            for (int pass = 0; pass < 2 && left > 0; pass++) {
                left = takeOff(q, z, block + made);
            }
            if (left > 1e-8 * before && before > vectors.roundoff()) {
                for (int i = 0; i < size; i++) {
                    q[i][block + made] = z[i] / left;
                }
                made++;
            }
        }
        return made;
    }

    private static double takeOff(double[][] q, double[] z, int columns) {
        for (int c = 0; c < columns; c++) {
            double product = 0;
            for (int i = 0; i < z.length; i++) {
                product += q[i][c] * z[i];
            }
            for (int i = 0; i < z.length; i++) {
                z[i] -= product * q[i][c];
            }
        }
        double square = 0;
        for (double element : z) {
            square += element * element;
        }
        return Math.sqrt(square);
    }

    double scale() {
        return scale;
    }

    int iterations() {
        return iterations;
    }
}
