/** The archive of kernels that is part of a release, and the program that makes it. */
package org.trellis.cuda.kernels;
