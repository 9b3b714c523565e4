/**
 * Direct solvers of other libraries: KLU, UMFPACK and CHOLMOD of SuiteSparse, SuperLU, by foreign functions where they
 * are installed, and EJML. Offsets of structures are those of SuiteSparse 5 and SuperLU 5 on 64-bit Linux.
 */
package org.trellis.bench.adapters.direct;
