package org.trellis.solve.krylov;

import java.util.Arrays;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;
import org.trellis.solve.BasisLoops;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * GMRES(m) (Y. Saad and M. H. Schultz, SIAM J. Sci. Stat. Comput. 7(3), 1986) with right or left preconditioning, and
 * FGMRES(m), whose preconditioner may change from iteration to iteration (Y. Saad, SIAM J. Sci. Comput. 14(2), 1993).
 *
 * <p>LGMRES(m, k) (A. H. Baker, E. R. Jessup and T. Manteuffel, SIAM J. Matrix Anal. Appl. 26(4), 2005) adds to the
 * directions of a cycle the corrections that the k last cycles made, so that a cycle does not undo what the one before
 * it did. They are kept for the next system that is solved, together with the whole correction of the system before,
 * which is most of the solution where right-hand sides are similar (P. F. Fischer, Comput. Methods Appl. Mech. Eng.
 * 163, 1998).
 *
 * <p>A basis vector is made orthogonal by classical Gram-Schmidt in blocks of eight, and once more where that has left
 * less than 0.7 of its length (L. Giraud, J. Langou and M. Rozložník, Numer. Math. 101, 2005: twice is enough), or
 * always, or never. So iteration j moves, beside product and preconditioner, 2j + 3⌈j/8⌉ + 3 vectors, and nearly twice
 * that with the second time. The least squares problem of at most m unknowns is the host's: it fetches the new column
 * once an iteration, twice where that is made orthogonal again. The solution is formed at the end of a cycle.
 *
 * <p>With left preconditioning the norms recorded during a cycle are those of the preconditioned residual, brought to
 * the true one's scale at the beginning of the cycle; they only say when to look at the true one.
 */
final class Gmres extends KrylovSolver {
    /** When a vector is made orthogonal a second time. */
    enum Again {
        /** Where the first time has left less than 0.7 of the length. */
        NEEDED,
        /** At each iteration. */
        ALWAYS,
        /** Never. */
        NEVER
    }

    /** The square of what must be left of a vector's length: 1/√2. */
    private static final double LEFT_OVER = 0.5;
    /** Of the square of a vector's length: what is rounding alone. */
    private static final double ROUNDING_SHARE = 0x1p-100;
    /** Of the length of a product: what a direction that depends on others leaves. */
    private static final double DEPENDENT = 0x1p-20;

    /** The longest cycle, corrections among its directions. */
    private final int restart;
    /** The directions of a cycle that come from the Krylov space. */
    private final int krylov;
    private final boolean flexible;
    private final boolean left;
    private final Again again;
    private final Dat[] basis;
    /** Preconditioned basis vectors, if flexible; else one vector at most. */
    private final Dat[] preconditioned;
    /** Corrections of the last cycles, the latest first, then room for another. */
    private final Dat[] corrections;
    /** The sum of the corrections of this system. */
    private Dat whole;
    private boolean hasWhole;
    /** The directions of a cycle if there may be corrections among them. */
    private final Dat[] directions;
    private final Dat[] onlyOne = new Dat[1];
    private final DenseVector[] basisVectors;
    private final DenseVector[] preconditionedVectors;
    private final DenseVector residualView;
    private final BasisLoops loops;
    private final BasisLoops.Coefficients first;
    private final BasisLoops.Coefficients second;
    private final Scalars weights;
    private final HostVector weightsOnHost;
    private final BasisLoops.Coefficients weight;
    private final Scalar square;
    /** Columns of the triangle. */
    private final double[][] triangle;
    private final double[] cosines;
    private final double[] sines;
    private final double[] right;
    private ParallelLoop copy;
    private ParallelLoop normalise;
    private ParallelLoop norm;
    private ParallelLoop clear;
    private Dat work;
    private int column;
    /** How many corrections there are. */
    private int kept;
    private double scale;

    /**
     * Prepares the method.
     *
     * @param settings restart, side and when to make orthogonal again
     */
    Gmres(LinearOperator matrix, Preconditioner preconditioner, Backend backend, Settings settings) {
        super(settings.name(matrix.rows()), matrix, preconditioner, backend,
                2 * settings.cycle(matrix.rows()) + 1);
        restart = settings.cycle(matrix.rows());
        krylov = settings.restart(matrix.rows());
        flexible = settings.flexible();
        left = settings.left();
        again = settings.again();
        basis = new Dat[restart + 1];
        preconditioned = new Dat[preconditioner == null ? 0 : flexible ? krylov : 1];
        corrections = new Dat[settings.corrections() == 0 ? 0 : settings.corrections() + 1];
        directions = new Dat[settings.corrections() == 0 ? 0 : restart];
        basisVectors = new DenseVector[basis.length];
        preconditionedVectors = new DenseVector[preconditioned.length];
        residualView = residual.vector();
        loops = new BasisLoops(mesh, rows);
        first = new BasisLoops.Coefficients(scalars, 0, restart);
        second = new BasisLoops.Coefficients(scalars, restart, restart);
        square = scalars.at(2 * restart);
        weights = mesh.scalars("weights", restart);
        weightsOnHost = HostVector.zeros(Precision.F64, restart);
        weight = new BasisLoops.Coefficients(weights, 0, restart);
        triangle = new double[restart][restart + 1];
        cosines = new double[restart];
        sines = new double[restart];
        right = new double[restart + 1];
        prepare(this::make);
    }

    /**
     * What may be chosen.
     *
     * @param wanted   the length of a cycle
     * @param flexible whether the preconditioner may change
     * @param left     whether it is applied from the left
     * @param again    when a vector is made orthogonal a second time
     * @param corrections how many corrections of earlier cycles are directions of a cycle too; 0 but for LGMRES, whose
     *                    preconditioned directions are stored as those of FGMRES are
     */
    record Settings(int wanted, boolean flexible, boolean left, Again again, int corrections) {
        /** The length of a cycle for so many rows, of which there can be no longer ones. */
        int restart(int rows) {
            return Math.max(1, Math.min(wanted, rows));
        }

        /** The longest cycle. */
        int cycle(int rows) {
            return restart(rows) + corrections;
        }

        String name(int rows) {
            if (corrections > 0) {
                return "lgmres(" + restart(rows) + ", " + corrections + ")";
            }
            return (flexible ? "fgmres(" : "gmres(") + restart(rows) + ")" + (left ? " left" : "");
        }
    }

    private void make() {
        for (int j = 0; j < basis.length; j++) {
            basis[j] = vector("v" + j);
            basisVectors[j] = basis[j].vector();
        }
        for (int j = 0; j < preconditioned.length; j++) {
            preconditioned[j] = vector("z" + j);
            preconditionedVectors[j] = preconditioned[j].vector();
        }
        for (int j = 0; j < corrections.length; j++) {
            corrections[j] = vector("correction" + j);
        }
        whole = corrections.length > 0 ? vector("whole correction") : null;
        for (int j = 0; j < Math.min(krylov, directions.length); j++) {
            directions[j] = preconditioner == null ? basis[j] : preconditioned[j];
        }
        work = preconditioner != null && !flexible ? vector("work") : residual;
        copy = mesh.loop(KrylovUpdatesLoops.COPY, rows, residual, basis[0]);
        normalise = mesh.loop(KrylovUpdatesLoops.NORMALISE, rows, square, basis[0]);
        norm = mesh.loop(KrylovUpdatesLoops.SQUARE, rows, basis[0], square);
        clear = mesh.loop(KrylovUpdatesLoops.CLEAR, rows, work);
    }

    @Override
    boolean begin(double residualNorm) {
        column = 0;
        if (left && preconditioner != null) {
            preconditioner.apply(residualView, basisVectors[0]);
        } else {
            copy.run();
        }
        double length = Math.sqrt(norm(basis[0]));
        scale = length > 0 ? residualNorm / length : 1;
        if (!(length > 0) || length == Double.POSITIVE_INFINITY) {
            broken("the norm of the preconditioned residual is " + length);
            return false;
        }
        normalise.bind(square, basis[0]).run();
        Arrays.fill(right, 0);
        right[0] = length;
        return true;
    }

    private double norm(Dat of) {
        norm.bind(of, square).run();
        fetch();
        return values[2 * restart];
    }

    @Override
    Next iterate(ResidualHistory history) {
        int j = column;
        if (hasWhole && history.iterations() == 0) {
            keepWhole();
        }
        multiply(j);
        double before = orthogonalise(basis[j + 1], j);
        double after = values[2 * restart];
        double[] h = triangle[j];
        System.arraycopy(values, 0, h, 0, j + 1);
        if (again == Again.ALWAYS || (again == Again.NEEDED && after < LEFT_OVER * before)) {
            loops.dots(basis[j + 1], basis, 0, j + 1, second);
            loops.subtract(basis[j + 1], basis, 0, j + 1, second);
            after = norm(basis[j + 1]);
            for (int i = 0; i <= j; i++) {
                h[i] += values[restart + i];
            }
        }
        normalise.bind(square, basis[j + 1]).run();
        double next = Math.sqrt(after);
        boolean invariant = !(after > ROUNDING_SHARE * before);
        rotate(h, j, invariant ? 0 : next);
        if (j >= krylov && h[j] <= DEPENDENT * Math.sqrt(before)) {
            // The correction depends on the other directions, of which it is left out.
            add(history, scale * Math.abs(right[j]));
            return cycle("a cycle of " + j + " iterations");
        }
        if (h[j] == 0) {
            // Nothing of this column can be used: the matrix is singular on the space.
            add(history, scale * Math.abs(right[j]));
            return broken("the Hessenberg matrix is singular in column " + j + ": so is A M^-1, or M^-1");
        }
        column++;
        add(history, scale * Math.abs(right[column]));
        if (history.wantsTrueResidual() || !history.goesOn()) {
            return Next.ITERATION;
        }
        if (invariant) {
            return broken("the Krylov space holds no more vectors");
        }
        return column == krylov + kept ? cycle("a cycle of " + column + " iterations") : Next.ITERATION;
    }

    private void multiply(int j) {
        DenseVector target = basisVectors[j + 1];
        if (j >= krylov) {
            directions[j] = corrections[j - krylov];
            matrix.apply(directions[j].vector(), target);
        } else if (preconditioner == null) {
            matrix.apply(basisVectors[j], target);
        } else if (left) {
            matrix.apply(basisVectors[j], preconditionedVectors[0]);
            preconditioner.apply(preconditionedVectors[0], target);
        } else {
            DenseVector z = preconditionedVectors[flexible ? j : 0];
            preconditioner.apply(basisVectors[j], z);
            matrix.apply(z, target);
        }
    }

    /** Makes a vector orthogonal to the basis and fetches; returns the square of its length before. */
    private double orthogonalise(Dat w, int j) {
        loops.dots(w, basis, 0, j + 1, first);
        loops.subtract(w, basis, 0, j + 1, first);
        double before = norm(w);
        for (int i = 0; i <= j; i++) {
            before += values[i] * values[i];
        }
        return before;
    }

    private void rotate(double[] h, int j, double below) {
        for (int i = 0; i < j; i++) {
            double upper = cosines[i] * h[i] + sines[i] * h[i + 1];
            h[i + 1] = -sines[i] * h[i] + cosines[i] * h[i + 1];
            h[i] = upper;
        }
        double length = Math.hypot(h[j], below);
        cosines[j] = length == 0 ? 1 : h[j] / length;
        sines[j] = length == 0 ? 0 : below / length;
        h[j] = length;
        right[j + 1] = -sines[j] * right[j];
        right[j] *= cosines[j];
    }

    @Override
    void settle() {
        if (column == 0) {
            return;
        }
        double[] y = weightsOnHost.doubles();
        for (int i = column - 1; i >= 0; i--) {
            double sum = right[i];
            for (int k = i + 1; k < column; k++) {
                sum -= triangle[k][i] * y[k];
            }
            y[i] = sum / triangle[i][i];
        }
        Arrays.fill(y, column, restart, 0);
        weights.vector().copyFrom(weightsOnHost);
        if (corrections.length > 0) {
            correct();
        } else if (flexible && preconditioner != null) {
            loops.add(solution, preconditioned, 0, column, weight);
        } else if (preconditioner == null || left) {
            loops.add(solution, basis, 0, column, weight);
        } else {
            clear.run();
            loops.add(work, basis, 0, column, weight);
            preconditioner.apply(work.vector(), preconditionedVectors[0]);
            weights.set(0, 1);
            loops.add(solution, preconditioned, 0, 1, weight);
        }
        column = 0;
    }

    /** Adds what the cycle has found to the solution, and keeps it. */
    private void correct() {
        Dat found = corrections[corrections.length - 1];
        clear.bind(found).run();
        loops.add(found, directions, 0, column, weight);
        weights.set(0, 1);
        onlyOne[0] = found;
        loops.add(solution, onlyOne, 0, 1, weight);
        if (!hasWhole) {
            clear.bind(whole).run();
        }
        loops.add(whole, onlyOne, 0, 1, weight);
        hasWhole = true;
        keep(found);
    }

    /** Makes the correction of the whole system before one of the corrections that are kept. */
    private void keepWhole() {
        Dat room = corrections[corrections.length - 1];
        corrections[corrections.length - 1] = whole;
        if (keep(whole)) {
            whole = room;
        } else {
            corrections[corrections.length - 1] = room;
        }
        hasWhole = false;
    }

    /** Makes the last of the corrections the first, unless it is zero. */
    private boolean keep(Dat found) {
        double length = norm(found);
        if (!(length > 0) || length == Double.POSITIVE_INFINITY) {
            return false;
        }
        normalise.bind(square, found).run();
        System.arraycopy(corrections, 0, corrections, 1, corrections.length - 1);
        corrections[0] = found;
        kept = Math.min(kept + 1, corrections.length - 1);
        return true;
    }
}
