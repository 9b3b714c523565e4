/** The adapter to PETSc. */
package org.trellis.bench.adapters.petsc;
