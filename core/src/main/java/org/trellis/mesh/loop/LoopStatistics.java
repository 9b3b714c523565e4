package org.trellis.mesh.loop;

/**
 * Figures of how a loop is run.
 *
 * @param blocks        the number of blocks
 * @param blockColours  colours of blocks; 1 if none conflict
 * @param elementColours colours of the elements, the most in any block; 1 if elements have none
 * @param executed      elements run, redundant ones included
 * @param reuse         how often an indirect value is used for each time that a block loads it, at least 1
 * @param stagedBytes   bytes of indirect dats that all blocks together load or add to, each target once a block
 */
public record LoopStatistics(int blocks, int blockColours, int elementColours, long executed, double reuse,
        long stagedBytes) {}
