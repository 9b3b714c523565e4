/** Meshes from files of the CFD General Notation System. */
package org.trellis.convert.cgns;
