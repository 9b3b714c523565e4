package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.testing.TestSeed;

/** All variants to store and compute a form give the same operator. */
class FormSystemTest {
    private static Backend threads;

    @BeforeAll
    @SuppressWarnings("MustBeClosed") // closed after all
    static void open() {
        threads = FemCases.backend("threads");
    }

    @AfterAll
    static void close() {
        threads.close();
    }

    /** A space, and forms on it. */
    record Case(ElementShape shape, int n, int degree, String form) {
        FunctionSpace space() {
            return FunctionSpace.of(FemCases.mesh(shape, n, true), degree);
        }

        BilinearForm bilinear() {
            int dimension = shape.dimension();
            return switch (form) {
                case "constant" -> BilinearForm.diffusion(Coefficient.constant(1.5));
                case "function" -> BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] * x[0] + x[1]))
                        .plusReaction(Coefficient.of(1, (x, c) -> c[0] = x[0]));
                case "cells" -> BilinearForm.diffusion(Coefficient.ofCells(1, cells(1)))
                        .plusReaction(Coefficient.constant(2));
                case "tensor" -> BilinearForm.diffusion(dimension == 2
                        ? Coefficient.constant(2, 0.5, 1)
                        : Coefficient.constant(3, 0.5, 0.25, 2, -0.5, 1));
                case "tensors" -> BilinearForm.diffusion(Coefficient.of(dimension * (dimension + 1) / 2, (x, k) -> {
                    Arrays.fill(k, 0.1 * x[0]);
                    k[0] = 2 + x[0];
                    k[dimension] = 1 + x[1];
                    k[k.length - 1] = 3;
                }));
                case "mass" -> BilinearForm.mass(Coefficient.constant(1));
                default -> BilinearForm.elasticity(dimension, 10, 0.3);
            };
        }

        private double[] cells(int components) {
            double[] values = new double[space().mesh().cells() * components];
            Arrays.setAll(values, k -> 1 + k % 5);
            return values;
        }

        Constraints constraints() {
            FunctionSpace space = space();
            Constraints some = Constraints.none(space, bilinear().fields());
            int[] left = space.boundaryNodes(centre -> centre[0] < 1e-9);
            for (int field = 0; field < some.fields(); field++) {
                some.fix(left, field, x -> 1 + x[1]);
            }
            return some;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(new Case(ElementShape.QUADRILATERAL, 7, 1, "constant"),
                new Case(ElementShape.QUADRILATERAL, 4, 2, "function"),
                new Case(ElementShape.QUADRILATERAL, 3, 3, "tensor"),
                new Case(ElementShape.QUADRILATERAL, 3, 4, "tensors"),
                new Case(ElementShape.QUADRILATERAL, 5, 2, "mass"),
                new Case(ElementShape.QUADRILATERAL, 3, 2, "elasticity"),
                new Case(ElementShape.TRIANGLE, 4, 1, "cells"), new Case(ElementShape.TRIANGLE, 3, 2, "tensor"),
                new Case(ElementShape.TRIANGLE, 3, 3, "function"), new Case(ElementShape.HEXAHEDRON, 3, 1, "tensors"),
                new Case(ElementShape.HEXAHEDRON, 2, 2, "function"),
                new Case(ElementShape.HEXAHEDRON, 1, 3, "constant"),
                new Case(ElementShape.HEXAHEDRON, 2, 1, "elasticity"),
                new Case(ElementShape.TETRAHEDRON, 2, 1, "function"),
                new Case(ElementShape.TETRAHEDRON, 2, 2, "tensor"), new Case(ElementShape.TETRAHEDRON, 1, 3, "cells"));
    }

    private static HostVector random(Precision precision, int length, String purpose) {
        SplittableRandom random = TestSeed.random(purpose);
        return HostVector.of(precision, length, k -> random.nextDouble(-1, 1));
    }

    private static FormSystem system(Case c, FormOptions options, Backend backend) {
        return FormSystem.of(c.bilinear(), c.constraints(), List.of(), options, backend);
    }

    /** The product of a random vector, and the diagonal behind it. */
    private static double[] fingerprint(Case c, FormOptions options, Backend backend) {
        try (FormSystem system = system(c, options, backend)) {
            system.assemble();
            system.assemble(); // again, into the same structure
            LinearOperator a = system.operator();
            HostVector x = random(options.precision(), a.rows(), "x");
            HostVector y = random(options.precision(), a.rows(), "y");
            HostVector d = a.diagonal().orElseThrow();
            a.apply(2, x, -1, y);
            double[] both = new double[2 * a.rows()];
            Arrays.setAll(both, k -> k < a.rows() ? y.get(k) : d.get(k - a.rows()));
            return both;
        }
    }

    private static void same(double[] expected, double[] found, double tolerance, String what) {
        double scale = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        assertEquals(expected.length, found.length, what);
        for (int k = 0; k < expected.length; k++) {
            int at = k;
            assertEquals(expected[k], found[k], tolerance * scale,
                    () -> what + ", number " + at + ", seed " + TestSeed.value());
        }
    }

    private static List<FormOptions> variants(Case c, Precision precision) {
        List<FormOptions> variants = new ArrayList<>();
        for (Storage storage : Storage.values()) {
            for (Formulation formulation : Formulation.values()) {
                boolean possible = formulation != Formulation.SUM_FACTORISED
                        || (c.shape().isTensor() && c.bilinear().fields() == 1);
                boolean own = storage == Storage.LOCAL_MATRICES
                        || (storage == Storage.MATRIX_FREE
                                && (c.shape().dimension() == 2 || formulation == Formulation.SUM_FACTORISED))
                        || (storage == Storage.MATRIX_FREE_FACTORED && formulation == Formulation.SUM_FACTORISED);
                boolean wanted = own || formulation == Formulation.GLOBAL_REUSE;
                if (possible && wanted && (precision == Precision.F64 || formulation != Formulation.LOCAL_STORAGE)) {
                    variants.add(FormOptions.of(storage, formulation, precision));
                }
            }
        }
        return variants;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyStorageAndFormulationIsTheSameOperator(Case c) {
        double[] expected = fingerprint(c, FemCases.csr(), threads);
        for (FormOptions variant : variants(c, Precision.F64)) {
            same(expected, fingerprint(c, variant, threads), 1e-13, c + " " + variant);
        }
        for (FormOptions variant : variants(c, Precision.F32)) {
            same(expected, fingerprint(c, variant, threads), 1e-5, c + " " + variant);
        }
    }

    @Test
    void everyCpuBackendGivesTheSameOperator() {
        Case c = new Case(ElementShape.HEXAHEDRON, 2, 2, "function");
        double[] expected = fingerprint(c, FemCases.csr(), threads);
        for (String name : List.of("reference", "simd", "cpu")) {
            try (Backend backend = FemCases.backend(name)) {
                for (FormOptions variant : variants(c, Precision.F64)) {
                    if (variant.storage() == Storage.CSR_SEARCH && name.equals("reference")) {
                        assertThrows(UnsupportedKernelException.class, () -> fingerprint(c, variant, backend));
                    } else {
                        same(expected, fingerprint(c, variant, backend), 1e-13, name + " " + variant);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = LoopScheme.class, names = {"TWO_LEVEL", "BLOCK_PERMUTE", "FULL_PERMUTE", "TEMPORARY",
        "OWNER_COMPUTE"})
    void everySchemeGivesTheSameOperator(LoopScheme scheme) {
        for (Case c : List.of(new Case(ElementShape.QUADRILATERAL, 9, 2, "constant"),
                new Case(ElementShape.TETRAHEDRON, 2, 2, "constant"))) {
            double[] expected = fingerprint(c, FemCases.csr(), threads);
            same(expected, fingerprint(c, FemCases.csr().withStorage(Storage.LAZY_ELLPACK).withMerged(true)
                    .withScheme(scheme), threads), 1e-13, c + " merged");
            for (Storage storage : Storage.values()) {
                boolean inPlace = scheme == LoopScheme.TEMPORARY || scheme == LoopScheme.OWNER_COMPUTE;
                FormOptions variant = FemCases.csr().withStorage(storage).withScheme(scheme);
                if (storage == Storage.CSR_SEARCH && inPlace) {
                    assertThrows(UnsupportedKernelException.class, () -> fingerprint(c, variant, threads));
                } else {
                    same(expected, fingerprint(c, variant, threads), 1e-13, c + " " + variant);
                }
            }
        }
    }

    /** Held in one direction on a side, so that nodes there have blocks of their own size; on springs on another. */
    @Test
    void everyStorageHasTheBlocksOfNodes() {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 3, true), 2);
        Constraints fixed = Constraints.none(space, 2).fix(space.boundaryNodes(x -> x[0] < 1e-9), 0, x -> 0);
        List<BoundaryCondition> springs =
                List.of(new BoundaryCondition(x -> x[1] < 1e-9, (x, g) -> Arrays.fill(g, 0), 7));
        CsrMatrix expected = null;
        for (Storage storage : Storage.values()) {
            try (FormSystem system = FormSystem.of(BilinearForm.elasticity(2, 10, 0.3), fixed, springs,
                    FemCases.csr().withStorage(storage), threads)) {
                system.assemble();
                CsrMatrix blocks = system.diagonalBlocks();
                if (storage == Storage.CSR) {
                    int[] offsets = IntStream.concat(IntStream.of(0), Arrays.stream(system.blockSizes())).toArray();
                    Arrays.parallelPrefix(offsets, Integer::sum);
                    expected = MatrixGraphs.diagonalBlocks(system.matrix().orElseThrow(), offsets);
                    assertEquals(Arrays.stream(system.blockSizes()).map(n -> n * n).sum(), blocks.nonZeros());
                }
                same(entries(expected), entries(blocks), 1e-13, storage.label());
                HostVector b = system.rightHandSide((x, f) -> Arrays.fill(f, x[0]));
                HostVector x = HostVector.zeros(Precision.F64, b.length());
                try (Smoother jacobi = FormPreconditioners.blockJacobi(system, Map.of(), threads);
                        ConjugateGradient method = new ConjugateGradient(system.operator(), jacobi, threads)) {
                    assertTrue(method.solve(b, x, StoppingCriteria.relative(1e-10, 500)).converged(), storage.label());
                }
            }
        }
    }

    private static double[] entries(CsrMatrix matrix) {
        return IntStream.range(0, matrix.rows() * matrix.rows())
                .mapToDouble(k -> matrix.get(k / matrix.rows(), k % matrix.rows())).toArray();
    }

    @Test
    void mergedRowsAreAsShortAsThoseOfAMatrix() {
        Case c = new Case(ElementShape.QUADRILATERAL, 4, 2, "constant");
        FormOptions lazy = FemCases.csr().withStorage(Storage.LAZY_ELLPACK);
        try (FormSystem several = system(c, lazy, threads);
                FormSystem once = system(c, lazy.withMerged(true), threads);
                FormSystem padded = system(c, FemCases.csr().withStorage(Storage.ELLPACK), threads)) {
            assertEquals(padded.storedBytes(), once.storedBytes());
            assertTrue(once.modelBytes() < several.modelBytes());
        }
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> FemCases.csr().withMerged(true));
        assertTrue(e.getMessage().contains("expected lazy-ellpack"), e.getMessage());
    }

    @Test
    void constrainedRowsGiveTheSolutionOfElimination() {
        Case c = new Case(ElementShape.QUADRILATERAL, 5, 2, "function");
        double[] eliminated = solve(c, FemCases.csr());
        for (Storage storage : List.of(Storage.CSR, Storage.CSR_SEARCH)) {
            double[] rows = solve(c, FemCases.csr().withStorage(storage).withDirichlet(DirichletMethod.ROWS));
            same(eliminated, rows, 1e-10, storage.label());
        }
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> solve(c, FemCases.csr().withStorage(Storage.ELLPACK).withDirichlet(DirichletMethod.ROWS)));
        assertTrue(e.getMessage().contains("expected csr or csr-search"), e.getMessage());
    }

    private static double[] solve(Case c, FormOptions options) {
        try (FormSystem system = system(c, options, threads)) {
            system.assemble();
            return FemCases.solve(system, system.rightHandSide((x, f) -> f[0] = x[0]), threads, 1e-13);
        }
    }

    @Test
    void boundaryConditionsAddToEveryStorage() {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 4, true), 2);
        // u = x + 2 y + 3 with κ = 1: ∂u/∂n is known on each side
        Constraints left = Constraints.none(space, 1).fix(space.boundaryNodes(m -> m[0] < 1e-9), 0,
                x -> 2 * x[1] + 3);
        List<BoundaryCondition> conditions = List.of(
                BoundaryCondition.neumann(m -> m[1] < 1e-9, (x, g) -> g[0] = -2),
                BoundaryCondition.neumann(m -> m[1] > 1 - 1e-9, (x, g) -> g[0] = 2),
                new BoundaryCondition(m -> m[0] > 1 - 1e-9, (x, g) -> g[0] = 1 + 5 * (x[0] + 2 * x[1] + 3), 5));
        List<FormOptions> variants = new ArrayList<>();
        for (Storage storage : Storage.values()) {
            variants.add(FemCases.csr().withStorage(storage));
        }
        variants.add(FemCases.csr().withStorage(Storage.LAZY_ELLPACK).withMerged(true));
        for (FormOptions variant : variants) {
            try (FormSystem system = FormSystem.of(BilinearForm.diffusion(Coefficient.constant(1)), left, conditions,
                    variant, threads)) {
                system.assemble();
                double[] u = FemCases.solve(system, system.rightHandSide((x, f) -> f[0] = 0), threads, 1e-13);
                FunctionErrors errors = FunctionErrors.of(space, u, 1, (x, v) -> v[0] = x[0] + 2 * x[1] + 3,
                        (x, v) -> {
                            v[0] = 1;
                            v[1] = 2;
                        });
                assertEquals(0, errors.l2(), 1e-11, variant.toString());
                assertEquals(0, errors.h1(), 1e-10, variant.toString());
            }
        }
    }

    @Test
    void formsOfTheUsersOwnAreKernelsOnPointsAndElements() {
        CellMesh mesh = StructuredMeshes.unit(ElementShape.TRIANGLE, 5, FemCases.DISTORTED);
        FunctionSpace space = FunctionSpace.of(mesh, 1);
        double[][] expected = dense(BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0])), space);
        double[][] byPoints = dense(BilinearForm.ofPoints(1, Coefficient.ofLoop(9, (runtime, x, m) -> {
            try (var loop = runtime.loop(OwnFormsLoops.SCALED_LAPLACIAN, x.set(), x, m)) {
                loop.run();
            }
        })), space);
        double[][] constant = dense(BilinearForm.diffusion(Coefficient.constant(1)), space);
        double[][] byElements = dense(BilinearForm.ofElements(1, OwnFormsLoops.TRIANGLE), space);
        for (int j = 0; j < expected.length; j++) {
            same(expected[j], byPoints[j], 1e-13, "by points, column " + j);
            same(constant[j], byElements[j], 1e-13, "by elements, column " + j);
        }
    }

    private static double[][] dense(BilinearForm form, FunctionSpace space) {
        try (FormSystem system = FormSystem.of(form, FemCases.zero(space), List.of(), FemCases.csr(), threads)) {
            system.assemble();
            return FemCases.dense(system.operator());
        }
    }

    @Test
    void whatMakesNoSystemIsRefused() {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 3, false), 1);
        Constraints none = Constraints.none(space, 1);
        refused("expected boundary data", BilinearForm.diffusion(Coefficient.constant(1)), none);
        refused("kappa is [0.0], expected it positive", BilinearForm.diffusion(Coefficient.constant(0)),
                FemCases.zero(space));
        refused("positive definite", BilinearForm.diffusion(Coefficient.constant(1, 2, 1)), FemCases.zero(space));
        refused("in cell 2 at [", BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 0.8 - x[0])),
                FemCases.zero(space));
        refused("in cell 4 at [", BilinearForm.diffusion(Coefficient.ofCells(1, 1, 1, 1, 1, -1, 1, 1, 1, 1)),
                FemCases.zero(space));
        refused("has 2 components", BilinearForm.diffusion(Coefficient.constant(1, 2)), FemCases.zero(space));
        refused("a form of 2 fields", BilinearForm.elasticity(2, 1, 0.3), FemCases.zero(space));
        assertThrows(IllegalArgumentException.class, () -> Constraints.onBoundary(space, x -> Double.NaN));
        FunctionSpace triangles = FunctionSpace.of(FemCases.mesh(ElementShape.TRIANGLE, 3, false), 1);
        UnsupportedKernelException e = assertThrows(UnsupportedKernelException.class,
                () -> FemCases.poisson(triangles, FemCases.csr().withFormulation(Formulation.SUM_FACTORISED), threads)
                        .close());
        assertTrue(e.getMessage().contains("quadrilaterals and hexahedra only"), e.getMessage());
    }

    private static void refused(String message, BilinearForm form, Constraints constraints) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> FormSystem.of(form, constraints, List.of(), FemCases.csr(), threads).close());
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }
}
