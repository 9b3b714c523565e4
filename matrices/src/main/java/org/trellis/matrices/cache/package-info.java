/** Parsed matrices kept on disk, so that a large text file is parsed once. */
package org.trellis.matrices.cache;
