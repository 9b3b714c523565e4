/**
 * Partitions of graphs and point sets: recursive bisection by coordinates, a multilevel method, native libraries where
 * they are installed, and the order of elements in blocks. Pure functions on arrays; nothing here knows a mesh.
 */
package org.trellis.mesh.partition;
