package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SampleStatisticsTest {
    @Test
    void interpolatesQuantiles() {
        SampleStatistics statistics = SampleStatistics.of(4, 1, 3, 2);
        assertEquals(4, statistics.count());
        assertEquals(1, statistics.minimum());
        assertEquals(1.75, statistics.lowerQuartile());
        assertEquals(2.5, statistics.median());
        assertEquals(3.25, statistics.upperQuartile());
        assertEquals(4, statistics.maximum());
        assertEquals(1, statistics.medianDeviation());
        assertEquals(0.6, statistics.relativeSpread(), 1e-15);
    }

    @Test
    void takesTheMiddleOfAnOddNumber() {
        SampleStatistics statistics = SampleStatistics.of(100, 1, 2, 3, 4);
        assertEquals(3, statistics.median());
        assertEquals(1, statistics.medianDeviation());
    }

    @Test
    void takesOneSample() {
        SampleStatistics statistics = SampleStatistics.of(7);
        assertEquals(7, statistics.upperQuartile());
        assertEquals(0, statistics.relativeSpread());
    }

    @Test
    void rejectsNoSamples() {
        assertThrows(IllegalArgumentException.class, SampleStatistics::of);
    }
}
