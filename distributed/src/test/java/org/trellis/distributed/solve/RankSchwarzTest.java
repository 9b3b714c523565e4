package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.SparseLu;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.PartitionedCase;

/** Schwarz methods over ranks against their formula with dense matrices, and under methods. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankSchwarzTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();

    /** What a rank found of one choice of options. */
    private record Applied(double[] y, boolean symmetric, long exchanges, long reverse) {}

    private static double entry(long i) {
        return Math.sin(3 * i + 1.0);
    }

    private static Map<String, String> options(int overlap, String local, String variant) {
        return Map.of("overlap", Integer.toString(overlap), "local", local, "variant", variant);
    }

    /** Applies each of the choices twice. */
    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static List<List<Applied>> apply(CsrMatrix whole, Partition partition, List<Map<String, String>> choices) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            List<Applied> found = new ArrayList<>();
            try (RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD))) {
                for (Map<String, String> choice : choices) {
                    try (RankSchwarz schwarz = RankSchwarz.of(matrix, choice, backend)) {
                        HostVector y = matrix.vector(i -> i);
                        schwarz.apply(matrix.vector(i -> 7), matrix.vector(i -> 0));
                        schwarz.apply(-2, matrix.vector(RankSchwarzTest::entry), 0.5, y);
                        found.add(new Applied(matrix.gather(0, y).toDoubleArray(), schwarz.symmetric(),
                                schwarz.exchanges(), schwarz.reverseExchanges()));
                    }
                }
            }
            return found;
        });
    }

    /** Computes −2 M⁻¹ x + 0.5 y by the formula, from sets of global indices. */
    private static double[] formula(double[][] dense, Partition partition, int overlap, boolean restricted) {
        int rows = dense.length;
        double[] y = new double[rows];
        Arrays.setAll(y, i -> 0.5 * i);
        for (int rank = 0; rank < partition.parts(); rank++) {
            TreeSet<Integer> set = new TreeSet<>();
            for (int row = 0; row < rows; row++) {
                if (partition.partOf()[row] == rank) {
                    set.add(row);
                }
            }
            for (int ring = 0; ring < overlap; ring++) {
                for (int row : List.copyOf(set)) {
                    for (int column = 0; column < rows; column++) {
                        if (dense[row][column] != 0) {
                            set.add(column);
                        }
                    }
                }
            }
            int[] indices = set.stream().mapToInt(Integer::intValue).toArray();
            double[][] local = new double[indices.length][indices.length + 1];
            for (int i = 0; i < indices.length; i++) {
                for (int j = 0; j < indices.length; j++) {
                    local[i][j] = dense[indices[i]][indices[j]];
                }
                local[i][indices.length] = entry(indices[i]);
            }
            double[] solution = eliminate(local);
            for (int i = 0; i < indices.length; i++) {
                if (!restricted || partition.partOf()[indices[i]] == rank) {
                    y[indices[i]] -= 2 * solution[i];
                }
            }
        }
        return y;
    }

    /** Solves a dense system whose right-hand side is its last column, with pivots by rows. */
    private static double[] eliminate(double[][] a) {
        int n = a.length;
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                pivot = Math.abs(a[i][k]) > Math.abs(a[pivot][k]) ? i : pivot;
            }
            double[] row = a[pivot];
            a[pivot] = a[k];
            a[k] = row;
            for (int i = k + 1; i < n; i++) {
                double factor = a[i][k] / row[k];
                for (int j = k; factor != 0 && j <= n; j++) {
                    a[i][j] -= factor * row[j];
                }
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double sum = a[i][n];
            for (int j = i + 1; j < n; j++) {
                sum -= a[i][j] * x[j];
            }
            x[i] = sum / a[i][i];
        }
        return x;
    }

    private static double[][] dense(CsrMatrix matrix) {
        double[][] dense = new double[matrix.rows()][matrix.rows()];
        matrix.forEachEntry((row, column, value) -> dense[row][column] += value);
        return dense;
    }

    /** Returns A + Aᵀ with a diagonal that dominates. */
    private static CsrMatrix symmetrised(CsrMatrix matrix) {
        double[][] a = dense(matrix);
        CsrBuilder builder = new CsrBuilder(a.length, matrix.precision(), 2 * matrix.nonZeros());
        for (int i = 0; i < a.length; i++) {
            double[] row = new double[a.length];
            for (int j = 0; j < a.length; j++) {
                row[j] = a[i][j] + a[j][i];
            }
            row[i] = 1 + Arrays.stream(row).map(Math::abs).sum();
            for (int j = 0; j < a.length; j++) {
                if (row[j] != 0) {
                    builder.add(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void operatorIsItsFormula(int ranks) {
        List<Map<String, String>> choices = new ArrayList<>();
        for (int overlap = 0; overlap <= 2; overlap++) {
            choices.add(options(overlap, "direct", "restricted"));
            choices.add(options(overlap, "direct", "additive"));
        }
        List<PartitionedCase> all = PartitionedCase.all(ranks, Precision.F64);
        // Two fifths of the kinds for each number of ranks, all of them with some.
        for (int number = ranks % 5; number < all.size(); number += number % 5 == ranks % 5 ? 1 : 4) {
            PartitionedCase problem = all.get(number);
            boolean symmetric = number % 2 == 0;
            CsrMatrix whole = symmetric ? symmetrised(problem.matrix()) : problem.matrix();
            double[][] dense = dense(whole);
            List<List<Applied>> found = apply(whole, problem.partition(), choices);
            for (int c = 0; c < choices.size(); c++) {
                int overlap = c / 2;
                boolean restricted = c % 2 == 0;
                String what = problem + ", symmetric " + symmetric + ", " + choices.get(c);
                assertArrayEquals(formula(dense, problem.partition(), overlap, restricted),
                        found.getFirst().get(c).y(), 1e-11, what);
                for (List<Applied> ofRank : found) {
                    Applied applied = ofRank.get(c);
                    assertEquals(overlap == 0 ? 0 : 2, applied.exchanges(), what);
                    assertEquals(overlap == 0 || restricted ? 0 : 2, applied.reverse(), what);
                    assertTrue(!symmetric || applied.symmetric() == (overlap == 0 || !restricted), what);
                    assertEquals(found.getFirst().get(c).symmetric(), applied.symmetric(), what);
                }
            }
        }
    }

    @Test
    void singlePrecisionIsItsFormula() {
        for (PartitionedCase problem : PartitionedCase.all(3, Precision.F32).subList(0, 4)) {
            List<Map<String, String>> choices =
                    List.of(options(1, "direct", "additive"), options(2, "direct", "restricted"));
            List<Applied> found = apply(problem.matrix(), problem.partition(), choices).getFirst();
            double[][] dense = dense(problem.matrix());
            assertArrayEquals(formula(dense, problem.partition(), 1, false), found.get(0).y(), 1e-4, problem::toString);
            assertArrayEquals(formula(dense, problem.partition(), 2, true), found.get(1).y(), 1e-4, problem::toString);
        }
    }

    private static SolverConfig stack(String method, Map<String, String> options) {
        return new SolverConfig(method, Map.of(), "schwarz", options, StoppingCriteria.relative(1e-10, 500), false,
                false);
    }

    private static double[] rightHandSide(CsrMatrix whole) {
        double[] b = new double[whole.rows()];
        Arrays.setAll(b, RankSchwarzTest::entry);
        return b;
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static SolveReport solve(SolverConfig stack, CsrMatrix whole, Partition partition, double[] solution) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend)) {
                HostVector x = matrix.vector(i -> 0);
                SolveReport report = solver.solve(matrix.vector(RankSchwarzTest::entry), x, stack.criteria(),
                        IterationObserver.NONE);
                double[] all = matrix.gather(0, x).toDoubleArray();
                System.arraycopy(all, 0, solution, 0, all.length);
                return report;
            }
        }).getFirst();
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        return new Partition(partOf, parts);
    }

    private static CsrMatrix generate(String text) {
        return MatrixSpec.parse(text).generate(Precision.F64, ProgressListener.NONE);
    }

    @ParameterizedTest
    @CsvSource({"cg,ic0,additive,2", "cg,ilu0,additive,1", "cg,direct,additive,2", "cg,direct,restricted,0",
        "pipelined-cg,ic0,additive,1", "minres,direct,additive,1", "gmres,ilu0,restricted,2",
        "gmres,direct,restricted,1", "bicgstab,ilu0,restricted,1", "fgmres,direct,additive,1",
        "idr,ilu0,restricted,2"})
    void methodsFindTheSolution(String method, String local, String variant, int overlap) {
        CsrMatrix whole = generate("poisson2d:nx=20");
        double[] expected = SparseLu.of(whole).solve(rightHandSide(whole));
        double[] found = new double[whole.rows()];
        SolveReport report = solve(stack(method, options(overlap, local, variant)), whole, blocks(whole.rows(), 3),
                found);
        assertTrue(report.converged() && report.iterations() < 60, report::toString);
        assertArrayEquals(expected, found, 1e-7);
    }

    @ParameterizedTest
    @CsvSource({"gmres,restricted", "cg,additive"})
    void iterationsFallWithTheOverlap(String method, String variant) {
        CsrMatrix whole = generate("poisson2d:nx=40");
        List<Integer> counts = new ArrayList<>();
        for (int overlap : new int[]{0, 1, 2, 4}) {
            SolveReport report = solve(stack(method, options(overlap, "direct", variant)), whole,
                    blocks(whole.rows(), 4), new double[whole.rows()]);
            assertTrue(report.converged(), report::toString);
            counts.add(report.iterations());
        }
        for (int i = 1; i < counts.size(); i++) {
            assertTrue(counts.get(i) < counts.get(i - 1), "iterations of " + method + " with 0, 1, 2, 4: " + counts);
        }
    }

    @ParameterizedTest
    @CsvSource({"direct,1", "ilu0,1", "ic0,2"})
    void oneRankIsTheLocalSolver(String local, int overlap) {
        CsrMatrix whole = generate("poisson2d:nx=12");
        SolverConfig stack = stack("cg", options(overlap, local, "additive"));
        double[] ranked = new double[whole.rows()];
        SolveReport one = solve(stack, whole, blocks(whole.rows(), 1), ranked);
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(whole);
                LinearSolver solver = stack.prepare(whole, product, backend)) {
            HostVector x = HostVector.zeros(Precision.F64, whole.rows());
            SolveReport alone = solver.solve(HostVector.of(rightHandSide(whole)), x, stack.criteria(),
                    IterationObserver.NONE);
            assertTrue(alone.converged(), alone::toString);
            assertEquals(alone.iterations(), one.iterations(), 1);
            assertArrayEquals(x.toDoubleArray(), ranked, 1e-8);
            assertTrue(!local.equals("direct") || alone.iterations() == 1, alone::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"cg|restricted|1|expected variant=additive or overlap=0",
        "minres|restricted|3|gmres, bicgstab and idr take the restricted variant",
        "s-step|additive|1|method s-step with preconditioner schwarz, which takes jacobi or chebyshev",
        "s-step-gmres|restricted|1|which takes jacobi or chebyshev or amg"})
    void whatDoesNotGoTogetherIsRefused(String method, String variant, int overlap, String message) {
        SolverConfig stack = stack(method, options(overlap, "ilu0", variant));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> PartitionedSolver.refuse(stack)).getMessage()
                .contains(message));
        PartitionedSolver.refuse(stack("cg", options(0, "ilu0", "restricted")));
        PartitionedSolver.refuse(stack("fcg", options(1, "ilu0", "restricted")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"overlap=-1|option overlap is '-1', expected a whole number from 0 to 99",
        "overlap=two|expected a whole number", "local=amg|expected one of [ic0, ilu0, ick, iluk, ict, ilut, direct]",
        "variant=symmetric|expected one of [restricted, additive]", "shift=1|expected one of overlap, local, variant"})
    void wrongOptionsAreRefused(String option, String message) {
        String[] parts = option.split("=");
        String refused = assertThrows(IllegalArgumentException.class, () -> stack("gmres",
                Map.of(parts[0], parts[1]))).getMessage();
        assertTrue(refused.contains(message), refused);
    }

    /** Rank 1 has a local problem whose second row and column are zero. */
    @Test
    void singularLocalProblemsNameTheirGlobalRow() {
        CsrMatrix whole = CsrMatrix.of(4, 4, new int[]{0, 2, 3, 4, 5}, new int[]{0, 3, 1, 2, 0},
                new double[]{1, 1, 1, 1, 1});
        JobFailedException failed = assertThrows(JobFailedException.class,
                () -> apply(whole, blocks(4, 2), List.of(options(0, "direct", "restricted"))));
        assertTrue(assertInstanceOf(FactorisationException.class, failed.getCause()).getMessage()
                .matches("(?s)schwarz, overlap=0.* on rank 1.*row 1 of the local problem is row 3 of the matrix"),
                failed::getMessage);
        List<Applied> overlapping = apply(whole, blocks(4, 2), List.of(options(1, "direct", "restricted"))).getFirst();
        assertArrayEquals(formula(dense(whole), blocks(4, 2), 1, true), overlapping.getFirst().y(), 1e-14);
    }
}
