package org.trellis.distributed.mesh;

import java.util.OptionalLong;

/**
 * The parts of the elements of a set that are at home here.
 *
 * @param partOf  a part for each, in the user's order
 * @param edgeCut of the whole set's graph, if it was divided by a graph
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
record DirectoryDivision(int[] partOf, OptionalLong edgeCut) {}
