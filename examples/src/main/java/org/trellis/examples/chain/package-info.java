/** Chains of loops in several variants, timed beside kernels that are put together by hand. */
package org.trellis.examples.chain;
