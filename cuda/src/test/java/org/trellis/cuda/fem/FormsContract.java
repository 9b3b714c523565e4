package org.trellis.cuda.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.ColouredSsor;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.DeviceForms;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormSystem;
import org.trellis.fem.RowStructure;
import org.trellis.fem.SpaceTransfer;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparsityPattern;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Forms on a device are the operators that backend {@code threads} has, whatever the storage. */
abstract class FormsContract {
    private static final List<Case> SOME = List.of(new Case(ElementShape.QUADRILATERAL, 5, 1, "function"),
            new Case(ElementShape.HEXAHEDRON, 2, 2, "tensor"));

    /** Opens the device. */
    @MustBeClosed
    protected abstract Backend openBackend();

    /** Says whether all cases are to be tried, or some, with products of matrices on the host. */
    protected abstract boolean all();

    /** Cells a side of the problem for multigrid. */
    protected abstract int multigridCells();

    /** A form on a mesh. */
    record Case(ElementShape shape, int n, int degree, String coefficients) {
        FunctionSpace space() {
            return FunctionSpace.of(StructuredMeshes.unit(shape, n, StructuredMeshes::distorted), degree);
        }

        BilinearForm form() {
            int d = shape.dimension();
            double[] tensor = d == 2 ? new double[]{2, 0.5, 1} : new double[]{2, 0.5, 0.1, 1, 0.2, 3};
            return switch (coefficients) {
                case "function" -> BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] + 2 * x[1]));
                case "tensor" -> BilinearForm.diffusion(Coefficient.constant(tensor))
                        .plusReaction(Coefficient.of(1, (x, k) -> k[0] = 2 - x[1]));
                case "tensors" -> BilinearForm.diffusion(Coefficient.of(tensor.length, (x, k) -> {
                    for (int i = 0; i < tensor.length; i++) {
                        k[i] = tensor[i] * (1 + x[0]);
                    }
                })).plusReaction(Coefficient.constant(1.5));
                case "mass" -> BilinearForm.mass(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0]));
                case "elasticity" -> BilinearForm.elasticity(d, 10, 0.3);
                default -> BilinearForm.diffusion(Coefficient.constant(1));
            };
        }

        Constraints constraints(FunctionSpace space) {
            Constraints all = Constraints.none(space, form().fields());
            for (int field = 0; field < form().fields(); field++) {
                all = all.fix(space.boundaryNodes(x -> x[0] < 1e-9), field, x -> 1 + x[1]);
            }
            return all;
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>(SOME);
        for (int degree = 1; degree <= 4; degree++) {
            cases.add(new Case(ElementShape.QUADRILATERAL, 6 - degree, degree, degree == 3 ? "tensors" : "constant"));
            cases.add(new Case(ElementShape.HEXAHEDRON, degree < 3 ? 3 : degree == 3 ? 2 : 1, degree, "function"));
        }
        cases.addAll(List.of(new Case(ElementShape.QUADRILATERAL, 4, 2, "tensor"),
                new Case(ElementShape.QUADRILATERAL, 4, 2, "mass"),
                new Case(ElementShape.HEXAHEDRON, 3, 1, "tensors"), new Case(ElementShape.TRIANGLE, 4, 2, "function"),
                new Case(ElementShape.TRIANGLE, 3, 3, "constant"),
                new Case(ElementShape.TETRAHEDRON, 2, 2, "tensor"),
                new Case(ElementShape.QUADRILATERAL, 3, 2, "elasticity"),
                new Case(ElementShape.HEXAHEDRON, 2, 1, "elasticity")));
        // Compilation takes most of the time: several programs may each have a part, -Dtrellis.test.part=1/4.
        String[] part = System.getProperty("trellis.test.part", "0/1").split("/");
        int of = Integer.parseInt(part[1]);
        return IntStream.range(0, cases.size()).filter(k -> k % of == Integer.parseInt(part[0]) % of)
                .mapToObj(cases::get).toList();
    }

    /** The product of a random vector, the diagonal, and the right-hand side. */
    @SuppressWarnings("MustBeClosed") // closed where it was opened
    private double[] fingerprint(Case c, FormOptions options, Backend backend) {
        FunctionSpace space = c.space();
        try (FormSystem system =
                FormSystem.of(c.form(), c.constraints(space), List.of(), options, backend)) {
            system.assemble();
            system.assemble();
            Backend multiplying =
                    system.matrix().isPresent() && !all() ? Backends.open("threads", Configuration.load()) : backend;
            double[] product;
            double[] diagonal;
            if (multiplying != backend) {
                try (multiplying;
                        LinearOperator a = multiplying.kernels(SparseKernels.class)
                                .prepare(system.matrix().orElseThrow())) {
                    product = product(a, multiplying);
                    diagonal = a.diagonal().orElseThrow().toDoubleArray();
                }
            } else {
                product = product(system.operator(), backend);
                diagonal = system.operator().diagonal().orElseThrow().toDoubleArray();
            }
            sameMatrix(system);
            double[] load = system.rightHandSide((x, f) -> Arrays.fill(f, x[0])).toDoubleArray();
            double[] all = Arrays.copyOf(product, product.length + diagonal.length + load.length);
            System.arraycopy(diagonal, 0, all, product.length, diagonal.length);
            System.arraycopy(load, 0, all, product.length + diagonal.length, load.length);
            return all;
        }
    }

    /** What multigrid takes without the host is the matrix. */
    private static void sameMatrix(FormSystem system) {
        system.backendMatrix().ifPresent(there -> {
            try (there) {
                CsrSegment expected = system.matrix().orElseThrow().onlySegment();
                CsrSegment found = there.toCsr().onlySegment();
                assertArrayEquals(expected.rowOffsets(), found.rowOffsets(), "where rows start");
                assertArrayEquals(expected.columnIndices(), found.columnIndices(), "columns");
                assertArrayEquals(expected.values().toDoubleArray(), found.values().toDoubleArray(), "values");
            }
        });
    }

    /**
     * Several blocks of elements, whose factors begin anywhere; with a thread for each element, and with more. With
     * atomics neighbours of a line pass sums on to each other.
     */
    @ParameterizedTest
    @CsvSource({"HEXAHEDRON, 2, 4", "HEXAHEDRON, 6, 2", "QUADRILATERAL, 14, 5", "QUADRILATERAL, 13, 2"})
    void storedFactorsOfSeveralBlocksAreMultiplied(ElementShape shape, int n, int degree) {
        Case c = new Case(shape, n, degree, "tensor");
        try (Backend device = openBackend(); Backend host = Backends.open("threads", Configuration.load())) {
            for (Precision precision : Precision.values()) {
                FormOptions options =
                        FormOptions.of(Storage.MATRIX_FREE_FACTORED, Formulation.SUM_FACTORISED, precision);
                double[] expected = fingerprint(c, options, host);
                double tolerance = precision == Precision.F64 ? 1e-13 : 1e-5;
                same(expected, fingerprint(c, options, device), tolerance, c + ", " + precision);
                same(expected, fingerprint(c, options.withScheme(LoopScheme.ATOMICS), device), tolerance,
                        c + ", atomics, " + precision);
            }
        }
    }

    /** Degrees, refined meshes, and fields that are free at nodes where others are not. */
    @Test
    void interpolationsAreThoseOfTheHost() {
        CellMesh squares = StructuredMeshes.unit(ElementShape.QUADRILATERAL, 3, StructuredMeshes::distorted);
        CellMesh cubes = StructuredMeshes.unit(ElementShape.HEXAHEDRON, 2, StructuredMeshes::distorted);
        MeshHierarchy refined = MeshHierarchy.of(squares, 1);
        try (Backend device = openBackend()) {
            sameInterpolation(FunctionSpace.of(squares, 4), FunctionSpace.of(squares, 2), 1, device);
            sameInterpolation(FunctionSpace.of(cubes, 2), FunctionSpace.of(cubes, 1), 3, device);
            sameInterpolation(FunctionSpace.of(refined.meshes().getLast(), 2), FunctionSpace.of(squares, 2), 1,
                    device);
        }
    }

    private static void sameInterpolation(FunctionSpace to, FunctionSpace from, int fields, Backend device) {
        BilinearForm form = BilinearForm.mass(Coefficient.constant(1));
        BilinearForm vector = BilinearForm.elasticity(to.mesh().dimension(), 1, 0.3);
        FormOptions csr = FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64);
        try (Backend host = Backends.open("threads", Configuration.load());
                FormSystem fine = FormSystem.of(fields == 1 ? form : vector, held(to, fields), List.of(), csr, host);
                FormSystem coarse =
                        FormSystem.of(fields == 1 ? form : vector, held(from, fields), List.of(), csr, host)) {
            for (Precision precision : Precision.values()) {
                CsrSegment expected =
                        SpaceTransfer.prolongation(fine.unknowns(), to, coarse.unknowns(), from, precision)
                                .onlySegment();
                BackendMatrix made = (BackendMatrix) SpaceTransfer.prolongation(fine.unknowns(), to,
                        coarse.unknowns(), from, precision, device);
                try (made) {
                    CsrSegment found = made.toCsr().onlySegment();
                    assertArrayEquals(expected.rowOffsets(), found.rowOffsets(), to + " where rows start");
                    assertArrayEquals(expected.columnIndices(), found.columnIndices(), to + " columns");
                    assertArrayEquals(expected.values().toDoubleArray(), found.values().toDoubleArray(),
                            to + " values");
                }
            }
        }
    }

    private static Constraints held(FunctionSpace space, int fields) {
        return Constraints.none(space, fields).fix(space.boundaryNodes(x -> x[0] < 1e-9), 0, x -> 0);
    }

    /** y = 2 A x - y with random vectors. */
    private static double[] product(LinearOperator a, Backend backend) {
        SplittableRandom random = TestSeed.random("forms");
        HostVector from = HostVector.of(a.precision(), a.rows(), k -> random.nextDouble(-1, 1));
        HostVector to = HostVector.of(a.precision(), a.rows(), k -> random.nextDouble(-1, 1));
        try (DenseVector x = backend.vector(a.precision(), a.rows());
                DenseVector y = backend.vector(a.precision(), a.rows())) {
            x.copyFrom(from);
            y.copyFrom(to);
            a.apply(2, x, -1, y);
            y.copyTo(to);
        }
        return to.toDoubleArray();
    }

    private static void same(double[] expected, double[] found, double tolerance, String what) {
        double scale = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        assertArrayEquals(expected, found, tolerance * scale, what + ", seed " + TestSeed.value());
    }

    private List<FormOptions> variants(Case c, Precision precision) {
        boolean factorises = c.shape().isTensor() && c.form().fields() == 1;
        boolean small = c.shape().dimension() == 2 || c.degree() < 3;
        List<FormOptions> variants = new ArrayList<>();
        variants.add(FormOptions.of(Storage.LOCAL_MATRICES, Formulation.GLOBAL_REUSE, precision));
        if (factorises) {
            FormOptions factored =
                    FormOptions.of(Storage.MATRIX_FREE_FACTORED, Formulation.SUM_FACTORISED, precision);
            FormOptions csr = FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, precision);
            FormOptions matrices = FormOptions.of(Storage.LOCAL_MATRICES, Formulation.GLOBAL_REUSE, precision);
            variants.addAll(List.of(csr, csr.withStorage(Storage.CSR_SEARCH), factored,
                    factored.withStorage(Storage.MATRIX_FREE), factored.withStorage(Storage.CSR),
                    factored.withStorage(Storage.LOCAL_MATRICES)));
            if (!all()) {
                variants.add(csr.withScheme(LoopScheme.TEMPORARY));
                variants.add(csr.withScheme(LoopScheme.TWO_LEVEL));
            } else {
                variants.addAll(List.of(factored.withScheme(LoopScheme.ATOMICS),
                        matrices.withScheme(LoopScheme.ATOMICS), factored.withStorage(Storage.CSR_SEARCH)));
            }
        }
        if (all() && small && precision == Precision.F64 && c.degree() < 3 && c.n() < 5) {
            for (Storage storage : Storage.values()) {
                if (storage != Storage.CSR_SEARCH) {
                    variants.add(FormOptions.of(storage, Formulation.GLOBAL_REUSE, precision));
                }
            }
        }
        // Loops keep a matrix in each thread: those of some 700 entries are tried, not those of thousands.
        return variants.stream().filter(variant -> pairs(c) < 800 || device(c, variant)).distinct().toList();
    }

    /** Pairs of unknowns of an element. */
    private static int pairs(Case c) {
        int n = c.space().element().nodes() * c.form().fields();
        return n * n;
    }

    private static boolean device(Case c, FormOptions variant) {
        return c.form().fields() == 1 && (variant.storage() == Storage.CSR || variant.storage() == Storage.CSR_SEARCH
                || variant.storage() == Storage.LOCAL_MATRICES
                || variant.formulation() == Formulation.SUM_FACTORISED);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyStorageIsTheSameOperator(Case c) {
        boolean asked = all() || c.equals(SOME.getFirst()) || (TestLength.isLong() && SOME.contains(c));
        Assumptions.assumeTrue(asked, "asked for with -Dtrellis.test.emulation=all");
        double[] expected;
        try (Backend threads = Backends.open("threads", Configuration.load())) {
            expected = fingerprint(c, FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64), threads);
        }
        try (Backend device = openBackend()) {
            for (FormOptions variant : variants(c, Precision.F64)) {
                same(expected, fingerprint(c, variant, device), 1e-12, c + " " + variant);
            }
            for (FormOptions variant : all() ? variants(c, Precision.F32) : List.<FormOptions>of()) {
                same(expected, fingerprint(c, variant, device), 2e-5, c + " " + variant);
            }
        }
    }

    /** Elements that name an unknown twice, rows without elements, and unknowns that are no rows. */
    @Test
    void structuresAreThoseOfTheHost() {
        SplittableRandom random = TestSeed.random("structures");
        try (Backend device = openBackend()) {
            DeviceForms forms = device.kernels(DeviceForms.class);
            for (int[] size : new int[][]{{4, 150, 90}, {9, 40, 400}, {3, 1, 1}, {4, 20, 0}}) {
                int[] unknowns = random.ints((long) size[0] * size[1], 0, size[2] + 10).toArray();
                IntStream.Builder table = IntStream.builder();
                int[] offsets = new int[size[1] + 1];
                for (int k = 0; k < unknowns.length; k++) {
                    offsets[k / size[0] + 1] += unknowns[k] < size[2] ? 1 : 0;
                    if (unknowns[k] < size[2]) {
                        table.add(unknowns[k]);
                    }
                }
                Arrays.parallelPrefix(offsets, Integer::sum);
                SparsityPattern expected = SparsityPattern
                        .of(SparsityPattern.ElementMap.of(table.build().toArray(), offsets, size[2]));
                RowStructure found = forms.structure(unknowns, size[0], size[2]);
                String what = Arrays.toString(size) + ", seed " + TestSeed.value();
                assertArrayEquals(expected.rowOffsets(), found.rowOffsets(), what);
                assertArrayEquals(expected.columnIndices(), found.columnIndices(), what);
            }
        }
    }

    /** Coloured SSOR of what is kept, row by row, is that by products on the host, whose formula is tested there. */
    @ParameterizedTest
    @MethodSource("cases")
    void sweepsAreThoseOfTheHost(Case c) {
        Assumptions.assumeTrue(all() || SOME.contains(c), "asked for with -Dtrellis.test.emulation=all");
        Assumptions.assumeTrue(c.form().fields() == 1, "kernels of its own are for scalar forms");
        double[] expected;
        try (Backend threads = Backends.open("threads", Configuration.load())) {
            expected = swept(c, FormOptions.of(Storage.MATRIX_FREE, Formulation.GLOBAL_REUSE, Precision.F64), threads);
        }
        FormOptions matrices = FormOptions.of(Storage.LOCAL_MATRICES, Formulation.GLOBAL_REUSE, Precision.F64);
        List<FormOptions> variants = new ArrayList<>(List.of(matrices, matrices.withScheme(LoopScheme.ATOMICS)));
        if (c.shape().isTensor()) {
            FormOptions free = matrices.withFormulation(Formulation.SUM_FACTORISED);
            variants.addAll(
                    List.of(free.withStorage(Storage.MATRIX_FREE), free.withStorage(Storage.MATRIX_FREE_FACTORED)));
        }
        try (Backend device = openBackend()) {
            for (FormOptions variant : variants) {
                same(expected, swept(c, variant, device), 1e-12, c + " " + variant);
            }
        }
    }

    private static double[] swept(Case c, FormOptions options, Backend backend) {
        SplittableRandom random = TestSeed.random("sweeps");
        try (FormSystem system = FormSystem.of(c.form(), c.constraints(c.space()), List.of(), options, backend)) {
            system.assemble();
            HostVector r = HostVector.of(Precision.F64, system.size(), k -> random.nextDouble(-1, 1));
            HostVector z = HostVector.of(Precision.F64, system.size(), k -> random.nextDouble(-1, 1));
            try (ColouredSsor ssor = ColouredSsor.of(system, backend);
                    DenseVector from = backend.vector(Precision.F64, r.length());
                    DenseVector into = backend.vector(Precision.F64, r.length());
                    var step = ssor.bind(1, from, 0, into)) {
                from.copyFrom(r);
                into.copyFrom(z);
                ssor.apply(2, from, -1, into);
                into.copyTo(z);
                step.run();
                HostVector bound = HostVector.zeros(Precision.F64, r.length());
                into.copyTo(bound);
                double[] both = Arrays.copyOf(z.toDoubleArray(), 2 * r.length());
                System.arraycopy(bound.toDoubleArray(), 0, both, r.length(), r.length());
                return both;
            }
        }
    }

    /** Levels that the device sets up solve what the host's solve, in about as many iterations. */
    @Test
    void multigridOverDegreesIsThatOfTheHost() {
        Assumptions.assumeTrue(all(), "asked for with -Dtrellis.test.emulation=all");
        try (Backend gpu = openBackend(); Backend threads = Backends.open("threads", Configuration.load())) {
            Solved there = solve(gpu);
            Solved here = solve(threads);
            assertArrayEquals(here.solution(), there.solution(), 1e-7);
            assertEquals(here.iterations(), there.iterations(), 4);
        }
    }

    /** A solution and the iterations that it took. */
    private record Solved(double[] solution, int iterations) {}

    private Solved solve(Backend backend) {
        FunctionSpace space = FunctionSpace
                .of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, multigridCells(), StructuredMeshes::distorted),
                        2);
        BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
        DegreeMultigrid.Problem problem =
                new DegreeMultigrid.Problem(form, s -> Constraints.onBoundary(s, x -> x[0]), List.of());
        FormOptions options = FormOptions.of(Storage.MATRIX_FREE_FACTORED, Formulation.SUM_FACTORISED, Precision.F64);
        try (FormSystem system =
                FormSystem.of(form, problem.constraints().apply(space), List.of(), options, backend)) {
            system.assemble();
            HostVector right = system.rightHandSide((x, f) -> f[0] = 1 + x[1]);
            try (DegreeMultigrid degrees = new DegreeMultigrid(problem, space, system, options, backend);
                    ConjugateGradient method =
                            new ConjugateGradient(system.operator(), degrees.preconditioner(), backend);
                    DenseVector b = backend.vector(Precision.F64, right.length());
                    DenseVector x = backend.vector(Precision.F64, right.length())) {
                b.copyFrom(right);
                SolveReport report = method.solve(b, x, StoppingCriteria.relative(1e-10, 100));
                assertTrue(report.converged(), report.toString());
                x.copyTo(right);
                return new Solved(right.toDoubleArray(), report.iterations());
            }
        }
    }
}
