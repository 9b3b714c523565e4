/**
 * Checkpoints of programs on the mesh runtime that find their own moment: what a loop reads and writes says what has to
 * be saved before it (I. Z. Reguly, PhD thesis, 2014, section 6.1). {@code Checkpoints} is what a program's options
 * name; {@code DryRun} finds out where least has to be saved.
 */
package org.trellis.mesh.checkpoint;
