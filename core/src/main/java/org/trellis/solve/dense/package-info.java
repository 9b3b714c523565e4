/** Dense matrices within sparse factorisations: what is subtracted from a front once some of its columns are done. */
package org.trellis.solve.dense;
