/** What the first products cost: whole times from a matrix in memory, each in a JVM of its own. */
package org.trellis.bench.warmup;
