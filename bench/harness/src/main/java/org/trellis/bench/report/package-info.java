/** What is written about a run: the JSON document and the HTML report. */
package org.trellis.bench.report;
