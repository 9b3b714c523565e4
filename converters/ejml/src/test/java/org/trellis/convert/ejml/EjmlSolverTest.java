package org.trellis.convert.ejml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.ejml.LinearSolverSparseSafe;
import org.ejml.MatrixDimensionException;
import org.ejml.UtilEjml;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.data.DMatrixSparseTriplet;
import org.ejml.dense.row.MatrixFeatures_DDRM;
import org.ejml.dense.row.RandomMatrices_DDRM;
import org.ejml.interfaces.linsol.LinearSolverSparse;
import org.ejml.ops.DConvertMatrixStruct;
import org.ejml.sparse.FillReducing;
import org.ejml.sparse.csc.CommonOps_DSCC;
import org.ejml.sparse.csc.NormOps_DSCC;
import org.ejml.sparse.csc.RandomMatrices_DSCC;
import org.ejml.sparse.csc.factory.LinearSolverFactory_DSCC;
import org.junit.jupiter.api.Test;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.MatrixKind;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;
import org.trellis.testing.TestSeed;

final class EjmlSolverTest {
    private static final Map<String, Function<CsrMatrix, SystemSolver>> METHODS = Map.of("direct", Solvers::direct,
            "lu", a -> Solvers.direct(a).knownAs(MatrixKind.GENERAL), "auto", Solvers::auto,
            "cg", a -> Solvers.cg(a).backend("reference"));

    /** As in EJML's examples: solve, and look at the residual. */
    @Test
    void solvesInEjmlsOwnStyle() {
        DMatrixSparseTriplet work = new DMatrixSparseTriplet(3, 3, 5);
        work.addItem(0, 0, 4);
        work.addItem(0, 1, -1);
        work.addItem(1, 1, 3);
        work.addItem(2, 0, 2);
        work.addItem(2, 2, 5);
        DMatrixSparseCSC a = DConvertMatrixStruct.convert(work, (DMatrixSparseCSC) null);
        DMatrixRMaj b = new DMatrixRMaj(3, 1, true, 2, 6, 17);
        DMatrixRMaj x = new DMatrixRMaj(1, 1);
        try (EjmlSolver solver = new EjmlSolver(Solvers::direct)) {
            assertTrue(solver.setA(a));
            solver.solve(b, x);
        }
        assertArrayEquals(new double[]{1, 2, 3}, x.data, 1e-14);
    }

    @Test
    void agreesWithEjmlsSolvers() {
        SplittableRandom seeds = TestSeed.random("agreesWithEjmlsSolvers");
        METHODS.forEach((name, method) -> {
            for (int n : new int[]{1, 2, 17, 60}) {
                Random random = new Random(seeds.nextLong());
                DMatrixSparseCSC a = RandomMatrices_DSCC.symmetricPosDef(n, 0.1, random);
                DMatrixRMaj b = RandomMatrices_DDRM.rectangle(n, 3, random);
                DMatrixRMaj expected = solved(LinearSolverFactory_DSCC.lu(FillReducing.NONE), a, b);
                try (EjmlSolver ours = new EjmlSolver(method)) {
                    DMatrixRMaj x = solved(ours, a, b);
                    assertArrayEquals(expected.data, x.data, 1e-6, name + " of " + n);
                }
            }
        });
    }

    private static DMatrixRMaj solved(LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver, DMatrixSparseCSC a,
            DMatrixRMaj b) {
        assertTrue(solver.setA(a.copy()));
        assertFalse(solver.modifiesA() && solver instanceof EjmlSolver);
        DMatrixRMaj x = new DMatrixRMaj(a.numCols, b.numCols);
        solver.solve(b.copy(), x);
        return x;
    }

    @Test
    void solvesForSparseRightHandSides() {
        Random random = new Random(TestSeed.random("sparse right-hand sides").nextLong());
        DMatrixSparseCSC a = RandomMatrices_DSCC.symmetricPosDef(30, 0.1, random);
        DMatrixSparseCSC expected = RandomMatrices_DSCC.rectangle(30, 4, 20, random);
        DMatrixSparseCSC b = new DMatrixSparseCSC(30, 4, 0);
        CommonOps_DSCC.mult(a, expected, b);
        DMatrixSparseCSC x = new DMatrixSparseCSC(1, 1, 0);
        try (EjmlSolver solver = new EjmlSolver(Solvers::direct)) {
            assertTrue(solver.setA(a));
            solver.solveSparse(b, x);
        }
        assertTrue(CommonOps_DSCC.checkStructure(x));
        DMatrixSparseCSC difference = new DMatrixSparseCSC(30, 4, 0);
        CommonOps_DSCC.add(1, x, -1, expected, difference, null, null);
        assertEquals(0, NormOps_DSCC.normF(difference), 1e-9);
    }

    @Test
    void keepsALockedStructure() {
        Random random = new Random(TestSeed.random("locked").nextLong());
        DMatrixSparseCSC a = RandomMatrices_DSCC.symmetricPosDef(25, 0.2, random);
        DMatrixSparseCSC twice = a.copy();
        CommonOps_DSCC.scale(2, a, twice);
        DMatrixSparseCSC other = CommonOps_DSCC.identity(25);
        DMatrixRMaj b = RandomMatrices_DDRM.rectangle(25, 1, random);
        for (Function<CsrMatrix, SystemSolver> method : METHODS.values()) {
            try (EjmlSolver solver = new EjmlSolver(method)) {
                DMatrixRMaj once = solved(solver, a, b);
                solver.setStructureLocked(true);
                assertTrue(solver.isStructureLocked());
                DMatrixRMaj half = solved(solver, twice, b);
                for (int i = 0; i < 25; i++) {
                    assertEquals(once.get(i, 0) / 2, half.get(i, 0), 1e-6);
                }
                assertThrows(IllegalArgumentException.class, () -> solver.setA(other));
            }
        }
    }

    @Test
    void reportsSingularMatricesAndWrongUse() {
        DMatrixSparseCSC singular = CommonOps_DSCC.diag(1, 0, 2);
        DMatrixSparseCSC regular = CommonOps_DSCC.diag(1, 4, 2);
        try (EjmlSolver solver = new EjmlSolver(Solvers::direct)) {
            assertFalse(solver.setA(singular));
            DMatrixRMaj x = new DMatrixRMaj(3, 1);
            assertThrows(IllegalStateException.class, () -> solver.solve(new DMatrixRMaj(3, 1), x));
            assertTrue(solver.setA(regular));
            assertEquals(0.25, solver.quality(), UtilEjml.TEST_F64);
            assertThrows(MatrixDimensionException.class, () -> solver.solve(new DMatrixRMaj(4, 1), x));
            assertThrows(UnsupportedOperationException.class, solver::getDecomposition);
        }
        assertEquals(List.of(false, false), List.of(new EjmlSolver(Solvers::direct).modifiesA(),
                new EjmlSolver(Solvers::direct).modifiesB()));
    }

    /** The same program with each of EJML's solvers and with ours: a random matrix, a known solution, a residual. */
    @Test
    void takesThePlaceOfAnySolverOfTheFactory() {
        Random random = new Random(TestSeed.random("takesThePlaceOfAnySolverOfTheFactory").nextLong());
        int n = 20 + random.nextInt(40);
        DMatrixSparseCSC a = new DMatrixSparseCSC(n, n);
        CommonOps_DSCC.add(1, RandomMatrices_DSCC.rectangle(n, n, 4 * n, random), 12, CommonOps_DSCC.identity(n), a,
                null, null);
        DMatrixRMaj expected = RandomMatrices_DDRM.rectangle(n, 2, random);
        DMatrixRMaj b = new DMatrixRMaj(n, 2);
        CommonOps_DSCC.mult(a, expected, b);
        try (EjmlSolver direct = new EjmlSolver(Solvers::direct);
                EjmlSolver gmres = new EjmlSolver(m -> Solvers.gmres(m).tolerance(1e-10).backend("reference"))) {
            List<LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj>> solvers = List.of(direct, gmres,
                    new LinearSolverSparseSafe<>(new EjmlSolver(Solvers::direct)),
                    LinearSolverFactory_DSCC.lu(FillReducing.NONE), LinearSolverFactory_DSCC.qr(FillReducing.NONE));
            for (LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver : solvers) {
                assertTrue(solver.setA(a.copy()));
                DMatrixRMaj x = new DMatrixRMaj(n, 2);
                solver.solve(b.copy(), x);
                assertTrue(MatrixFeatures_DDRM.isIdentical(expected, x, 1e-7), solver.getClass().getSimpleName());
            }
        }
    }
}
