package org.trellis.matrices.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.MatrixProduct;

/**
 * Smoothers of nodes and of single unknowns on elasticity whose displacements are in oblique directions, as supports
 * that slide make them: blocks take as many iterations as for displacements along the axes, single unknowns more.
 */
final class BlockSmootherTest {
    private static CsrMatrix elasticity() {
        return MatrixSpec.parse("elasticity2d:nx=20").generate(Precision.F64, ProgressListener.NONE);
    }

    /** Displacements along the x axis and at an angle of 20 degrees to it. */
    private static CsrMatrix oblique(CsrMatrix a) {
        double angle = Math.toRadians(20);
        CsrMatrix node = DenseBlocks.fromRows(new double[][]{{1, Math.cos(angle)}, {0, Math.sin(angle)}},
                Precision.F64);
        CsrMatrix all = KroneckerProduct.of(CsrMatrix.identity(a.rows() / 2, Precision.F64), node);
        return MatrixProduct.triple(all.transpose(), a, all);
    }

    private static int iterations(CsrMatrix a, String preconditioner, String options) {
        Map<String, String> given = new HashMap<>();
        for (String option : options.split(" ")) {
            given.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        HostVector b = a.multiply(HostVector.of(Precision.F64, a.rows(), i -> ((7919L * i + 13) % 1009) / 1009.0));
        HostVector x = HostVector.zeros(Precision.F64, a.rows());
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                Preconditioner inverse =
                        NamedPreconditioners.of(preconditioner, a, product, backend, given).orElseThrow();
                ConjugateGradient solver = new ConjugateGradient(product, inverse, backend)) {
            assertTrue(inverse.symmetric());
            SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-8, 1000));
            assertTrue(report.converged(), report.toString());
            return report.iterations();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "gauss-seidel | order=natural | block-gauss-seidel | block-size=2 order=natural",
        "gauss-seidel | order=coloured | block-gauss-seidel | block-size=2",
        "jacobi | sweeps=1 | block-jacobi | block-size=2",
        "amg | block-size=2 coarse-rows=30 smoother=gauss-seidel "
                + "| amg | block-size=2 coarse-rows=30 smoother=block-gauss-seidel",
        "amg | block-size=2 coarse-rows=30 smoother=l1-jacobi "
                + "| amg | block-size=2 coarse-rows=30 smoother=block-jacobi,omega=0.5"})
    void nodesTakeFewerIterations(String point, String pointOptions, String block, String blockOptions) {
        CsrMatrix straight = elasticity();
        CsrMatrix oblique = oblique(straight);
        int single = iterations(oblique, point, pointOptions);
        int nodes = iterations(oblique, block, blockOptions);
        assertTrue(1.2 * nodes < single, () -> nodes + " iterations of nodes, " + single + " of single unknowns");
        // The prolongator of multigrid is smoothed by single unknowns.
        assertEquals(iterations(straight, block, blockOptions), nodes, 6 + 0.05 * nodes);
    }
}
