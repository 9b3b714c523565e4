/** Tests of what the readers share. */
package org.trellis.matrices.support;
