/**
 * Measuring sparse products: contenders in turn, their times, what these mean in flops and bytes, and whether the
 * results are right. Knows nothing of files, command lines or reports.
 */
package org.trellis.bench.measure;
