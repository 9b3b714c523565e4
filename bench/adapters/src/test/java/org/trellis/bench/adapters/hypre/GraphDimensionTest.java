package org.trellis.bench.adapters.hypre;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;

class GraphDimensionTest {
    @ParameterizedTest
    @CsvSource({"poisson2d:nx=60, 1, 2", "poisson2d:nx=300, 1, 2", "poisson3d:nx=20, 1, 3", "poisson3d:nx=40, 1, 3",
        "elasticity3d:nx=20, 3, 3", "elasticity3d:nx=20, 1, 3", "elasticity2d:nx=60, 2, 2"})
    void isThatOfTheMesh(String specification, int block, int expected) throws Exception {
        CsrMatrix matrix = new MatrixLocator(Configuration.load(), ReadOptions.DEFAULT).locate(specification)
                .getFirst().load(ProgressListener.NONE);
        assertEquals(expected, GraphDimension.of(matrix, block));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "7"})
    void isTwoWhereNothingCanBeSeen(int rows) {
        assertEquals(2, GraphDimension.of(CsrMatrix.identity(rows, Precision.F64), 1));
    }
}
