package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * Sweeps by a whole product for each colour and direction, of an operator of which nothing else is known. Correct for
 * all, and as many times a product as there are colours.
 */
final class ProductSweeps implements ColourSweeps {
    private final LinearOperator operator;
    private final ElementKernels elements;
    private final int colours;
    private final Mesh mesh;
    private final Dat r;
    private final Dat y;
    private final Dat z;
    private final Dat t;
    private final Global now;
    private final ParallelLoop forward;
    private final ParallelLoop backward;

    @SuppressWarnings("MustBeClosed") // closed with this
    ProductSweeps(LinearOperator operator, RowColours colours, double[] inverse, Backend backend) {
        this.operator = operator;
        this.elements = backend.kernels(ElementKernels.class);
        this.colours = colours.count();
        double[] colour = new double[inverse.length];
        for (int c = 0; c < colours.count(); c++) {
            for (int k = colours.offsets()[c]; k < colours.offsets()[c + 1]; k++) {
                colour[colours.order()[k]] = c;
            }
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

    /** Returns a step that copies what it is given; {@code room} is not used, since loops have their own. */
    @Override
    @MustBeClosed
    public PreparedStep bind(DenseVector from, DenseVector room, DenseVector into) {
        return () -> {
            elements.update(1, null, from, 0, r.vector());
            y.fill(0);
            z.fill(0);
            for (int colour = 0; colour < colours; colour++) {
                step(forward, colour, colour > 0, y);
            }
            for (int colour = colours - 1; colour >= 0; colour--) {
                step(backward, colour, colour < colours - 1, z);
            }
            elements.update(1, null, z.vector(), 0, into);
        };
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
    public void close() {
        mesh.close();
    }

    @Override
    public String toString() {
        return "by products";
    }
}
