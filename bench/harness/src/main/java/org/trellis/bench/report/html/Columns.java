package org.trellis.bench.report.html;

/** The columns of the table of measurements: their heads and what they mean. */
final class Columns {
    /** A third word of a column: narrow screens leave it out. */
    static final String MINOR = "minor";

    static final String[][] MEASUREMENTS = {
        {"matrix", "Name of the matrix."},
        {"backend", "Backend of Trellis, or the other library."},
        {"parameters", "How the product was run: kernel family and its parameters, or the variant of a library."},
        {"type", "Precision of values, x and y: f64 is double, f32 is single."},
        {"median", "Median time of one product."},
        {"GFLOP/s", "2 nnz / median time (equation 4.3)."},
        {"minimum GB/s",
            "The least that memory delivers, each element of x loaded once: nnz (s + 4) + rows (s + 4) + columns s "
                    + "bytes, equation (4.6), over the median time.",
            MINOR},
        {"of triad", "Minimum bandwidth over the triad's with as many threads in this run; above 100 % where caches "
                + "help.",
            MINOR},
        {"spread", "Interquartile range over the median.", MINOR},
        {"threads", "Threads that the contender used.", MINOR},
        {"minimum", "Shortest time of one product.", MINOR},
        {"useful GB/s",
            "Bandwidth if nothing is cached: nnz (2s + 4) + rows (s + 4) bytes, equation (4.4), over the median time.",
            MINOR},
        {"error (u)", "Componentwise backward error, max |y - yref| / (|A||x|), against the reference in double "
                + "precision, in units of the unit roundoff (2^-53 or 2^-24).",
            MINOR},
        {"prepare", "Shortest time to prepare the product: conversion, analysis, copies.", MINOR},
        {"memory", "Memory of the prepared matrix, without x and y.", MINOR},
        {"samples", "Number of samples; the products in each.", MINOR}};

    static final String[][] MATRICES = {
        {"matrix", "Name of the matrix."},
        {"rows", "Number of rows."},
        {"columns", "Number of columns."},
        {"non-zeros", "Number of entries, explicit zeros among them."},
        {"mean", "Mean row length."},
        {"deviation", "Standard deviation of the row lengths.", MINOR},
        {"longest", "Length of the longest row."},
        {"empty", "Rows without entries.", MINOR},
        {"bandwidth", "Largest distance of an entry from the diagonal.", MINOR},
        {"symmetry", "Whether the matrix, or only its pattern, equals that of its transpose.", MINOR},
        {"from", "Where it comes from.", MINOR}};

    private Columns() {}
}
