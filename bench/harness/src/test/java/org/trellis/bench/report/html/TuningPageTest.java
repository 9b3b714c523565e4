package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.trellis.bench.chart.DrawnSvg;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.report.chart.TuningChart;
import org.trellis.bench.tune.HeatMap;
import org.trellis.bench.tune.SearchedMatrix;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

/** What the report of a search says, and that its map is the search's. */
class TuningPageTest {
    private static final Fingerprint MATRIX = Fingerprint.of(CsrMatrix.identity(3, Precision.F32));

    private static SpmvParameters way(int threads, int rows) {
        return SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128).withCooperatingThreads(threads)
                .withRowsPerGroup(rows);
    }

    private static TuningResult result(SpmvParameters way, double seconds, Invalidity invalidity) {
        return new TuningResult(MATRIX, Precision.F32, way,
                invalidity == Invalidity.CORRECT ? new double[]{seconds} : new double[0], 0.5, invalidity,
                Instant.EPOCH);
    }

    private static SearchedMatrix search() {
        List<TuningResult> results = new ArrayList<>();
        for (int threads = 1; threads <= 4; threads *= 2) {
            for (int rows = 1; rows <= 2; rows *= 2) {
                if (threads * rows < 8) {
                    results.add(result(way(threads, rows), threads == 2 && rows == 2 ? 1e-3 : 4e-3,
                            Invalidity.CORRECT));
                }
            }
        }
        results.add(result(SpmvParameters.of(SpmvFamily.CSR_BALANCED), 0, Invalidity.CORRECTNESS));
        return new SearchedMatrix("<a & b>", Precision.F32, way(1, 1), way(2, 2), results);
    }

    @Test
    void findsSharesOfTheBest() {
        SearchedMatrix search = search();
        assertEquals(0.25, search.share(search.rule()));
        assertEquals(1, search.share(search.start()));
        assertTrue(Double.isNaN(search.share(way(8, 8))));
        assertTrue(Double.isNaN(search.share(SpmvParameters.of(SpmvFamily.CSR_BALANCED))));
        assertEquals(1, search.failures());
        HeatMap map = HeatMap.of(search.results()).orElseThrow();
        assertEquals(1, map.share(1, 1));
        assertEquals(0.25, map.share(2, 0));
        assertTrue(Double.isNaN(map.share(2, 1)));
    }

    @Test
    void showsTheSearch() {
        String page = TuningPage.of(new TuningReport(Provenance.of("trellis tune x"),
                new TuningDevice("cuda", "a device", Map.of("multiprocessors", "4")), List.of(search()), List.of()));
        assertTrue(page.contains("&lt;a &amp; b&gt;") && !page.contains("<a & b>"), page);
        // Each cell once for desks and once for phones.
        assertEquals(8, Pattern.compile("<title>\\d threads, \\d rows: 25 %</title>").matcher(page).results().count());
        assertEquals(2, Pattern.compile("<title>\\d threads, \\d rows: 100 %</title>").matcher(page).results().count());
        assertEquals(2, Pattern.compile("<title>\\d threads, \\d rows: –</title>").matcher(page).results().count());
    }

    /** Numbers on dark cells have the colour of the card, others that of text. */
    @Test
    void numbersAreReadOnTheirCells() {
        DrawnSvg drawn = DrawnSvg.of(TuningChart.search(HeatMap.of(search().results()).orElseThrow(), "a"));
        assertEquals(List.of("var(--card)"), fills(drawn, "100 %"));
        assertEquals(Collections.nCopies(4, "var(--ink)"), fills(drawn, "25 %"));
    }

    private static List<String> fills(DrawnSvg drawn, String text) {
        return drawn.all(0, "text").stream().filter(element -> element.getTextContent().equals(text))
                .map(element -> DrawnSvg.inherited(element, "fill")).toList();
    }
}
