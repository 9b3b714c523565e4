package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** What sets LGMRES, TFQMR, BiCG and LSMR apart from their relatives. */
class MoreKrylovTest {
    private final Backend reference = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        reference.close();
    }

    private SolveReport solve(KrylovMethod method, Map<String, String> options, CsrMatrix matrix, HostVector b,
            HostVector x, double tolerance, int most) {
        return KrylovSystems.solve(reference, matrix, method, false, options, b, x,
                StoppingCriteria.relative(tolerance, most));
    }

    @Test
    void correctionsShortenCyclesAndServeTheNextSystem() {
        CsrMatrix matrix = KrylovSystems.laplacian(30, Precision.F64);
        SplittableRandom random = TestSeed.random("corrections");
        HostVector b = KrylovSystems.random(Precision.F64, 900, random);
        SolveReport plain = solve(KrylovMethod.GMRES, Map.of("restart", "10"), matrix, b,
                HostVector.zeros(Precision.F64, 900), 1e-8, 5000);
        try (SpmvOperator product = reference.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = KrylovMethod.LGMRES.prepare(product, null, reference,
                        Map.of("restart", "10", "corrections", "3"))) {
            StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 5000);
            SolveReport first = solver.solve(b, HostVector.zeros(Precision.F64, 900), criteria,
                    IterationObserver.NONE);
            assertEquals("lgmres(10, 3)", first.method());
            assertTrue(first.converged(), first::toString);
            assertTrue(first.iterations() < 0.8 * plain.iterations(),
                    first.iterations() + " iterations, without corrections " + plain.iterations());
            HostVector similar = HostVector.of(Precision.F64, 900, i -> b.get(i) + 1e-3 * random.nextDouble());
            SolveReport second = solver.solve(similar, HostVector.zeros(Precision.F64, 900), criteria,
                    IterationObserver.NONE);
            assertTrue(second.converged(), second::toString);
            assertTrue(second.iterations() < 0.9 * first.iterations(),
                    second.iterations() + " iterations after " + first.iterations());
        }
    }

    @Test
    void lsmrKnowsItsResidualAndLowersTheGradientAlways() {
        SplittableRandom random = TestSeed.random("lsmr");
        CsrMatrix matrix = KrylovSystems.laplacian(15, Precision.F64).submatrix(0, 225, 0, 160);
        CsrMatrix transposed = matrix.transpose();
        HostVector b = KrylovSystems.random(Precision.F64, 225, random);
        double before = Double.POSITIVE_INFINITY;
        for (int most = 1; most < 40; most += 3) {
            HostVector x = HostVector.zeros(Precision.F64, 160);
            SolveReport report = solve(KrylovMethod.LSMR, Map.of(), matrix, b, x, 1e-14, most);
            assertEquals(1, report.finalResidual() / report.trueResidual(), 1e-8, report.toString());
            double[] r = matrix.multiply(x).toDoubleArray();
            for (int i = 0; i < r.length; i++) {
                r[i] = b.get(i) - r[i];
            }
            double gradient = VectorArithmetic.norm(transposed.multiply(r));
            assertTrue(gradient <= before * (1 + 1e-10), gradient + " after " + before + ", " + report);
            before = gradient;
        }
    }

    @Test
    void tfqmrNeverClaimsLessThanTheResidual() {
        SplittableRandom random = TestSeed.random("tfqmr");
        CsrMatrix matrix = KrylovSystems.unsymmetric(200, Precision.F64, random);
        HostVector b = KrylovSystems.random(Precision.F64, 200, random);
        for (int most = 1; most < 12; most += 2) {
            SolveReport report = solve(KrylovMethod.TFQMR, Map.of(), matrix, b, HostVector.zeros(Precision.F64, 200),
                    1e-13, most);
            assertTrue(report.finalResidual() >= (1 - 1e-6) * report.trueResidual(), report::toString);
        }
    }

    /** On a symmetric matrix BiCG is conjugate gradients. */
    @Test
    void bicgIteratesAsConjugateGradientsDo() {
        CsrMatrix matrix = KrylovSystems.laplacian(12, Precision.F64);
        HostVector b = KrylovSystems.random(Precision.F64, 144, TestSeed.random("bicg"));
        SolveReport plain = solve(KrylovMethod.CG, Map.of(), matrix, b, HostVector.zeros(Precision.F64, 144), 1e-6,
                1000);
        SolveReport both = solve(KrylovMethod.BICG, Map.of(), matrix, b, HostVector.zeros(Precision.F64, 144), 1e-6,
                1000);
        for (int k = 0; k <= 15; k++) {
            assertEquals(1, both.residualHistory().get(k) / plain.residualHistory().get(k), 1e-8, "iteration " + k);
        }
        SolverConfig unsymmetric = SolverConfig.of("bicg", "ilu0");
        CsrMatrix other = KrylovSystems.unsymmetric(144, Precision.F64, TestSeed.random("bicg and ilu0"));
        String message = assertThrows(IllegalArgumentException.class, () -> {
            try (SpmvOperator product = reference.kernels(SparseKernels.class).prepare(other);
                    LinearSolver solver = unsymmetric.prepare(other, product, reference)) {
                solver.solve(b, HostVector.zeros(Precision.F64, 144), unsymmetric.criteria());
            }
        }).getMessage();
        assertTrue(message.contains("serves the transposed system too"), message);
    }
}
