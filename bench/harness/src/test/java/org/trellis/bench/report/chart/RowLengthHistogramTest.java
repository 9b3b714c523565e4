package org.trellis.bench.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RowLengthHistogramTest {
    @Test
    void countsEveryLengthWhileThereAreFew() {
        RowLengthHistogram histogram = RowLengthHistogram.of(new int[]{0, 2, 2, 3});
        assertFalse(histogram.logarithmic());
        assertEquals(List.of(1L, 0L, 2L, 1L), histogram.bins().stream().map(RowLengthHistogram.Bin::rows).toList());
    }

    @Test
    void countsAllRowsInGrowingBins() {
        RowLengthHistogram histogram = RowLengthHistogram.of(IntStream.rangeClosed(0, 5000).toArray());
        assertTrue(histogram.logarithmic());
        assertEquals(5001, histogram.bins().stream().mapToLong(RowLengthHistogram.Bin::rows).sum());
        assertEquals(new RowLengthHistogram.Bin(0, 1, 1), histogram.bins().getFirst());
        for (int i = 1; i < histogram.bins().size(); i++) {
            assertEquals(histogram.bins().get(i - 1).to(), histogram.bins().get(i).from());
        }
    }
}
