/** Tuning from the command line: searches, the evaluation of run-time tuning, and measured results as profiles. */
package org.trellis.bench.tune;
