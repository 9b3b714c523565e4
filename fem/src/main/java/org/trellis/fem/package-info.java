/**
 * Finite elements: from a mesh and a form to a system of equations, with its matrix stored in one of several formats or
 * not at all.
 */
package org.trellis.fem;
