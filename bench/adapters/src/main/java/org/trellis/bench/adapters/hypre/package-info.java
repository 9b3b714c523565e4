/** The adapter to hypre. */
package org.trellis.bench.adapters.hypre;
