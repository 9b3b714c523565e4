/**
 * Operations that make matrices from several others: products, stacks, Kronecker products; and norms. Sums, selections
 * and scalings of one matrix are methods of {@link org.trellis.sparse.CsrMatrix}.
 */
package org.trellis.sparse.algebra;
