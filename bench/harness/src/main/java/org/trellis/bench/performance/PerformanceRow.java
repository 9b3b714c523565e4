package org.trellis.bench.performance;

import java.nio.file.Path;
import java.util.List;

/**
 * A row of the page of performance.
 *
 * @param what    what was measured, and on which set of cases
 * @param quote   the same for the README, empty where that does not quote the row
 * @param peer    the other library, or the bound
 * @param figure  what came out
 * @param machine name of the machine in the list
 * @param date    day of the measurement
 * @param command the command line, or several of them, a line each
 * @param details page and anchor of the diary, relative to the list
 * @param data    documents from which the figure is computed; none where it was taken from the diary
 */
record PerformanceRow(String what, String quote, String peer, Figure figure, String machine, String date,
        String command, String details, List<Path> data) {}
