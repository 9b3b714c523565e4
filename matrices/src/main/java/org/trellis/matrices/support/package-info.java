/** Threads, progress, numbers and files for the packages of this module; not exported. */
package org.trellis.matrices.support;
