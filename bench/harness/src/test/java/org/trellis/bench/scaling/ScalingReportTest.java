package org.trellis.bench.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;

/** Speed-ups, efficiencies, errors and crossings by hand. */
class ScalingReportTest {
    private static Case on(int ranks, String matrix, long nonZeros, Variant... variants) {
        return new Case("poisson2d", matrix, nonZeros / 5, nonZeros, "product", "step", ranks, "threads",
                List.of(variants), 0, null, null);
    }

    private static Variant plain(double seconds) {
        return new Variant(1, false, seconds, seconds, Double.NaN);
    }

    private static ScalingReport report(Case... cases) {
        return new ScalingReport(new ScalingReport.Setup("blocks", "f64", 8, 2, false), List.of(cases), List.of());
    }

    @Test
    void speedUpIsRelativeToTheFastestOfTheFewestRanks() {
        Case one = on(1, "m", 1000, plain(9), new Variant(2, true, 8, 8, Double.NaN));
        Case four = on(4, "m", 1000, plain(2.5), new Variant(2, true, 2, 1.5, Double.NaN));
        ScalingReport report = report(four, one);
        assertEquals(3.2, report.speedUp(four, four.plain().orElseThrow()), 1e-12);
        assertEquals(0.8, report.efficiency(four, four.plain().orElseThrow()), 1e-12);
        assertEquals(4, report.speedUp(four, four.chosen().orElseThrow()), 1e-12);
        assertEquals(1, report.efficiency(four, four.best().orElseThrow()), 1e-12);
    }

    /** Four times the entries in 10 instead of 8 seconds: 3.2 times as many a second. */
    @Test
    void growingMatricesAreComparedByEntriesASecond() {
        Case one = on(1, "m", 1000, plain(8));
        Case four = on(4, "m", 4000, plain(10));
        ScalingReport report = report(one, four);
        assertEquals(3.2, report.speedUp(four, four.variants().getFirst()), 1e-12);
        assertEquals(0.8, report.efficiency(four, four.variants().getFirst()), 1e-12);
    }

    @Test
    void predictionsAreHeldAgainstTheFastestPass() {
        assertEquals(0.5, new Variant(1, false, 2.5, 2, 3).error(), 1e-12);
        assertEquals(-0.25, new Variant(1, false, 2.5, 2, 1.5).error(), 1e-12);
        assertTrue(Double.isNaN(plain(2).error()));
    }

    private static double crossing(double gainOfSmall, double gainOfLarge) {
        ScalingReport report = report(on(1, "small", 1000, plain(1)), on(4, "small", 1000, plain(1 / gainOfSmall)),
                on(1, "large", 100_000, plain(1)), on(4, "large", 100_000, plain(1 / gainOfLarge)));
        Crossover found = Crossover.of(report).getFirst();
        assertEquals(4, found.ranks());
        assertEquals(1, found.fewest());
        assertTrue(Double.isNaN(found.chosen()));
        return found.plain();
    }

    /** Half as fast and twice as fast: the middle of the logarithms. A quarter and twice: two thirds of the variant. */
    @Test
    void crossingsAreInterpolatedInLogarithms() {
        assertEquals(1e4, crossing(0.5, 2), 1e-6);
        assertEquals(1000 * Math.pow(100, 2.0 / 3), crossing(0.25, 2), 1e-6);
        assertEquals(0, crossing(1.5, 2));
        assertEquals(Double.POSITIVE_INFINITY, crossing(0.5, 0.9));
    }
}
