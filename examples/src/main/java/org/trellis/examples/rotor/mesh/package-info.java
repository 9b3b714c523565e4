/** Meshes of tetrahedra, pyramids, prisms and hexahedra in space: made, refined, and their median duals. */
package org.trellis.examples.rotor.mesh;
