/** Chains of loops in several ways, timed beside kernels that are put together by hand. */
package org.trellis.examples.chain;
