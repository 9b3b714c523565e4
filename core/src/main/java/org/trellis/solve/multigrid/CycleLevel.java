package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/** A level on the backend: products, smoother, and vectors of the mesh on which cycles run. */
final class CycleLevel implements AutoCloseable {

    private final int index;
    /** Null where only an operator is given. */
    private final SparseMatrix matrix;
    private final Precision precision;
    private final List<Runnable> closing = new ArrayList<>();
    private final MeshSet rows;
    /** Null where only a solution is given. */
    private final LinearOperator product;
    private Dat x;
    private Dat b;
    private Dat r;
    /** Null where no K-cycle solves this level. */
    private KrylovVectors krylov;
    private LinearOperator prolongation;
    private LinearOperator restriction;
    private Smoother smoother;
    /** On the bottom level, else null. */
    private LowestSolution lowest;

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

    private CycleLevel(int index, Smoother solution, Mesh mesh) {
        this.index = index;
        this.matrix = null;
        this.precision = solution.precision();
        this.product = null;
        this.rows = mesh.set("level " + index, solution.rows());
        this.lowest = new LowestSolution.Given(solution);
    }

    /** Takes a bottom level whose solution is given. */
    static CycleLevel of(int index, Smoother solution, Mesh mesh) {
        CycleLevel level = new CycleLevel(index, solution, mesh);
        level.x = level.vector(mesh, "x");
        level.b = level.vector(mesh, "b");
        return level;
    }

    /** Takes a level whose operators and smoother are given. */
    static CycleLevel of(int index, OperatorLevel given, Mesh mesh, boolean krylov) {
        CycleLevel level = new CycleLevel(index, given, mesh);
        level.x = level.vector(mesh, "x");
        level.b = level.vector(mesh, "b");
        level.addWork(mesh, krylov);
        return level;
    }

    /** Prepares a level; of the coarsest matrix the inverse may have been begun. */
    static CycleLevel of(int index, HierarchyLevel from, CoarseInverse coarse, Mesh mesh, MultigridParts parts,
            boolean krylov, SetupTimes times, List<String> remarks) {
        SpmvOperator product = times.time(SetupPhase.TRANSFER, () -> parts.product(from.stored()));
        CycleLevel level = new CycleLevel(index, from.stored(), mesh, product);
        try {
            level.prepare(from, coarse, mesh, parts, krylov, times, remarks);
        } catch (RuntimeException | Error e) {
            level.close();
            throw e;
        }
        return level;
    }

    private void prepare(HierarchyLevel from, CoarseInverse coarse, Mesh mesh, MultigridParts parts, boolean krylov,
            SetupTimes times, List<String> remarks) {
        x = vector(mesh, "x");
        b = vector(mesh, "b");
        if (from.isCoarsest()) {
            CoarseSolution solution = CoarseSolution.of(index, coarse, parts, (SpmvOperator) product, times, remarks);
            lowest = own(solution, solution::close);
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
        if (krylov && index > 0) {
            this.krylov = new KrylovVectors(mesh, rows, b, x, vector(mesh, "c"), vector(mesh, "v"), vector(mesh, "w"),
                    mesh.scalars("scalars of level " + index, KrylovSteps.SUMS));
        }
    }

    private Dat vector(Mesh mesh, String name) {
        return mesh.dat(name + " of level " + index, rows, 1, precision);
    }

    private SpmvOperator operator(MultigridParts parts, SparseMatrix of, SetupTimes times) {
        SpmvOperator operator = times.time(SetupPhase.TRANSFER, () -> parts.transfer(of));
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
        return lowest != null;
    }

    Dat x() {
        return x;
    }

    Dat b() {
        return b;
    }

    KrylovVectors krylov() {
        return krylov;
    }

    DenseVector residual() {
        return r.vector();
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

    LowestSolution lowest() {
        return lowest;
    }

    /** Says what is done here. */
    String smootherInWords() {
        return isCoarsest() ? lowest.toString() : smoother.describe();
    }

    /** Returns the bytes of matrices, smoother and vectors. */
    long bytes() {
        long vectors = (isCoarsest() ? 2 : krylov == null ? 3 : 6) * (long) rows.size() * precision.bytes();
        if (isCoarsest()) {
            return (product == null ? 0 : bytes(product)) + lowest.bytes() + vectors;
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
