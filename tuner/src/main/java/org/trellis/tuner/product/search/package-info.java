/** Searches through parameters with products of their own: exhaustive, or as long as a budget lasts. */
package org.trellis.tuner.product.search;
