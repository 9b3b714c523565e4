package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Refinement of meshes, and multigrid over it. */
final class GeometricMultigridTest {
    private static Backend backend;

    @BeforeAll
    @SuppressWarnings("MustBeClosed") // closed after all tests
    static void open() {
        backend = FemCases.backend("threads");
    }

    @AfterAll
    static void close() {
        backend.close();
    }

    private static double volume(CellMesh mesh) {
        FunctionSpace space = FunctionSpace.of(mesh, 1);
        try (FormSystem system = FormSystem.singular(BilinearForm.mass(Coefficient.constant(1)),
                Constraints.none(space, 1), FemCases.csr(), backend)) {
            system.assemble();
            HostVector one = HostVector.of(Precision.F64, system.size(), k -> 1);
            HostVector y = HostVector.zeros(Precision.F64, system.size());
            system.operator().apply(one, y);
            double sum = 0;
            for (int k = 0; k < y.length(); k++) {
                sum += y.get(k);
            }
            return sum;
        }
    }

    @ParameterizedTest
    @EnumSource
    void childrenFillTheirParents(ElementShape shape) {
        MeshHierarchy hierarchy = MeshHierarchy.of(FemCases.mesh(shape, 2, true), 2);
        assertEquals(3, hierarchy.meshes().size());
        int children = 1 << shape.dimension();
        double volume = volume(hierarchy.meshes().getFirst());
        for (int l = 1; l < 3; l++) {
            CellMesh coarse = hierarchy.meshes().get(l - 1);
            CellMesh fine = hierarchy.meshes().get(l);
            assertEquals(children * coarse.cells(), fine.cells());
            assertEquals(children / 2 * coarse.boundaryFacets().length, fine.boundaryFacets().length);
            assertEquals(volume, volume(fine), 1e-12);
        }
        MeshHierarchy wider = hierarchy.moved(x -> new double[]{2 * x[0], x[1], x[x.length - 1]});
        assertEquals(2 * volume, volume(wider.finest()), 1e-12);
    }

    /** A corner of a cube, whose refinements stay of a few shapes. */
    @Test
    void tetrahedraStayRound() {
        CellMesh one = CellMesh.of(ElementShape.TETRAHEDRON, new double[]{0, 0, 0, 1, 0.1, 0, 0.2, 1, 0, 0.1, 0.3, 1},
                new int[]{0, 1, 2, 3});
        double first = roundness(one);
        for (CellMesh mesh : MeshHierarchy.of(one, 4).meshes()) {
            assertTrue(roundness(mesh) > 0.3 * first, mesh + " has " + roundness(mesh) + " of " + first);
        }
    }

    /** The least volume of a cell by the cube of its longest edge. */
    private static double roundness(CellMesh mesh) {
        double least = Double.POSITIVE_INFINITY;
        double[] x = new double[12];
        for (int cell = 0; cell < mesh.cells(); cell++) {
            mesh.gather(cell, x);
            double longest = 0;
            double[][] e = new double[3][3];
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < i; j++) {
                    double square = 0;
                    for (int d = 0; d < 3; d++) {
                        double step = x[3 * i + d] - x[3 * j + d];
                        square += step * step;
                        if (j == 0) {
                            e[i - 1][d] = step;
                        }
                    }
                    longest = Math.max(longest, Math.sqrt(square));
                }
            }
            double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1])
                    - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0])
                    + e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
            least = Math.min(least, volume / (longest * longest * longest));
        }
        return least;
    }

    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 1", "QUADRILATERAL, 4", "HEXAHEDRON, 2", "TRIANGLE, 3", "TETRAHEDRON, 2"})
    void polynomialsAreTakenToFinerMeshesAsTheyAre(ElementShape shape, int degree) {
        MeshHierarchy hierarchy = MeshHierarchy.of(FemCases.mesh(shape, 2, false), 1);
        LagrangeElement element = LagrangeElement.of(shape, degree);
        FunctionSpace coarse = FunctionSpace.of(hierarchy.meshes().getFirst(), element);
        FunctionSpace fine = FunctionSpace.of(hierarchy.finest(), element);
        Unknowns from = new Unknowns(Constraints.none(coarse, 2));
        Unknowns to = new Unknowns(Constraints.none(fine, 2));
        CsrMatrix p = SpaceTransfer.prolongation(to, fine, from, coarse, Precision.F64);
        double[] x = values(coarse, degree);
        double[] expected = values(fine, degree);
        HostVector y = HostVector.zeros(Precision.F64, p.rows());
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(p)) {
            product.apply(HostVector.of(x), y);
        }
        for (int row = 0; row < p.rows(); row++) {
            assertEquals(expected[row], y.get(row), 1e-12, "row " + row);
        }
    }

    /** Two fields: (x − y)^p and a number that differs. */
    private static double[] values(FunctionSpace space, int degree) {
        int dimension = space.mesh().dimension();
        double[] values = new double[2 * space.nodes()];
        for (int node = 0; node < space.nodes(); node++) {
            double x = space.coordinates()[node * dimension];
            double y = space.coordinates()[node * dimension + dimension - 1];
            values[2 * node] = Math.pow(x - y + 0.3, degree);
            values[2 * node + 1] = 1 - x + 2 * y;
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 1, 4, CSR, GLOBAL_REUSE", "QUADRILATERAL, 3, 3, MATRIX_FREE, SUM_FACTORISED",
        "HEXAHEDRON, 2, 2, MATRIX_FREE_FACTORED, SUM_FACTORISED", "TRIANGLE, 2, 4, MATRIX_FREE, GLOBAL_REUSE",
        "TETRAHEDRON, 1, 2, LOCAL_MATRICES, LOCAL_STORAGE"})
    void iterationsDoNotGrowWithTheMesh(ElementShape shape, int degree, int most, Storage storage,
            Formulation formulation) {
        FormOptions options = FormOptions.of(storage, formulation, Precision.F64);
        int before = iterations(shape, degree, most - 1, options);
        int after = iterations(shape, degree, most, options);
        assertTrue(after <= before + 2 && after <= 16, before + " iterations, then " + after);
    }

    private static int iterations(ElementShape shape, int degree, int times, FormOptions options) {
        MeshHierarchy hierarchy = MeshHierarchy.of(FemCases.mesh(shape, 2, false), times).moved(FemCases.DISTORTED);
        FunctionSpace space = FunctionSpace.of(hierarchy.finest(), degree);
        BilinearForm form = BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] + 2 * x[1]));
        DegreeMultigrid.Problem problem = new DegreeMultigrid.Problem(form, FemCases::zero, List.of());
        try (FormSystem system = FormSystem.of(form, FemCases.zero(space), List.of(), options, backend)) {
            system.assemble();
            HostVector b = system.rightHandSide((x, f) -> f[0] = 1 + x[0] * x[1]);
            HostVector u = HostVector.zeros(b.precision(), b.length());
            try (GeometricMultigrid multigrid =
                    new GeometricMultigrid(problem, hierarchy, system, space, options, backend);
                    ConjugateGradient method =
                            new ConjugateGradient(system.operator(), multigrid.preconditioner(), backend)) {
                SolveReport report = method.solve(b, u, StoppingCriteria.relative(1e-10, 100));
                assertTrue(report.converged(), report::toString);
                assertTrue(multigrid.levels().size() >= times, multigrid.levels()::toString);
                return report.iterations();
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        CellMesh straight = FemCases.mesh(ElementShape.QUADRILATERAL, 2, false);
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> MeshHierarchy.of(straight.curved(2, x -> x), 1)).getMessage().contains("maps of degree 2"));
        assertThrows(IllegalArgumentException.class, () -> MeshHierarchy.of(straight, -1));
        MeshHierarchy hierarchy = MeshHierarchy.of(straight, 1);
        FunctionSpace space = FunctionSpace.of(hierarchy.finest(), 1);
        DegreeMultigrid.Problem problem = new DegreeMultigrid.Problem(
                BilinearForm.diffusion(Coefficient.constant(1)), FemCases::zero, List.of());
        try (FormSystem rows = FemCases.poisson(space, FemCases.csr().withDirichlet(DirichletMethod.ROWS), backend);
                FormSystem system = FemCases.poisson(space, FemCases.csr(), backend)) {
            assertTrue(refusal(problem, hierarchy, rows, space).contains("expected constraints eliminated"));
            assertTrue(refusal(problem, MeshHierarchy.of(straight, 2), system, space).contains("finest mesh"));
        }
    }

    private static String refusal(DegreeMultigrid.Problem problem, MeshHierarchy hierarchy, FormSystem system,
            FunctionSpace space) {
        return assertThrows(IllegalArgumentException.class, () -> new GeometricMultigrid(problem, hierarchy, system,
                space, FemCases.csr(), backend).close()).getMessage();
    }
}
