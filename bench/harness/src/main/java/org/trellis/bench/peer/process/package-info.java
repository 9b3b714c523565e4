/**
 * Peers that are measured in a JVM of their own: what a library does to the JIT compiler, the collector and the threads
 * of its process then meets no other program.
 */
package org.trellis.bench.peer.process;
