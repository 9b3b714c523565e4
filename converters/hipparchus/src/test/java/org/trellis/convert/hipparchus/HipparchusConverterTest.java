package org.trellis.convert.hipparchus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class HipparchusConverterTest {
    @Test
    void goesThereAndBack() {
        SplittableRandom random = TestSeed.random("Hipparchus goesThereAndBack");
        for (int trial = 0; trial < 20; trial++) {
            int columns = random.nextInt(1, 40);
            CsrMatrix matrix = AwkwardMatrices.random(random.nextInt(1, 40), columns,
                    row -> random.nextInt(columns + 1), trial % 2 == 0 ? Precision.F32 : Precision.F64, random)
                    .dropSmall(0);
            CsrMatrix back = HipparchusConverter.fromHipparchus(HipparchusConverter.toHipparchus(matrix));
            assertTrue(matrix.toPrecision(Precision.F64).sameAs(back), "trial " + trial + ", seed " + TestSeed.value());
        }
    }

    @Test
    void takesDenseMatrices() {
        CsrMatrix matrix = HipparchusConverter.fromHipparchus(
                new Array2DRowRealMatrix(new double[][]{{0, 2}, {0, 0}, {3, 0}}));
        assertEquals(2, matrix.nonZeros());
        assertEquals(3, matrix.get(2, 0));
    }

    @Test
    void sizesThatHipparchusDoesNotHaveAreRefused() {
        for (CsrMatrix matrix : new CsrMatrix[]{CsrMatrix.identity(0, Precision.F64),
            CsrMatrix.identity(50_000, Precision.F64)}) {
            String message = assertThrows(IllegalArgumentException.class,
                    () -> HipparchusConverter.toHipparchus(matrix)).getMessage();
            assertEquals("matrix of " + matrix.rows() + " x " + matrix.rows() + ", expected at least one row and one "
                    + "column and fewer than 2147483647 elements, as Hipparchus has them", message);
        }
    }
}
