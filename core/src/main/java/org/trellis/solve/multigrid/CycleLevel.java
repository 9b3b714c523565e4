package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalars;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/** A level on the backend: products, smoother, and vectors of the mesh on which cycles run. */
final class CycleLevel implements AutoCloseable {
    private static final int SCALARS = 6;

    private final int index;
    /** Null where only an operator is given. */
    private final SparseMatrix matrix;
    private final Precision precision;
    private final List<Runnable> closing = new ArrayList<>();
    private final MeshSet rows;
    private final LinearOperator product;
    private Dat x;
    private Dat b;
    private Dat r;
    private Dat c;
    private Dat v;
    private Dat w;
    private Scalars scalars;
    private LinearOperator prolongation;
    private LinearOperator restriction;
    private Smoother smoother;
    private CoarseSolution coarse;

    private CycleLevel(int index, SparseMatrix matrix, Mesh mesh, SpmvOperator product) {
        this.index = index;
        this.matrix = matrix;
        this.precision = matrix.precision();
        this.product = own(product, product::close);
        this.rows = mesh.set("level " + index, matrix.rows());
    }

    private CycleLevel(int index, OperatorLevel given, Mesh mesh) {
        this.index = index;
        this.matrix = null;
        this.precision = given.operator().precision();
        this.product = given.operator();
        this.rows = mesh.set("level " + index, given.operator().rows());
        this.prolongation = given.prolongation();
        this.restriction = given.restriction();
        this.smoother = given.smoother();
    }

    /** Takes a level whose operators and smoother are somebody else's. */
    static CycleLevel of(int index, OperatorLevel given, Mesh mesh, boolean krylov) {
        CycleLevel level = new CycleLevel(index, given, mesh);
        level.x = level.vector(mesh, "x");
        level.b = level.vector(mesh, "b");
        level.addWork(mesh, krylov);
        return level;
    }

    /** Prepares a level. */
    static CycleLevel of(int index, HierarchyLevel from, Mesh mesh, MultigridParts parts, boolean krylov,
            SetupTimes times, List<String> remarks) {
        SpmvOperator product = times.time(SetupPhase.TRANSFER, () -> parts.product(from.stored()));
        CycleLevel level = new CycleLevel(index, from.stored(), mesh, product);
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
        if (from.isCoarsest()) {
            CoarseSolution solution =
                    CoarseSolution.of(index, matrix.toCsr(), parts, (SpmvOperator) product, times, remarks);
            coarse = own(solution, solution::close);
            return;
        }
        prolongation = operator(parts, from.storedProlongation(), times);
        restriction = operator(parts, from.storedRestriction(), times);
        Smoother made =
                times.time(SetupPhase.SMOOTHERS, () -> parts.smoother(index, matrix, (SpmvOperator) product));
        smoother = own(made, made::close);
        addWork(mesh, krylov);
    }

    private void addWork(Mesh mesh, boolean krylov) {
        r = vector(mesh, "r");
        scalars = mesh.scalars("scalars of level " + index, SCALARS);
        if (krylov && index > 0) {
            c = vector(mesh, "c");
            v = vector(mesh, "v");
            w = vector(mesh, "w");
        }
    }

    private Dat vector(Mesh mesh, String name) {
        return mesh.dat(name + " of level " + index, rows, 1, precision);
    }

    private SpmvOperator operator(MultigridParts parts, SparseMatrix of, SetupTimes times) {
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

    SparseMatrix matrix() {
        return matrix;
    }

    int size() {
        return rows.size();
    }

    /** Says how the product is run. */
    String productInWords() {
        return inWords(product);
    }

    /** Says how products with a matrix are run. */
    static String inWords(LinearOperator operator) {
        return operator instanceof SpmvOperator prepared ? prepared.parameters().toString() : operator.toString();
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

    LinearOperator product() {
        return product;
    }

    LinearOperator prolongation() {
        return prolongation;
    }

    LinearOperator restriction() {
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
        long vectors = (isCoarsest() ? 2 : c == null ? 3 : 6) * (long) rows.size() * precision.bytes();
        if (isCoarsest()) {
            return bytes(product) + coarse.bytes() + vectors;
        }
        return bytes(product) + bytes(prolongation) + bytes(restriction) + smoother.storedBytes() + vectors;
    }

    /** Operators that are no matrices hold what is not known here. */
    private static long bytes(LinearOperator operator) {
        return operator instanceof SpmvOperator prepared ? prepared.preparedBytes() : 0;
    }

    @Override
    public void close() {
        for (int i = closing.size() - 1; i >= 0; i--) {
            closing.get(i).run();
        }
        closing.clear();
    }
}
