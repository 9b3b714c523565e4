/** The command that times products of sparse matrices. */
package org.trellis.bench.spgemm;
