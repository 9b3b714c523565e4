/** MATLAB's MAT-files of level 5. */
package org.trellis.convert.matlab;
