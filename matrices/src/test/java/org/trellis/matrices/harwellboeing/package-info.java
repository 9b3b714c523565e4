/** Tests of the Harwell-Boeing and Rutherford-Boeing reader. */
package org.trellis.matrices.harwellboeing;
