/** Tests of the cache of parsed matrices. */
package org.trellis.matrices.cache;
