package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/** Matrices that do not fit are refused by their sizes, before rows are counted or anything is allocated. */
class LeastNonZerosTest {
    private static MatrixGenerator generator(String text) {
        MatrixSpec spec = MatrixSpec.parse(text);
        return spec.kind().generator(spec.arguments());
    }

    /** Rows whose lengths must not be counted. */
    private record Uncounted(RowSource source) implements RowSource {
        @Override
        public int rows() {
            return source.rows();
        }

        @Override
        public int columns() {
            return source.columns();
        }

        @Override
        public long leastNonZeros() {
            return source.leastNonZeros();
        }

        @Override
        public int length(int row) {
            throw new AssertionError("the length of row " + row);
        }

        @Override
        public void fill(int row, RowBuffer buffer) {
            throw new AssertionError("row " + row);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"poisson2d:nx=46340", "poisson2d:nx=46340,points=9", "poisson3d:nx=1290",
        "poisson3d:nx=1290,points=27", "anisotropic2d:nx=46340", "jump2d:nx=46340", "jump3d:nx=1290",
        "elasticity2d:nx=32000", "elasticity3d:nx=880", "random:rows=1e6,mean=1e6",
        "random:rows=1e6,mean=5e5,window=9e5",
        "random:rows=1e6,lengths=normal,mean=5e5", "random:rows=1e8,lengths=power,exponent=1,max=1e7",
        "random:rows=1e6,lengths=huge,hugeRows=1e6,hugeLength=5e5", "banded:n=1e6,lower=1e6",
        "banded:n=2e6,lower=1e6,density=0.5", "banded:n=2e9,lower=2e9"})
    void hugeRowsAreNotCounted(String spec) {
        RowSource source = assertInstanceOf(RowSource.class, generator(spec));
        for (Precision precision : Precision.values()) {
            String message = assertThrows(IllegalArgumentException.class,
                    () -> new Uncounted(source).generate(precision, ProgressListener.NONE)).getMessage();
            assertTrue(message.contains(" non-zeros needs at least "), message);
            assertTrue(message.endsWith("the heap of this JVM (option -Xmx)"), message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"block:blockRows=1,block=2e9", "blockdiagonal:blockRows=40000,block=50000",
        "block:blockRows=1e5,block=20000,neighbours=1000", "geometric:points=1e9,mean=1e6",
        "geometric:points=1e6,mean=1e6,dimensions=3", "rmat:scale=30,edgeFactor=1.9"})
    void hugePatternsAreNotDrawn(String spec) {
        MatrixGenerator generator = generator(spec);
        String message = assertThrows(IllegalArgumentException.class, () -> generator.generate(Precision.F64))
                .getMessage();
        assertTrue(message.endsWith("the heap of this JVM (option -Xmx)"), message);
    }

    /** A count of 2³⁰ blocks of 2³¹ rows has more than 64 bits; one block of few rows fits whatever is asked for. */
    @Test
    void productsOfSizesDoNotOverflow() {
        assertThrows(IllegalArgumentException.class,
                () -> HeapCheck.check(1, 1, Long.MAX_VALUE / 8, Precision.F64));
        assertThrows(IllegalArgumentException.class,
                () -> generator("block:blockRows=1000,block=2147483").generate(Precision.F32));
        assertEquals(9, generator("block:blockRows=1,block=3,neighbours=100000").generate(Precision.F32).nonZeros());
    }

    @ParameterizedTest
    @ValueSource(strings = {"poisson2d:nx=1", "poisson2d:nx=7,ny=1,points=9", "poisson2d:nx=5,ny=8,points=7",
        "poisson3d:nx=3,ny=1,nz=4", "poisson3d:nx=4,points=27", "anisotropic2d:nx=6,ny=5", "jump2d:nx=6,ny=2",
        "jump3d:nx=3,ny=2,nz=1", "elasticity2d:nx=3,ny=5", "elasticity3d:nx=2,ny=3,nz=1",
        "convection2d:nx=5,ny=3", "convection3d:nx=3,ny=1,nz=4", "helmholtz2d:nx=3", "helmholtz3d:nx=2,ny=3",
        "stokes2d:nx=2,ny=5", "stokes3d:nx=2,ny=3,nz=4,compressibility=1", "mixed2d:nx=1,ny=4", "banded:n=0",
        "banded:n=1,lower=5", "banded:n=40,lower=3,upper=50", "random:rows=0", "random:rows=50,mean=70,diagonal=yes",
        "random:rows=50,mean=0,diagonal=yes", "random:rows=50,columns=9,lengths=huge,hugeRows=3,hugeLength=20,mean=2",
        "random:rows=60,mean=20,window=10"})
    void rulesAreExact(String spec) {
        RowSource source = (RowSource) generator(spec);
        assertEquals(source.generate(Precision.F64).nonZeros(), source.leastNonZeros());
    }

    @ParameterizedTest
    @ValueSource(strings = {"banded:n=3000,lower=20,density=0.3", "banded:n=3,lower=2,density=0.01",
        "random:rows=9000,lengths=normal,mean=9,deviation=5", "random:rows=100,lengths=normal,mean=9",
        "random:rows=20000,lengths=power,exponent=1.5,max=5000"})
    void chanceIsBoundedFromBelow(String spec) {
        RowSource source = (RowSource) generator(spec);
        CsrMatrix matrix = source.generate(Precision.F64);
        assertTrue(source.leastNonZeros() <= matrix.nonZeros(), source.leastNonZeros() + " of " + matrix);
        assertTrue(source.leastNonZeros() >= 0.1 * matrix.nonZeros(), source.leastNonZeros() + " of " + matrix);
    }
}
