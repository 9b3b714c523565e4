/**
 * Charts: one description of axes and series, which a plotting library draws into pages as SVG and into files as PNG.
 * No other package names that library.
 */
package org.trellis.bench.chart;
