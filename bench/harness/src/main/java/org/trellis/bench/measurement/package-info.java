/**
 * What {@code trellis measure} runs: programs behind single figures of the documentation, for which no command has
 * options of its own. Each prints lines to the standard output; what is timed and how is said at its head.
 */
package org.trellis.bench.measurement;
