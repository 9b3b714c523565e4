package org.trellis.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;

final class HostVectorTest {
    @Test
    void wrapsWithoutCopying() {
        double[] doubles = {1, 2};
        float[] floats = {1, 2};
        assertSame(doubles, HostVector.of(doubles).doubles());
        assertSame(floats, HostVector.of(floats).floats());
        assertNotSame(doubles, HostVector.of(doubles).copy().doubles());
    }

    @Test
    void refusesTheOtherPrecisionsArray() {
        assertThrows(IllegalStateException.class, () -> HostVector.of(1.0f).doubles());
        assertThrows(IllegalStateException.class, () -> HostVector.of(1.0).floats());
    }

    @Test
    void roundsToNearest() {
        double third = 1.0 / 3;
        HostVector single = HostVector.of(Precision.F32, 1, i -> third);
        assertEquals((float) third, single.get(0));
        assertEquals((float) third, HostVector.of(third).convert(Precision.F32).floats()[0]);
        assertArrayEquals(new double[]{(float) third}, single.toDoubleArray());
    }

    @Test
    void copiesRangesAndChecksThem() {
        HostVector source = HostVector.of(1.0, 2, 3, 4);
        source.copyRange(0, source, 1, 3);
        assertArrayEquals(new double[]{1, 1, 2, 3}, source.doubles());
        assertThrows(IndexOutOfBoundsException.class, () -> source.copyRange(2, source, 0, 3));
        assertEquals("vector precision is f32, expected f64", assertThrows(IllegalArgumentException.class,
                () -> source.copyRange(0, HostVector.of(1.0f), 0, 1)).getMessage());
        assertEquals("source length is 3, expected 4", assertThrows(IllegalArgumentException.class,
                () -> source.copyFrom(HostVector.of(1.0, 2, 3))).getMessage());
    }

    @Test
    void setsRangesAndRoundsThem() {
        double[] source = {9, 1 / 3.0, 2};
        HostVector wide = HostVector.zeros(Precision.F64, 4);
        wide.part(1, 3).setRange(1, source, 1, 2);
        assertArrayEquals(new double[]{0, 0, 1 / 3.0, 2}, wide.doubles());
        HostVector narrow = HostVector.zeros(Precision.F32, 3);
        narrow.setRange(0, source, 0, 2);
        narrow.setRange(3, source, 0, 0);
        assertArrayEquals(new float[]{9, (float) (1 / 3.0), 0}, narrow.floats());
        assertThrows(IndexOutOfBoundsException.class, () -> narrow.setRange(2, source, 0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> narrow.setRange(0, source, 2, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> wide.setRange(0, source, 2, 2));
    }

    @Test
    void refusesNegativeLengths() {
        assertEquals("vector length is -1, expected at least 0", assertThrows(IllegalArgumentException.class,
                () -> HostVector.zeros(Precision.F64, -1)).getMessage());
    }

    @Test
    void multiVectorChecksItsStorage() {
        assertEquals("storage length of 2 vectors is 5, expected 6",
                assertThrows(IllegalArgumentException.class,
                        () -> new MultiVector(HostVector.zeros(Precision.F64, 5), 3, 2)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> MultiVector.zeros(Precision.F32, 1 << 30, 2));
        assertEquals(12, MultiVector.zeros(Precision.F32, 4, 3).storage().length());
    }
}
