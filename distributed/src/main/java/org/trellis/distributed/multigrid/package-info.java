/**
 * Algebraic multigrid over ranks: hierarchies whose levels are partitioned matrices, set up by exchanging rows, with
 * the aggregates that one rank makes around independent sets; and cycles whose smoothers exchange as many rings as
 * pays on each level.
 */
package org.trellis.distributed.multigrid;
