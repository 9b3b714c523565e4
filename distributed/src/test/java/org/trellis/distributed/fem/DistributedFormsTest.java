package org.trellis.distributed.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.Division;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.BoundaryCondition;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DirichletMethod;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.MultilevelPartitioner;

/** Programs of finite elements on several ranks against the same programs on one. */
class DistributedFormsTest {
    @MustBeClosed
    private static Backend backend() {
        return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
    }

    private static FormPrograms.Solution alone(FormPrograms.Case problem, FormOptions options, String method,
            String preconditioner) {
        try (Backend backend = backend()) {
            return FormPrograms.solve(problem, options, method, preconditioner, backend);
        }
    }

    private static FormPrograms.Solution ranked(FormPrograms.Case problem, FormOptions options, String method,
            String preconditioner,
            Communicator ranks) {
        Division division = ranks.size() == 3 ? Division.blocks() : Division.by(new MultilevelPartitioner(), 1.05);
        try (Backend own = backend(); Backend backend = DistributedForms.on(own, ranks, division)) {
            return FormPrograms.solve(problem, options, method, preconditioner, backend);
        }
    }

    private static void compare(FormPrograms.Case problem, FormOptions options, String method, String preconditioner,
            int ranks,
            int apart) {
        FormPrograms.Solution one = alone(problem, options, method, preconditioner);
        double most = Arrays.stream(one.nodes()).map(Math::abs).max().orElseThrow();
        List<FormPrograms.Solution> several = ThreadRanks.run(ranks,
                communicator -> ranked(problem, options, method, preconditioner, communicator));
        for (FormPrograms.Solution solution : several) {
            assertArrayEquals(one.nodes(), solution.nodes(), 1e-8 * most);
            assertEquals(one.iterations(), solution.iterations(), apart, preconditioner);
            assertArrayEquals(several.getFirst().nodes(), solution.nodes(), "not the same on all ranks");
        }
    }

    @ParameterizedTest
    @CsvSource({"squares, CSR, GLOBAL_REUSE, 2", "squares, MATRIX_FREE_FACTORED, SUM_FACTORISED, 4",
        "squares, LAZY_ELLPACK, LOCAL_STORAGE, 1", "squares, ELLPACK, GLOBAL_REUSE, 3",
        "squares, CSR_SEARCH, GLOBAL_REUSE, 3", "bent, CSR, GLOBAL_REUSE, 3", "bent, MATRIX_FREE, GLOBAL_REUSE, 2",
        "bent, LAZY_ELLPACK, GLOBAL_REUSE, 2", "body, LOCAL_MATRICES, LOCAL_STORAGE, 4", "body, CSR, GLOBAL_REUSE, 2",
        "sliding, CSR, GLOBAL_REUSE, 3"})
    void severalRanksSolveAsOne(String name, Storage storage, Formulation formulation, int ranks) {
        compare(FormPrograms.named(name), FormOptions.of(storage, formulation, Precision.F64), "cg", "jacobi", ranks,
                1);
    }

    /** What is apart from one rank's: nothing but rounding, and how algebraic levels below degree 1 are divided. */
    @ParameterizedTest
    @CsvSource({"none, squares, CSR, 2, cg, 1", "jacobi, squares, CSR, 3, gmres, 1",
        "block-jacobi, body, CSR, 3, cg, 1",
        "block-jacobi, body, LOCAL_MATRICES, 2, cg, 1", "block-jacobi, squares, MATRIX_FREE, 3, gmres, 1",
        "block-jacobi, sliding, CSR, 3, cg, 1", "chebyshev, squares, MATRIX_FREE_FACTORED, 3, cg, 1",
        "chebyshev, body, CSR, 2, cg, 1", "amg, squares, CSR, 4, cg, 1", "amg, body, CSR, 3, cg, 1",
        "p-multigrid, squares, CSR, 3, cg, 2", "p-multigrid, squares, MATRIX_FREE_FACTORED, 2, cg, 2",
        "p-multigrid, bent, CSR, 2, cg, 2", "p-multigrid, thick, CSR, 3, cg, 2",
        "p-multigrid, squares, LOCAL_MATRICES, 4, gmres, 2", "geometric, nested, MATRIX_FREE_FACTORED, 2, cg, 1",
        "geometric, nested, CSR, 3, cg, 1", "geometric, nested, MATRIX_FREE, 4, gmres, 1",
        "l1-jacobi, squares, CSR, 2, cg, 1", "spai0, squares, CSR, 3, cg, 1"})
    void preconditionersAreThoseOfOneRank(String name, String title, Storage storage, int ranks, String method,
            int apart) {
        FormPrograms.Case problem = FormPrograms.named(title);
        compare(problem, FormPrograms.options(problem, storage), method, name, ranks, apart);
    }

    @ParameterizedTest
    @EnumSource(Storage.class)
    void refilledValuesAreThoseOfTheNewCoefficients(Storage storage) {
        double[] factor = {1};
        FormPrograms.Case problem = FormPrograms.named("squares");
        BilinearForm form = BilinearForm.diffusion(Coefficient.ofLoop(1, (mesh, x, k) -> k.fill(factor[0])));
        ThreadRanks.run(2, ranks -> {
            try (Backend own = backend();
                    Backend backend = DistributedForms.on(own, ranks);
                    FormSystem system = FormSystem.of(form, problem.constraints().apply(problem.space()), List.of(),
                            FormOptions.of(storage, Formulation.GLOBAL_REUSE, Precision.F64), backend)) {
                system.assemble();
                HostVector x = HostVector.of(Precision.F64, system.size(), k -> 1 + k % 7);
                HostVector before = HostVector.zeros(Precision.F64, system.size());
                HostVector after = HostVector.zeros(Precision.F64, system.size());
                system.operator().apply(x, before);
                ranks.barrier();
                factor[0] = 2;
                ranks.barrier();
                system.assemble();
                system.operator().apply(x, after);
                for (int k = 0; k < after.length(); k++) {
                    assertEquals(2 * before.get(k), after.get(k), 1e-12 * (1 + Math.abs(after.get(k))));
                }
                ranks.barrier();
                factor[0] = 1;
            }
            return null;
        });
    }

    @Test
    void singlePrecisionTravelsToo() {
        FormPrograms.Case problem = FormPrograms.named("squares");
        FormOptions options = FormOptions.of(Storage.MATRIX_FREE, Formulation.GLOBAL_REUSE, Precision.F32);
        double[] expected;
        try (Backend backend = backend()) {
            expected = product(problem, options, backend);
        }
        ThreadRanks.run(3, ranks -> {
            try (Backend own = backend(); Backend backend = DistributedForms.on(own, ranks, Division.blocks())) {
                assertArrayEquals(expected, product(problem, options, backend), 1e-4);
            }
            return null;
        });
    }

    private static double[] product(FormPrograms.Case problem, FormOptions options, Backend backend) {
        try (FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(problem.space()),
                List.of(), options, backend)) {
            system.assemble();
            HostVector x = system.rightHandSide(problem.load());
            HostVector y = HostVector.zeros(x.precision(), x.length());
            system.operator().apply(x, y);
            return system.unknowns().expand(y.toDoubleArray());
        }
    }

    /** More ranks than unknowns: some own nothing, and take part all the same. */
    @Test
    void ranksMayOwnNothing() {
        FormPrograms.Case few = new FormPrograms.Case(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 2, x -> x), 1,
                BilinearForm.diffusion(Coefficient.constant(1)), space -> Constraints.onBoundary(space, x -> x[0]),
                List.of(), (x, f) -> f[0] = 1);
        for (Storage storage : List.of(Storage.CSR, Storage.MATRIX_FREE, Storage.ELLPACK)) {
            compare(few, FormPrograms.options(few, storage), "cg", "jacobi", 3, 0);
        }
        compare(few, FormPrograms.options(few, Storage.CSR), "cg", "amg", 4, 0);
        compare(few, FormPrograms.options(few, Storage.LOCAL_MATRICES), "cg", "block-jacobi", 2, 0);
    }

    @Test
    void whatRanksHaveNotIsRefused() {
        FormPrograms.Case problem = FormPrograms.named("squares");
        ThreadRanks.run(2, ranks -> {
            try (Backend own = backend(); Backend backend = DistributedForms.on(own, ranks)) {
                Constraints constraints = problem.constraints().apply(problem.space());
                FormOptions local =
                        FormOptions.of(Storage.LOCAL_MATRICES, Formulation.GLOBAL_REUSE, Precision.F64);
                try (FormSystem system =
                        FormSystem.of(problem.form(), constraints, List.of(), local, backend)) {
                    system.assemble();
                    assertTrue(refusal(system, "ssor").contains("expected storage csr or csr-search"));
                    assertTrue(refusal(system, "amg").contains("expected storage csr or csr-search"));
                }
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> FormSystem.of(problem.form(), constraints, List.of(),
                                local.withStorage(Storage.CSR).withDirichlet(DirichletMethod.ROWS), backend))
                        .getMessage().contains("constraints eliminated"));
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> FormSystem.of(problem.form(), constraints,
                                List.of(BoundaryCondition.neumann(x -> false, (x, g) -> g[0] = 1)), local, backend))
                        .getMessage().contains("holds on no facet"));
            }
            return null;
        });
    }

    private static String refusal(FormSystem system, String name) {
        return assertThrows(IllegalArgumentException.class,
                () -> FormPreconditioners.of(name, Map.of(), system)).getMessage();
    }
}
