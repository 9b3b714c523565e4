package org.trellis.matrices.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Iterations of conjugate gradients against those of PETSc 3.18.5 for the same systems: b = A x with x_i = ((7919 i +
 * 13) mod 1009) / 1009, from zero to a residual of 1e-8 of b.
 */
final class PreconditionerCountsTest {
    private static final double SHARE = 0.02;

    private static Map<String, String> options(String text) {
        return text == null
                ? Map.of()
                : List.of(text.split(" ")).stream().map(option -> option.split("="))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "poisson2d:nx=64 | ssor | order=natural | 58",
        "poisson2d:nx=64 | ssor | order=natural omega=1.5 | 37",
        "poisson2d:nx=64 | ssor | | 83",
        "poisson2d:nx=64 | ic0 | | 50",
        "poisson2d:nx=128 | jacobi | | 288",
        "poisson2d:nx=128 | ssor | order=natural | 111",
        "poisson2d:nx=128 | ssor | order=natural omega=1.5 | 68",
        "poisson2d:nx=128 | ssor | | 144",
        "poisson2d:nx=128 | gauss-seidel | | 144",
        "poisson2d:nx=128 | ic0 | | 94",
        "poisson2d:nx=128 | ilu0 | | 94",
        "poisson2d:nx=128,points=9 | ssor | order=natural | 92",
        "poisson2d:nx=128,points=9 | ssor | | 116",
        "poisson2d:nx=128,points=9 | ic0 | | 68",
        "poisson3d:nx=32 | ssor | order=natural | 37",
        "poisson3d:nx=32 | ssor | | 51",
        "poisson3d:nx=32 | ic0 | | 34",
        "poisson3d:nx=32,points=27 | ssor | | 34",
        "poisson3d:nx=32,points=27 | ic0 | | 24",
        "anisotropic2d:nx=128,epsilon=0.001,angle=30 | ssor | order=natural | 191",
        "anisotropic2d:nx=128,epsilon=0.001,angle=30 | ssor | | 239",
        "anisotropic2d:nx=128,epsilon=0.001,angle=30 | ic0 | | 23",
        "anisotropic2d:nx=128,epsilon=0.001,angle=0 | ssor | | 221",
        "anisotropic2d:nx=128,epsilon=0.001,angle=0 | ic0 | | 23"})
    void iterationsAreThoseOfPetsc(String problem, String name, String options, int expected) {
        CsrMatrix matrix = MatrixSpec.parse(problem).generate(Precision.F64, ProgressListener.NONE);
        HostVector b = matrix.multiply(HostVector.of(Precision.F64, matrix.rows(),
                i -> ((7919L * i + 13) % 1009) / 1009.0));
        HostVector x = HostVector.zeros(Precision.F64, matrix.rows());
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner preconditioner =
                        Preconditioners.of(name, matrix, product, backend, options(options)).orElseThrow();
                ConjugateGradient solver = new ConjugateGradient(product, preconditioner, backend)) {
            assertTrue(preconditioner.symmetric());
            SolveReport report =
                    solver.solve(b, x, StoppingCriteria.relative(1e-8, 2000), ProgressListener.NONE);
            assertTrue(report.converged(), report.toString());
            assertEquals(expected, report.iterations(), Math.max(1, SHARE * expected), report.toString());
        }
    }
}
