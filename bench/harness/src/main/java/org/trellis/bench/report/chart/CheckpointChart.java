package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.trellis.bench.chart.Axis;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.chart.Ink;
import org.trellis.bench.chart.Scale;
import org.trellis.bench.chart.Series;
import org.trellis.bench.chart.Series.Look;
import org.trellis.bench.chart.Series.Mark;
import org.trellis.mesh.checkpoint.CheckpointAnalysis;

/** What a checkpoint would save before each loop of a sequence, a bar for each. */
public final class CheckpointChart {
    private static final double ROOM_FOR_NUMBERS = 1.15;

    private CheckpointChart() {}

    /**
     * Shows an analysis.
     *
     * @param analysis what would be saved
     * @param places   the rows that are shown
     * @return the chart
     */
    public static Chart of(CheckpointAnalysis analysis, List<Integer> places) {
        List<Mark> least = new ArrayList<>();
        List<Mark> others = new ArrayList<>();
        List<Mark> numbers = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int p = 0; p < places.size(); p++) {
            CheckpointAnalysis.Row row = analysis.rows().get(places.get(p));
            names.add(places.get(p) + 1 + " " + row.use().name());
            (row.bytes() == analysis.fewestBytes() ? least : others).add(
                    Mark.bar(p, 0, row.units(), row.use().name() + ": " + row.units() + " units"));
            numbers.add(Mark.point(row.units(), p, String.valueOf(row.units())));
        }
        int most = places.stream().mapToInt(place -> analysis.rows().get(place).units()).max().orElse(1);
        return Chart.of("Units saved before each loop",
                Axis.of("units", Scale.linear(0, Math.max(1, most) * ROOM_FOR_NUMBERS)).counting(),
                Axis.rows("", names), List.of(Series.of("least bytes", Ink.C3, Look.BOXES, least),
                        Series.of("other loops", Ink.C0, Look.BOXES, others),
                        Series.of("", Ink.TEXT, Look.TEXT, numbers)));
    }
}
