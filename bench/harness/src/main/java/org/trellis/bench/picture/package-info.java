/** Pictures of matrices and of convergence, drawn without a display and written as PNG. */
package org.trellis.bench.picture;
