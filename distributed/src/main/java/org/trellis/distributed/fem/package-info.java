/** Finite elements on several ranks: each assembles and multiplies what touches its own unknowns. */
package org.trellis.distributed.fem;
