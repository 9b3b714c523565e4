/**
 * Libraries that run as processes under MPI: started, given what to do and ended from here, and within each of them the
 * calls of the library by foreign functions. Nothing of them is loaded into the process that measures.
 */
package org.trellis.bench.adapters.ranks;
