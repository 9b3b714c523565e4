/** What the charts of reports and pictures show: one class for each, the same for both. */
package org.trellis.bench.report.chart;
