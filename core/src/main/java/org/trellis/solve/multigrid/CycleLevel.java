package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalars;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/** A level on the backend: products, smoother, and vectors of the mesh on which cycles run. */
final class CycleLevel implements AutoCloseable {
    private static final int SCALARS = 6;

    private final int index;
    private final CsrMatrix matrix;
    private final List<Runnable> closing = new ArrayList<>();
    private final MeshSet rows;
    private final SpmvOperator product;
    private Dat x;
    private Dat b;
    private Dat r;
    private Dat c;
    private Dat v;
    private Dat w;
    private Scalars scalars;
    private SpmvOperator prolongation;
    private SpmvOperator restriction;
    private Smoother smoother;
    private CoarseSolution coarse;

    private CycleLevel(int index, CsrMatrix matrix, Mesh mesh, SpmvOperator product) {
        this.index = index;
        this.matrix = matrix;
        this.product = own(product, product::close);
        this.rows = mesh.set("level " + index, matrix.rows());
    }

    /** Prepares a level. */
    static CycleLevel of(int index, HierarchyLevel from, Mesh mesh, MultigridParts parts, boolean krylov,
            SetupTimes times, List<String> remarks) {
        SpmvOperator product = times.time(SetupPhase.TRANSFER, () -> parts.product(from.matrix()));
        CycleLevel level = new CycleLevel(index, from.matrix(), mesh, product);
        try {
            level.prepare(from, mesh, parts, krylov, times, remarks);
        } catch (RuntimeException | Error e) {
            level.close();
            throw e;
        }
        return level;
    }

    private void prepare(HierarchyLevel from, Mesh mesh, MultigridParts parts, boolean krylov, SetupTimes times,
            List<String> remarks) {
        x = vector(mesh, "x");
        b = vector(mesh, "b");
        if (from.prolongation().isEmpty()) {
            CoarseSolution solution = CoarseSolution.of(index, matrix, parts, product, times, remarks);
            coarse = own(solution, solution::close);
            return;
        }
        prolongation = operator(parts, from.prolongation().orElseThrow(), times);
        restriction = operator(parts, from.restriction().orElseThrow(), times);
        Smoother made = times.time(SetupPhase.SMOOTHERS, () -> parts.smoother(index, matrix, product));
        smoother = own(made, made::close);
        r = vector(mesh, "r");
        scalars = mesh.scalars("scalars of level " + index, SCALARS);
        if (krylov && index > 0) {
            c = vector(mesh, "c");
            v = vector(mesh, "v");
            w = vector(mesh, "w");
        }
    }

    private Dat vector(Mesh mesh, String name) {
        return mesh.dat(name + " of level " + index, rows, 1, matrix.precision());
    }

    private SpmvOperator operator(MultigridParts parts, CsrMatrix of, SetupTimes times) {
        SpmvOperator operator = times.time(SetupPhase.TRANSFER, () -> parts.product(of));
        return own(operator, operator::close);
    }

    private <T> T own(T resource, Runnable close) {
        closing.add(close);
        return resource;
    }

    int index() {
        return index;
    }

    CsrMatrix matrix() {
        return matrix;
    }

    boolean isCoarsest() {
        return coarse != null;
    }

    MeshSet rows() {
        return rows;
    }

    Dat x() {
        return x;
    }

    Dat b() {
        return b;
    }

    /** The first correction of a K-cycle. */
    Dat c() {
        return c;
    }

    /** The product with the first correction. */
    Dat v() {
        return v;
    }

    /** The product with the second correction. */
    Dat w() {
        return w;
    }

    DenseVector residual() {
        return r.vector();
    }

    Scalars scalars() {
        return scalars;
    }

    SpmvOperator product() {
        return product;
    }

    SpmvOperator prolongation() {
        return prolongation;
    }

    SpmvOperator restriction() {
        return restriction;
    }

    Smoother smoother() {
        return smoother;
    }

    CoarseSolution coarse() {
        return coarse;
    }

    /** Returns the bytes of matrices, smoother and vectors. */
    long bytes() {
        long vectors = (isCoarsest() ? 2 : c == null ? 3 : 6) * (long) matrix.rows() * matrix.precision().bytes();
        if (isCoarsest()) {
            return product.preparedBytes() + coarse.bytes() + vectors;
        }
        return product.preparedBytes() + prolongation.preparedBytes() + restriction.preparedBytes()
                + smoother.storedBytes() + vectors;
    }

    @Override
    public void close() {
        for (int i = closing.size() - 1; i >= 0; i--) {
            closing.get(i).run();
        }
        closing.clear();
    }
}
