package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.bench.report.RunReport;
import org.trellis.common.Precision;

/** Rates of a product with 10 rows, 20 columns and 100 entries by hand. */
class MeasurementTest {
    private static Measurement measurement(String backend, int threads, double... deviceSamples) {
        return new Measurement("m", new Traffic(10, 20, 100, Double.BYTES), backend, Map.of(), Precision.F64, threads,
                new double[]{3e-9, 1e-9, 2e-9}, deviceSamples, 1, null, 0, -1, 0);
    }

    /** 200 operations, 100 · 20 + 10 · 12 = 2120 bytes and 100 · 12 + 10 · 12 + 20 · 8 = 1480 bytes in 2 ns. */
    @Test
    void ratesAreThoseOfTheMedian() {
        Measurement one = measurement("threads", 1);
        assertEquals(100, one.gflops(), 1e-9);
        assertEquals(1060, one.effectiveGBs(), 1e-9);
        assertEquals(740, one.minimumGBs(), 1e-9);
    }

    /** Of the triad with as many threads, or of the copy of the device. */
    @Test
    void sharesAreOfTheBandwidthWhereItRan() {
        RunReport report = new RunReport(null, null,
                List.of(new Bandwidth(1, 185, 0, 0, 0), new Bandwidth(4, 370, 0, 0, 0)),
                List.of(new DeviceBandwidth("other", "a", Map.of(), 1),
                        new DeviceBandwidth("cuda", "b", Map.of(), 1480)),
                List.of(), Map.of(), new Outcome(List.of(), List.of()), null);
        assertEquals(4, report.bandwidthShare(measurement("threads", 1)), 1e-12);
        assertEquals(2, report.bandwidthShare(measurement("threads", 4)), 1e-12);
        assertEquals(0.5, report.bandwidthShare(measurement("cuda", 1, 1e-9)), 1e-12);
    }
}
