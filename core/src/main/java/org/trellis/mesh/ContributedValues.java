package org.trellis.mesh;

/**
 * The values of a dat that one rank brings ({@link RankRows}), in the user's numbering, as they were declared. The
 * arrays are not copied and not to be changed.
 *
 * @param elements the elements that have the values, each once, in any order
 * @param values   components side by side
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record ContributedValues(int[] elements, double[] values) {}
