/** The command that measures products: ours and those of peers, in turns. */
package org.trellis.bench.product;
