/** Meshes of finite elements and the nodes of Lagrange spaces on them. */
package org.trellis.fem.space;
