package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.sparse.CsrMatrix;

/** Element matrices, norms of matrices and errors of solutions against those of FEniCSx. */
class ReferenceTest {
    /** Rows of matrices whose eigenvalues are looked for. */
    private static final int SMALL = 170;

    private static Backend backend;

    @BeforeAll
    @SuppressWarnings("MustBeClosed") // closed after all
    static void open() {
        backend = FemCases.backend("threads");
    }

    @AfterAll
    static void close() {
        backend.close();
    }

    private static CellMesh single(String vertices, ElementShape shape) {
        String[] corners = vertices.split(" ");
        double[] x = Arrays.stream(corners).flatMapToDouble(corner -> Arrays
                .stream(corner.substring(1, corner.length() - 1).split(";")).mapToDouble(Double::parseDouble))
                .toArray();
        int[] cell = shape == ElementShape.QUADRILATERAL ? new int[]{0, 1, 3, 2} : new int[]{0, 1, 3, 2, 4, 5, 7, 6};
        return CellMesh.of(shape, x, cell);
    }

    private static ElementShape shape(Map<String, String> row) {
        return row.get("cell").equals("quad") ? ElementShape.QUADRILATERAL : ElementShape.HEXAHEDRON;
    }

    @Test
    void elementMatricesAreThoseOfFenics() throws IOException {
        Map<String, double[]> found = new HashMap<>();
        int compared = 0;
        for (Map<String, String> row : ReferenceData.rows("element-matrices.csv.gz")) {
            String vertices = row.get("vertices(tensor order");
            for (Formulation formulation : Formulation.values()) {
                String key = vertices + row.get("order") + row.get("nodes") + formulation;
                double[] k = found.computeIfAbsent(key, any -> matrix(row, vertices, formulation));
                int n = (int) Math.round(Math.sqrt(k.length));
                double expected = Double.parseDouble(row.get("K_ij"));
                int i = Integer.parseInt(row.get("i"));
                int j = Integer.parseInt(row.get("j"));
                assertEquals(expected, k[i * n + j], 2e-12 * Math.max(1, Math.abs(expected)), () -> key + row);
                assertEquals(expected, k[j * n + i], 2e-12 * Math.max(1, Math.abs(expected)), () -> key + row);
                compared++;
            }
        }
        assertTrue(compared > 10_000, "compared " + compared);
    }

    private static double[] matrix(Map<String, String> row, String vertices, Formulation formulation) {
        ElementShape shape = shape(row);
        FunctionSpace space = FunctionSpace.of(single(vertices, shape), LagrangeElement.of(shape,
                Integer.parseInt(row.get("order")), NodeFamily.of(row.get("nodes"))));
        FormOptions options = FemCases.csr().withStorage(Storage.LOCAL_MATRICES).withFormulation(formulation);
        try (FormSystem system = FormSystem.singular(BilinearForm.diffusion(Coefficient.constant(1)),
                Constraints.none(space, 1), options, backend)) {
            int n = space.nodes();
            system.assemble();
            double[][] dense = FemCases.dense(system.operator());
            double[] k = new double[n * n];
            for (int i = 0; i < n * n; i++) {
                k[i] = dense[space.cellNodes()[i % n]][space.cellNodes()[i / n]];
            }
            return k;
        }
    }

    @Test
    void elementLoadsAreThoseOfFenics() throws IOException {
        Map<String, double[]> found = new HashMap<>();
        for (Map<String, String> row : ReferenceData.rows("element-loads.csv")) {
            ElementShape shape = shape(row);
            String vertices = row.get("vertices(tensor order");
            FunctionSpace space = FunctionSpace.of(single(vertices, shape), LagrangeElement.of(shape,
                    Integer.parseInt(row.get("order")), NodeFamily.of(row.get("nodes"))));
            double[] load = found.computeIfAbsent(vertices + row.get("order") + row.get("nodes"), key -> {
                try (FormSystem system = FormSystem.singular(BilinearForm.mass(Coefficient.constant(1)),
                        Constraints.none(space, 1), FemCases.csr(), backend)) {
                    return system.rightHandSide((x, f) -> f[0] = 1).doubles();
                }
            });
            int node = space.cellNodes()[Integer.parseInt(row.get("i"))];
            assertEquals(Double.parseDouble(row.get("load_i (f=1)")), load[node], 1e-13, row::toString);
        }
    }

    @Test
    void normsInThePlaneAreThoseOfFenics() throws IOException {
        compareNorms("norms-2d.csv");
    }

    @Test
    void normsInSpaceAreThoseOfFenics() throws IOException {
        compareNorms("norms-3d.csv");
    }

    private static void compareNorms(String file) throws IOException {
        for (Map<String, String> row : ReferenceData.rows(file)) {
            if (Integer.parseInt(row.get("dofs")) > 1500) {
                continue;
            }
            ElementShape shape = shape(row);
            int[] n = shape.dimension() == 2
                    ? new int[]{whole(row, "nx"), whole(row, "ny")}
                    : new int[]{whole(row, "nx"), whole(row, "ny"), whole(row, "nz")};
            CellMesh mesh = StructuredMeshes.box(shape, n,
                    row.get("distorted").equals("1") ? FemCases.DISTORTED : FemCases.STRAIGHT);
            FunctionSpace space = FunctionSpace.of(mesh,
                    LagrangeElement.of(shape, whole(row, "order"), NodeFamily.of(row.get("nodes"))));
            Coefficient kappa = row.get("kappa").equals("1")
                    ? Coefficient.constant(1)
                    : Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] + 2 * x[1] + (x.length == 3 ? 3 * x[2] : 0));
            compareNorms(row, space, BilinearForm.diffusion(kappa));
        }
    }

    private static int whole(Map<String, String> row, String name) {
        return Integer.parseInt(row.get(name));
    }

    private static void near(Map<String, String> row, String name, double found) {
        double expected = Double.parseDouble(row.get(name));
        assertEquals(expected, found, 1e-10 * Math.abs(expected), () -> name + " of " + row);
    }

    private static void compareNorms(Map<String, String> row, FunctionSpace space, BilinearForm form) {
        PointFunction load =
                (x, f) -> f[0] = Arrays.stream(x).map(t -> Math.sin(Math.PI * t)).reduce(1, (a, b) -> a * b);
        try (FormSystem all = FormSystem.singular(form, Constraints.none(space, 1), FemCases.csr(), backend);
                FormSystem free = FormSystem.of(form, FemCases.zero(space), List.of(), FemCases.csr(), backend)) {
            all.assemble();
            CsrMatrix k = all.matrix().orElseThrow();
            assertEquals(whole(row, "dofs"), k.rows());
            near(row, "K_frobenius", frobenius(k));
            near(row, "K_trace", Arrays.stream(k.diagonal().doubles()).sum());
            double[] b = all.rightHandSide(load).doubles();
            near(row, "load_sum", Arrays.stream(b).sum());
            near(row, "load_2norm", norm(b));
            free.assemble();
            CsrMatrix kff = free.matrix().orElseThrow();
            assertEquals(whole(row, "free_dofs"), kff.rows());
            near(row, "Kff_frobenius", frobenius(kff));
            near(row, "Kff_trace", Arrays.stream(kff.diagonal().doubles()).sum());
            HostVector right = free.rightHandSide(load);
            near(row, "load_free_2norm", norm(right.doubles()));
            double[] u = free.unknowns().restrict(FemCases.solve(free, right, backend, 1e-13));
            near(row, "solution_free_2norm", norm(u));
            near(row, "solution_max", Arrays.stream(u).max().orElseThrow());
            if (k.rows() <= SMALL) {
                nearly(row, "K_lambda2", Eigenvalues.smallest(k, 2).values()[1]);
                nearly(row, "K_lambda_max", Eigenvalues.largest(k, 1).values()[0]);
                nearly(row, "Kff_lambda_min", Eigenvalues.smallest(kff, 1).values()[0]);
                nearly(row, "Kff_lambda_max", Eigenvalues.largest(kff, 1).values()[0]);
            }
        }
    }

    /** Eigenvalues are found by iterations, to eight digits or so. */
    private static void nearly(Map<String, String> row, String name, double found) {
        double expected = Double.parseDouble(row.get(name));
        assertEquals(expected, found, 1e-6 * expected, () -> name + " of " + row);
    }

    private static double frobenius(CsrMatrix a) {
        double[] sum = new double[1];
        a.forEachEntry((row, column, value) -> sum[0] += value * value);
        return Math.sqrt(sum[0]);
    }

    private static double norm(double... x) {
        return Math.sqrt(Arrays.stream(x).map(t -> t * t).sum());
    }

    @Test
    void errorsAreThoseOfFenics() throws IOException {
        for (Map<String, String> row : ReferenceData.rows("convergence.csv")) {
            if (whole(row, "dofs") > 2500) {
                continue;
            }
            ElementShape shape = shape(row);
            int dimension = shape.dimension();
            FunctionSpace space = FunctionSpace.of(FemCases.mesh(shape, whole(row, "n"),
                    row.get("distorted").equals("1")), whole(row, "order"));
            boolean linear = row.get("kappa").equals("linear");
            ManufacturedSine exact = new ManufacturedSine(dimension, linear);
            BilinearForm form = BilinearForm.diffusion(linear
                    ? Coefficient.of(1, (x, k) -> k[0] = exact.kappa(x))
                    : Coefficient.constant(1));
            try (FormSystem system = FormSystem.of(form, FemCases.zero(space), List.of(), FemCases.csr(), backend)) {
                system.assemble();
                double[] u = FemCases.solve(system, system.rightHandSide(exact::load), backend, 1e-12);
                FunctionErrors errors = FunctionErrors.of(space, u, 1, exact::value, exact::gradient);
                assertEquals(Double.parseDouble(row.get("L2_error")), errors.l2(), 1e-5 * errors.l2(), row::toString);
                assertEquals(Double.parseDouble(row.get("H1_seminorm_error")), errors.h1(), 1e-5 * errors.h1(),
                        row::toString);
            }
        }
    }
}
