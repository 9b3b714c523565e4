package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * Symmetric Gauss–Seidel, {@code M = (L + D) D⁻¹ (L + D)ᵀ}, in the order of colours (thesis, algorithm 6), of an
 * operator that is known by its products and its diagonal only: unknowns of one element have different colours, so the
 * rows of a colour need the product of the others alone. An application takes two products for each colour: with a
 * matrix in compressed rows the smoother {@code ssor} of {@link org.trellis.solve.smooth.Preconditioners} takes two
 * altogether, and is to be preferred.
 */
public final class ColouredSsor extends CheckedOperator implements Preconditioner {
    private final LinearOperator operator;
    private final ElementKernels elements;
    private final Mesh mesh;
    private final Dat r;
    private final Dat y;
    private final Dat z;
    private final Dat t;
    private final Global now;
    private final ParallelLoop forward;
    private final ParallelLoop backward;
    private final int colours;

    @SuppressWarnings("MustBeClosed") // closed with this
    private ColouredSsor(LinearOperator operator, double[] colour, Backend backend) {
        this.operator = operator;
        this.elements = backend.kernels(ElementKernels.class);
        this.colours = (int) Arrays.stream(colour).max().orElse(0) + 1;
        HostVector diagonal = FormPreconditioners.diagonal(operator).diagonal();
        double[] inverse = new double[diagonal.length()];
        for (int row = 0; row < inverse.length; row++) {
            if (!(diagonal.get(row) > 0)) {
                throw new IllegalArgumentException("SSOR of " + operator + ": diagonal element of row " + row + " is "
                        + diagonal.get(row) + ", expected a positive one");
            }
            inverse[row] = 1 / diagonal.get(row);
        }
        mesh = Mesh.on(backend);
        MeshSet rows = mesh.set("rows", inverse.length);
        Dat ofRows = mesh.dat("colours", rows, 1, operator.precision(), colour);
        Dat d = mesh.dat("inverse diagonal", rows, 1, operator.precision(), inverse);
        r = mesh.dat("r", rows, 1, operator.precision());
        y = mesh.dat("y", rows, 1, operator.precision());
        z = mesh.dat("z", rows, 1, operator.precision());
        t = mesh.dat("t", rows, 1, operator.precision());
        now = mesh.global("colour", 0);
        forward = mesh.loop(FormUpdatesLoops.FORWARD, rows, now, ofRows, d, r, t, y);
        backward = mesh.loop(FormUpdatesLoops.BACKWARD, rows, now, ofRows, d, y, t, z);
    }

    /**
     * Prepares the preconditioner of a system.
     *
     * @param system  a symmetric system with constraints eliminated; not closed with the preconditioner
     * @param backend its backend
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException if a diagonal element is not positive; names the row
     */
    @MustBeClosed
    public static ColouredSsor of(FormSystem system, Backend backend) {
        return new ColouredSsor(system.operator(), colours(system.unknowns(), system.size()), backend);
    }

    /** Colours unknowns first-fit, so that those of one element differ. */
    static double[] colours(Unknowns unknowns, int rows) {
        int perCell = unknowns.perCell();
        int[] ofCells = unknowns.ofCells();
        int[] offsets = new int[rows + 1];
        for (int unknown : ofCells) {
            if (unknown < rows) {
                offsets[unknown + 1]++;
            }
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] cells = new int[offsets[rows]];
        int[] next = Arrays.copyOf(offsets, rows);
        for (int k = 0; k < ofCells.length; k++) {
            if (ofCells[k] < rows) {
                cells[next[ofCells[k]]++] = k / perCell;
            }
        }
        double[] colour = new double[rows];
        Arrays.fill(colour, -1);
        int[] taken = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                for (int j = 0; j < perCell; j++) {
                    int other = ofCells[cells[k] * perCell + j];
                    if (other < rows && colour[other] >= 0) {
                        taken[(int) colour[other]] = row + 1;
                    }
                }
            }
            int free = 0;
            while (taken[free] == row + 1) {
                free++;
            }
            colour[row] = free;
        }
        return colour;
    }

    /**
     * Returns the number of colours.
     *
     * @return at least as many as an element has free unknowns
     */
    public int colours() {
        return colours;
    }

    @Override
    public VectorSpace domain() {
        return operator.domain();
    }

    @Override
    public VectorSpace range() {
        return operator.range();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector into) {
        elements.update(1, null, x, 0, r.vector());
        y.fill(0);
        z.fill(0);
        for (int colour = 0; colour < colours; colour++) {
            step(forward, colour, colour > 0, y);
        }
        for (int colour = colours - 1; colour >= 0; colour--) {
            step(backward, colour, colour < colours - 1, z);
        }
        elements.update(alpha, null, z.vector(), beta, into);
    }

    private void step(ParallelLoop loop, int colour, boolean others, Dat done) {
        if (others) {
            operator.apply(1, done.vector().part(0, done.set().size()), 0, t.vector().part(0, t.set().size()));
        } else {
            t.fill(0);
        }
        now.set(colour);
        loop.run();
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector into) {
        run(alpha, x, beta, into);
    }

    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    protected void release() {
        mesh.close();
    }

    @Override
    public String toString() {
        return "ssor by products, " + colours + " colours";
    }
}
