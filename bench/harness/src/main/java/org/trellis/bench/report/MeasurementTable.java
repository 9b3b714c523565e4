package org.trellis.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.SampleStatistics;

/** What was measured of products, for consoles and pages. */
public final class MeasurementTable {
    private MeasurementTable() {}

    /**
     * Makes the table.
     *
     * @param measurements the measurements, in the order of the rows
     * @param share        the minimum bandwidth of a measurement over what memory reaches
     * @return a row for each; consoles do not see the matrix and the number of samples
     */
    public static Table of(List<Measurement> measurements, ToDoubleFunction<Measurement> share) {
        Table table = new Table(columns());
        for (Measurement measurement : measurements) {
            SampleStatistics times = measurement.statistics();
            table.row(measurement.matrix(), measurement.backend(), ContenderNames.parameters(measurement.parameters()),
                    measurement.precision().label(), measurement.threads(), times.median(), times.minimum(),
                    times.relativeSpread(), measurement.gflops(), measurement.effectiveGBs(), measurement.minimumGBs(),
                    share.applyAsDouble(measurement), measurement.verdict().inRoundoffs(),
                    measurement.prepareSeconds(), measurement.preparedBytes(),
                    new Table.Shown(times.count(), times.count() + " × " + measurement.batch()));
        }
        return table;
    }

    private static List<Column> columns() {
        return List.of(Column.words("matrix").only(Column.Medium.PAGE).means("Name of the matrix."),
                Column.of("backend", Format.CONTENDER).means("Backend of Trellis, or the other library."),
                Column.words("parameters").means("How the product was run: kernel family and its parameters, or the "
                        + "variant of a library."),
                Column.words("type").means("Precision of values, x and y: f64 is double, f32 is single."),
                Column.of("threads", Format.NUMBER).asMinor().means("Threads that the contender used."),
                Column.of("median", Format.SECONDS).means("Median time of one product."),
                Column.of("minimum", Format.SECONDS).asMinor().means("Shortest time of one product."),
                Column.of("spread", Format.PERCENT).asMinor().means("Interquartile range over the median."),
                Column.of("", Format.REAL).in("GFLOP/s").means("2 nnz / median time (equation 4.3)."),
                Column.of("useful", Format.REAL).in("GB/s").asMinor().means("Bandwidth if nothing is cached: "
                        + "nnz (2s + 4) + rows (s + 4) bytes, equation (4.4), over the median time."),
                Column.of("minimum", Format.REAL).in("GB/s").asMinor().means("The least that memory delivers, each "
                        + "element of x loaded once: nnz (s + 4) + rows (s + 4) + columns s bytes, equation (4.6), "
                        + "over the median time."),
                Column.of("of triad", Format.PERCENT).asMinor().means("Minimum bandwidth over the triad's with as many "
                        + "threads in this run; above 100 % where caches help."),
                Column.of("error (u)", Format.REAL).asMinor().means("Componentwise backward error, "
                        + "max |y - yref| / (|A||x|), against the reference in double precision, in units of the unit "
                        + "roundoff (2^-53 or 2^-24)."),
                Column.of("prepare", Format.SECONDS).asMinor()
                        .means("Shortest time to prepare the product: conversion, analysis, copies."),
                Column.of("memory", Format.BYTES).asMinor().means("Memory of the prepared matrix, without x and y."),
                Column.of("samples", Format.WRITTEN).only(Column.Medium.PAGE).asMinor()
                        .means("Number of samples; the products in each."));
    }
}
