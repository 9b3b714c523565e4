/** Tests of the Matrix Market reader and writer. */
package org.trellis.matrices.market;
