/** The report for a browser: one file without anything from outside. */
package org.trellis.bench.report.html;
