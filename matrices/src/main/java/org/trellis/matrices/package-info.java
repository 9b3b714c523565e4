/** Matrices from outside: files of every format that Trellis reads and writes. */
package org.trellis.matrices;
