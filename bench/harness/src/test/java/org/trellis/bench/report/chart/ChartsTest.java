package org.trellis.bench.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.DrawnSvg;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.bench.measure.ErrorCheck;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.measure.Traffic;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;
import org.trellis.bench.tune.HeatMap;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.TimelineReport;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningResult;

/** Each chart shows the numbers that it was given. */
final class ChartsTest {
    private static Series named(Chart chart, String name) {
        return chart.panels().stream().flatMap(panel -> panel.series().stream())
                .filter(series -> series.name().equals(name)).findFirst().orElseThrow();
    }

    private static ResidualChart.Curve curve(String name, int iterations, double seconds) {
        List<Double> history = DoubleStream.iterate(4, norm -> norm / 2).limit(iterations + 1L).boxed().toList();
        List<Double> times = IntStream.rangeClosed(1, iterations).mapToObj(i -> 0.1 * i).toList();
        return new ResidualChart.Curve(name, new SolveReport(SolveStatus.CONVERGED, iterations, 0, history, 4,
                history.getLast(), 0.1 * iterations, "done"), times, seconds);
    }

    @Test
    void curvesOverTimeEndWhereTheTableSays() {
        Chart chart = ResidualChart.of(List.of(curve("a", 20, 0.5), curve("b", 10, 0.25)), true, 4e-6, "a test");
        List<Mark> first = named(chart, "a").marks();
        assertEquals(21, first.size());
        assertEquals(0.5, first.getLast().fromX(), 1e-12);
        assertEquals(0.25, first.get(10).fromX(), 1e-12);
        assertEquals(0.25, named(chart, "b").marks().getLast().fromX(), 1e-12);
        assertEquals(0.5, chart.panels().getFirst().across().high(), 1e-12);
        assertEquals(1e-6, named(chart, "tolerance").marks().getFirst().fromY(), 1e-18);
        assertEquals(1, first.getFirst().fromY(), 1e-12);
        DrawnSvg drawn = DrawnSvg.of(chart);
        double left = drawn.curve(Ink.ofCurve(0)).getFirst().x();
        double right = drawn.curve(Ink.ofCurve(0)).getLast().x();
        assertEquals((left + right) / 2, drawn.curve(Ink.ofCurve(1)).getLast().x(), 1.5);
    }

    @Test
    void longHistoriesKeepTheirLastPoint() {
        List<Mark> marks = named(ResidualChart.of(List.of(curve("a", 1000, 1), curve("b", 3001, 1)), false, 0,
                "a test"), "b").marks();
        // What underflows has no place on a logarithmic axis; the last norm above is that of iteration 1076.
        assertTrue(marks.size() < 1000 && marks.getLast().fromX() <= 1076, () -> marks.getLast().toString());
        List<Mark> whole = named(ResidualChart.of(List.of(curve("a", 1000, 1)), false, 0, "a test"), "a").marks();
        assertEquals(1000, whole.getLast().fromX());
        assertEquals("converged after 1,000 iterations, 1 s",
                ResidualChart.of(List.of(curve("a", 1000, 1)), false, 0, "x").subtitle().replace("1.00 s", "1 s"));
    }

    private static Measurement measurement(String backend, Precision precision, double... samples) {
        return new Measurement("m", new Traffic(10, 10, 500, precision == Precision.F64 ? 8 : 4), backend,
                Map.of("family", "csr"), precision, 1, samples, new double[0], 1,
                new ErrorCheck.Verdict(0, 0, -1, ""), 0, 0, 0);
    }

    @Test
    void contendersAreSortedBySpeed() {
        Measurement slow = measurement("threads", Precision.F64, 4e-6, 2e-6, 8e-6);
        Measurement fast = measurement("simd", Precision.F64, 1e-6, 1e-6, 1e-6);
        Chart chart = SamplesChart.of(List.of(slow, fast));
        assertEquals(List.of("simd csr f64", "threads csr f64"), chart.up().names());
        List<Series> speeds = chart.panels().getFirst().series();
        Mark bar = speeds.stream().filter(series -> series.ink() == Palette.inkOf("simd")).findFirst().orElseThrow()
                .marks().getFirst();
        // 1000 flops in a microsecond.
        assertEquals(1, bar.toX(), 1e-12);
        assertEquals(0, bar.fromY() + bar.toY(), 1e-12);
        List<Mark> medians = chart.panels().get(1).series().getLast().marks();
        assertEquals(slow.statistics().median(), Math.sqrt(medians.get(1).fromX() * medians.get(1).toX()), 1e-12);
        SampleStatistics statistics = slow.statistics();
        assertTrue(chart.panels().get(1).series().stream().flatMap(series -> series.marks().stream())
                .anyMatch(mark -> mark.fromX() == statistics.lowerQuartile()
                        && mark.toX() == statistics.upperQuartile()));
        assertEquals(3, DrawnSvg.of(chart).svgs().size());
    }

    @Test
    void sizesGrowToTheRight() {
        List<Case> cases = new ArrayList<>();
        for (long size : new long[]{400, 100, 200}) {
            cases.add(new Case("f", "f:" + size, size, size, "products", "step", 2, "threads",
                    List.of(new Variant(1, false, size * 1e-6, size * 1e-6, Double.NaN),
                            new Variant(2, true, size * 5e-7, size * 5e-7, Double.NaN)),
                    0, null, null));
        }
        Chart chart = ScalingChart.overSize(cases, "products");
        assertEquals(List.of(100.0, 200.0, 400.0),
                named(chart, "2 ranks, 1 ring").marks().stream().map(Mark::fromX).toList());
        assertEquals(List.of(5e-5, 1e-4, 2e-4),
                named(chart, "2 ranks, best rings").marks().stream().map(mark -> (float) mark.fromY())
                        .map(seconds -> Math.round(seconds * 1e7) / 1e7).toList());
        assertTrue(DrawnSvg.of(chart).tips().contains("2 ranks, 1 ring, 400 non-zeros: 400 µs"));
    }

    @Test
    void phasesAreBarsOfTheirRanks() {
        TimelineReport.Rank rank = new TimelineReport.Rank(1,
                List.of(new TimelineReport.Activity("product", List.of(1.0, 0.0, 0.0, 0.0, 0.0), 1, 0, 0)), List.of());
        TimelineReport report = new TimelineReport(List.of(rank, rank));
        TimelineReport.Iteration iteration = new TimelineReport.Iteration(List.of(
                List.of(new TimelineReport.Event(0, RankPhase.INTERIOR, false, 0, 0.5)),
                List.of(new TimelineReport.Event(0, RankPhase.WAIT, false, 0.25, 1))), 1);
        Chart chart = TimelineChart.of(report, iteration);
        Mark wait = named(chart, RankPhase.WAIT.label()).marks().getFirst();
        assertEquals(0.25, wait.fromX());
        assertEquals(1, wait.toX());
        assertEquals(1, (wait.fromY() + wait.toY()) / 2, 1e-12);
        DrawnSvg drawn = DrawnSvg.of(chart);
        assertTrue(drawn.texts(0).containsAll(List.of("rank 0", "rank 1", "500 ms")), drawn.texts(0)::toString);
        assertTrue(drawn.tips().contains("product, " + RankPhase.INTERIOR.label() + ": 500 ms from 0 s on"),
                drawn.tips()::toString);
    }

    @Test
    void cyclesVisitTheirLevels() {
        List<MultigridReport.Level> levels = List.of(
                new MultigridReport.Level(1000, 5000, "s", "p", "", "", 10, 3e-3),
                new MultigridReport.Level(10, 50, "inverse", "p", "", "", 10, 1e-3));
        MultigridReport report = new MultigridReport("aggregation", "V(1,1)", levels, List.of(0, 1, 0), Map.of(),
                List.of());
        Chart chart = CycleChart.of(report);
        assertEquals(List.of("1,000", "10"), chart.up().names());
        assertEquals(List.of(0.0, 1.0, 0.0),
                chart.panels().getFirst().series().getFirst().marks().stream().map(Mark::fromY).toList());
        List<String> numbers = chart.panels().get(1).series().get(1).marks().stream().map(Mark::words).toList();
        assertEquals(List.of("3.00 ms, 75 %", "1.00 ms, 25 %"), numbers);
    }

    private static TuningResult result(int threads, int rows, double seconds) {
        return new TuningResult(Fingerprint.of(CsrMatrix.identity(3, Precision.F64)), Precision.F64,
                SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128).withCooperatingThreads(threads)
                        .withRowsPerGroup(rows),
                new double[]{seconds}, 0, Invalidity.CORRECT, Instant.EPOCH);
    }

    @Test
    void theBestCellIsTheDarkest() {
        List<TuningResult> results = new ArrayList<>();
        for (int threads = 1; threads <= 8; threads *= 2) {
            for (int rows = 1; rows <= 2; rows *= 2) {
                results.add(result(threads, rows, threads == 4 && rows == 2 ? 1 : 4));
            }
        }
        Chart chart = TuningChart.search(HeatMap.of(results).orElseThrow(), "a test");
        List<Series> cells = chart.panels().getFirst().series().stream()
                .filter(series -> series.look() == Series.Look.BOXES && !series.marks().isEmpty()).toList();
        Series darkest = cells.getLast();
        assertEquals(1, darkest.opacity());
        assertEquals("4 threads, 2 rows: 100 %", darkest.marks().getFirst().words());
        assertEquals(8, cells.stream().mapToInt(series -> series.marks().size()).sum());
        DrawnSvg drawn = DrawnSvg.of(chart);
        assertTrue(drawn.texts(0).containsAll(List.of("1", "2", "4", "8", "25 %", "100 %")),
                drawn.texts(0)::toString);
        assertEquals(Optional.empty(), HeatMap.of(List.of(result(1, 1, 1))));
    }

    @Test
    void histogramsCountRows() {
        CsrMatrix matrix = new CsrBuilder(5, Precision.F64, 4).endRow().add(0, 1).endRow().add(1, 1).endRow().add(0, 1)
                .add(1, 1).endRow().build();
        Chart chart = HistogramChart.rowLengths(matrix, matrix.statistics(), "m");
        assertEquals(1, named(chart, "empty rows").marks().getFirst().toY());
        assertEquals(List.of(2.0, 1.0), named(chart, "rows").marks().stream().map(Mark::toY).toList());
        assertEquals(1, named(chart, "mean").marks().getFirst().fromX(), 1e-12);
        assertEquals("mean 1.00, standard deviation 0.71, from 0 to 2, 1 empty rows", chart.subtitle());
        Chart quality = HistogramChart.qualities(new int[]{1, 3}, new int[]{0, 4}, "q");
        assertEquals(List.of(25.0, 75.0), named(quality, "before").marks().stream().map(Mark::toY).toList());
        assertEquals(List.of(100.0), named(quality, "after").marks().stream().map(Mark::toY).toList());
    }
}
