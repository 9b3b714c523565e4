/** JMH benchmarks: each case runs in a JVM of its own, unlike in the harness, where all contenders share one. */
package org.trellis.bench.jmh;
