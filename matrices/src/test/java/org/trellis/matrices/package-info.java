/** Tests of the entry points to matrix files, and what the tests of all formats share. */
package org.trellis.matrices;
