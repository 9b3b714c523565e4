/** The command that adapts meshes: its options, metrics and results. */
package org.trellis.bench.adapt;
