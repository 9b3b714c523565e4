/** amgcl, a library of C++ templates that is compiled for the machine, as a peer of solvers. */
package org.trellis.bench.adapters.amgcl;
