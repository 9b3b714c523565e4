package org.trellis.matrices.solve;

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
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Coefficients that jump by 10⁶. Blocks of the large one that touch the boundary are thin where the grid is no multiple
 * of blocks: on coarse levels they are rows whose diagonal is all that counts, and must not be aggregated with islands.
 */
final class JumpMultigridTest {
    @ParameterizedTest
    @CsvSource({"'nx=28,contrast=1e6', 14, ''", "'nx=28,contrast=1e6', 14, 'aggregates=mis2'",
        "'nx=28,contrast=1e6', 16, 'aggregates=mis2 truncation=0.2'",
        "'nx=28,contrast=1e6', 14, 'max-levels=3'", "'nx=20,contrast=1e6,block=3', 14, 'aggregates=mis2'",
        "'nx=28,contrast=1e6,field=inclusions', 16, ''"})
    void aFewIterationsDo(String grid, int most, String words) {
        Map<String, String> options = new HashMap<>();
        for (String word : words.isEmpty() ? new String[0] : words.split(" ")) {
            options.put(word.split("=")[0], word.split("=")[1]);
        }
        CsrMatrix matrix = MatrixSpec.parse("jump3d:" + grid).generate(Precision.F64, ProgressListener.NONE);
        try (Backend backend = Backends.open("threads", Configuration.load());
                Multigrid multigrid = Multigrid.of(matrix, null, options, backend);
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend);
                DenseVector b = backend.vector(Precision.F64, matrix.rows());
                DenseVector x = backend.vector(Precision.F64, matrix.rows())) {
            b.copyFrom(HostVector.zeros(Precision.F64, matrix.rows()).fill(1));
            SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-8, 200), IterationObserver.NONE);
            assertTrue(report.converged(), report::toString);
            assertTrue(report.iterations() <= most, report.iterations() + " iterations, expected at most " + most);
            boolean spoilt = multigrid.hierarchy().remarks().stream()
                    .anyMatch(remark -> remark.startsWith("thinned out by its truncation"));
            assertTrue(words.equals("max-levels=3") ? spoilt : words.isEmpty() || !spoilt,
                    multigrid.hierarchy().remarks()::toString);
        }
    }
}
