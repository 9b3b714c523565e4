/**
 * Matrices and vectors whose rows are spread over ranks: where rows come from, who owns which, and how they move.
 * Global indices are 64-bit, local ones 32-bit. No rank ever holds more than its share, unless a method states it.
 */
package org.trellis.distributed.partitioned;
